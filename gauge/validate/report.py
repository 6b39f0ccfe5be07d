"""The certificates on a terminal: counts per attribute and scenario, then each dropped value with its reason."""

from collections import Counter
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from gauge.perturbations.certificate import Certificate
from gauge.suites import Task


def report(console: Console, found: Sequence[Certificate], scenarios: Sequence[Task]) -> None:
    """Print both tables and the sums."""
    console.print(_counts(found, scenarios))
    for number, task in enumerate(scenarios, 1):
        console.print(f"  {number}  {task.id}", markup=False, highlight=False, soft_wrap=True)
    for line in dropped(found, scenarios):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    verdicts = Counter(one.verdict for one in found)
    criteria = Counter(one.criterion for one in found if one.verdict == "dropped")
    why = ", ".join(f"{number} {name}" for name, number in criteria.most_common())
    console.print(
        f"{len(found)} values x scenarios: {verdicts['kept']} kept, {verdicts['dropped']} dropped"
        + (f" ({why})" if why else "")
        + (f", {verdicts['open']} open" if verdicts["open"] else ""),
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def dropped(found: Sequence[Certificate], scenarios: Sequence[Task]) -> list[str]:
    """A line for each value that is not kept; scenarios with the same reason share it."""
    number = {task.id: index for index, task in enumerate(scenarios, 1)}
    groups: dict[tuple[str, str, str, str], list[int]] = {}
    for one in found:
        if one.verdict != "kept":
            key = (one.attribute, one.value, one.verdict, f"{one.criterion}: {one.reason}")
            groups.setdefault(key, []).append(number[one.scenario])
    return [
        f"{verdict}  {attribute}={value} in {', '.join(map(str, sorted(where)))}: {reason}"
        for (attribute, value, verdict, reason), where in sorted(groups.items(), key=lambda pair: pair[0][0])
    ]


def _counts(found: Sequence[Certificate], scenarios: Sequence[Task]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("values kept in scenario")
    for number in range(1, len(scenarios) + 1):
        table.add_column(str(number), justify="right")
    cells: dict[tuple[str, str], list[str]] = {}
    for one in found:
        cells.setdefault((one.attribute, one.scenario), []).append(one.verdict)
    for attribute in dict.fromkeys(one.attribute for one in found):
        row = [cells.get((attribute, task.id), []) for task in scenarios]
        table.add_row(attribute, *(f"{verdicts.count('kept')}/{len(verdicts)}" for verdicts in row))
    return table
