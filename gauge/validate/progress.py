"""What a person sees while values are certified: a bar, or plain lines where output goes to a file."""

import time
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from gauge.perturbations.certificate import Certificate

LINE_EVERY_S = 30.0


class Bar:
    """Counts certified values; those that were certified before count from the start."""

    def __init__(self, planned: int, shown: bool) -> None:
        self._console = Console(stderr=True)
        self._planned, self._shown, self._done, self._dropped = planned, shown, 0, 0
        self._bar = Progress(
            TextColumn("[bold]validate"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[dropped]} dropped"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not (shown and self._console.is_terminal),
        )
        self._task: TaskID | None = None
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        self._task = self._bar.add_task("validate", total=self._planned, dropped=0)
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def skip(self, count: int) -> None:
        """Count values that are certified already."""
        self._advance(count)

    def add(self, found: Sequence[Certificate]) -> None:
        """Count new certificates."""
        self._dropped += sum(one.verdict == "dropped" for one in found)
        self._advance(len(found))
        if self._shown and not self._console.is_terminal and time.monotonic() - self._last_line >= LINE_EVERY_S:
            self._last_line = time.monotonic()
            text = f"validate: {self._done}/{self._planned} values, {self._dropped} dropped"
            self._console.print(text, markup=False, highlight=False)

    def _advance(self, count: int) -> None:
        self._done += count
        if self._task is not None:
            self._bar.update(self._task, completed=self._done, dropped=self._dropped)
