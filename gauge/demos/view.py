"""What a person sees while demonstrations are recorded: a bar, or plain lines in a log, and a table at the end."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Self

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from gauge.demos.selection import Outcome
from gauge.demos.store import DemoSet
from gauge.suites.libero import Task

LINE_EVERY_S = 30.0


class View:
    """Counts the demonstrations of a set as they come."""

    def __init__(self, demo_set: DemoSet, tasks: Sequence[Task], shown: bool) -> None:
        self._set, self._tasks, self._shown = demo_set, [task.name for task in tasks], shown
        self._console = Console(stderr=True)
        self._wanted = demo_set.n * len(tasks)
        self._bar = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[dropped]} dropped"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not (shown and self._console.is_terminal),
        )
        found = {name: demo_set.selection(name) for name in self._tasks}
        self._kept = {name: len(one.kept) for name, one in found.items()}
        self._dropped = {name: len(one.dropped) for name, one in found.items()}
        self._row = self._bar.add_task(str(demo_set.folder), total=self._wanted, dropped=0)
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def add(self, task: str, index: int, outcome: Outcome) -> None:
        """Count one tried episode; a detour shows only beside the others of its task."""
        found = self._set.selection(task)
        self._kept[task], self._dropped[task] = len(found.kept), len(found.dropped)
        kept, dropped = sum(self._kept.values()), sum(self._dropped.values())
        self._bar.update(self._row, completed=kept, dropped=dropped)
        if outcome.measure is None:
            self._say(f"{task} episode {index} dropped: {outcome.reason}")
        elif self._shown and not self._console.is_terminal and time.monotonic() - self._last_line > LINE_EVERY_S:
            self._last_line = time.monotonic()
            self._say(f"{self._set.folder}: {kept}/{self._wanted} kept, {dropped} dropped")

    def summary(self, errors: Mapping[str, str]) -> None:
        """The table at the end, and the episodes that could not be run."""
        table = Table(
            title=str(self._set.folder), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False
        )
        table.add_column("task", overflow="fold", min_width=28, max_width=48)
        table.add_column("kept", justify="right")
        table.add_column("tried", justify="right")
        table.add_column("dropped because", min_width=24)
        for name in self._tasks:
            found = self._set.selection(name)
            reasons = Counter(reason.partition(" of ")[0].partition(" (")[0] for reason in found.dropped.values())
            listed = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
            table.add_row(name, str(len(found.kept)), str(len(found.kept) + len(found.dropped)), listed)
        Console().print(table)
        for where, reason in errors.items():
            self._say(f"error in {where}: {reason}; tried again next time")

    def _say(self, text: str) -> None:
        self._console.print(text, style="yellow" if "dropped:" in text else None, markup=False, highlight=False)
