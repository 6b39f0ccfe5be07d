"""What a person sees while a cell runs: a bar with running success rate and ETA, or plain lines in a log."""

import time
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from gauge.core.metrics import Rate
from gauge.core.record import EpisodeRecord

LINE_EVERY_S = 30.0


class ProgressView:
    """A live bar on a terminal; one line every half minute where output goes to a file."""

    def __init__(self, label: str, planned: int, stored: list[EpisodeRecord], shown: bool) -> None:
        self._console = Console(stderr=True)
        self._label, self._planned, self._shown = label, planned, shown
        self._statuses = [record.status for record in stored]
        self._bar = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not (shown and self._console.is_terminal),
        )
        self._task: TaskID | None = None
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        self._task = self._bar.add_task(
            self._label, total=self._planned, completed=len(self._statuses), rate=self._rate()
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def add(self, record: EpisodeRecord) -> None:
        """Count one finished episode."""
        self._statuses.append(record.status)
        if self._task is not None:
            self._bar.update(self._task, completed=len(self._statuses), rate=self._rate())
        if record.status == "error":
            self.note(f"error in {record.scenario_id} rollout {record.rollout}: {record.reason}")
        if self._shown and not self._console.is_terminal:
            self._line()

    def add_all(self, records: Sequence[EpisodeRecord]) -> None:
        """Count many finished episodes at once."""
        self._statuses += [record.status for record in records[:-1]]
        for record in records[-1:]:
            self.add(record)

    def note(self, text: str) -> None:
        """One line above the bar."""
        self._console.print(text, style="yellow", markup=False, highlight=False)

    def _line(self) -> None:
        now = time.monotonic()
        if now - self._last_line >= LINE_EVERY_S or len(self._statuses) >= self._planned:
            self._last_line = now
            done = f"{len(self._statuses)}/{self._planned}"
            self._console.print(f"{self._label}: {done} episodes, {self._rate()}", markup=False, highlight=False)

    def _rate(self) -> str:
        errors = self._statuses.count("error")
        rate = Rate(self._statuses.count("success"), len(self._statuses) - errors, errors)
        return f"success {rate}" if self._statuses else "starting"
