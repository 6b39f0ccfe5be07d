"""Progress for people: a live bar on a terminal, one line every half minute where output goes to a file."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

LINE_EVERY_S = 30.0


class Bar:
    """A bar of `planned` things with a text beside it; what was done before counts from the start."""

    def __init__(self, label: str, planned: int, shown: bool, done: int = 0, text: str = "") -> None:
        self._console = Console(stderr=True)
        self._label, self._planned, self._shown = label, planned, shown
        self._bar = Progress(
            TextColumn("{task.description}", style="bold", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            TimeRemainingColumn(),
            console=self._console,
            disable=not (shown and self._console.is_terminal),
        )
        self._task = self._bar.add_task(label, total=planned, completed=done, text=text)
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def update(self, done: int, text: str) -> None:
        """Show how many are done, and the text."""
        self._bar.update(self._task, completed=done, text=text)
        now = time.monotonic()
        due = now - self._last_line >= LINE_EVERY_S or done >= self._planned
        if self._shown and not self._console.is_terminal and due:
            self._last_line = now
            self.say(f"{self._label}: {done}/{self._planned} {text}")

    def say(self, text: str, style: str | None = None) -> None:
        """One line above the bar, whether it is shown or not."""
        self._console.print(text, style=style, markup=False, highlight=False)
