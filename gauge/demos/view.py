"""What a person sees while demonstrations are recorded: a bar, or plain lines in a log, and a table at the end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Self

from rich import box
from rich.console import Console
from rich.table import Table

from gauge.bar import Bar
from gauge.demos.selection import Outcome
from gauge.demos.store import DemoSet
from gauge.suites.libero import Task


class View:
    """Counts the demonstrations of a set as they come."""

    def __init__(self, demo_set: DemoSet, tasks: Sequence[Task], shown: bool) -> None:
        self._set, self._tasks = demo_set, [task.name for task in tasks]
        found = {name: demo_set.selection(name) for name in self._tasks}
        self._kept = {name: len(one.kept) for name, one in found.items()}
        self._dropped = {name: len(one.dropped) for name, one in found.items()}
        wanted = demo_set.n * len(tasks)
        self._bar = Bar(str(demo_set.folder), wanted, shown, sum(self._kept.values()), self._text())

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self._bar.__exit__(*ended)

    def add(self, task: str, index: int, outcome: Outcome) -> None:
        """Count one tried episode; a detour shows only beside the others of its task."""
        found = self._set.selection(task)
        self._kept[task], self._dropped[task] = len(found.kept), len(found.dropped)
        if outcome.measure is None:
            self._bar.say(f"{task} episode {index} dropped: {outcome.reason}", "yellow")
        self._bar.update(sum(self._kept.values()), self._text())

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
            self._bar.say(f"error in {where}: {reason}; tried again next time")

    def _text(self) -> str:
        return f"kept, {sum(self._dropped.values())} dropped"
