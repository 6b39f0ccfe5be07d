"""The tables of docs/expert.md from the rows of benchmarks/expert.py."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from gauge.core.metrics import wilson

Row = dict
START, END = "<!-- tables: benchmarks/expert.py -->", "<!-- end of tables -->"
NAMES = {"in": "place in", "on": "place on", "open": "open", "close": "close", "turnon": "turn", "turnoff": "turn"}


def rewrite(page: Path, rows: list[Row]) -> None:
    """Replace what stands between the page's marks by the tables of these rows."""
    before, _, rest = page.read_text().partition(START)
    _, _, after = rest.partition(END)
    page.write_text("\n".join([before + START, "", *tables(rows), END + after]))


def tables(rows: list[Row]) -> Iterator[str]:
    """Lines of all tables: those of the newest version of the expert, and older ones by suite alone."""
    newest = max((row["identity"] for row in rows), default="", key=_version)
    for older in sorted({row["identity"] for row in rows} - {newest}, key=_version):
        then = [row for row in rows if row["identity"] == older and not row["moved"]]
        yield from _rates(f"By suite, {older}, before what is described here", "suite", then, lambda row: row["suite"])
    rows = [row for row in rows if row["identity"] == newest]
    plain, moved = ([row for row in rows if row["moved"] is which] for which in (False, True))
    yield from _rates(f"By suite, {newest}", "suite", plain, lambda row: row["suite"])
    yield from _rates("By what the goal asks for", "goal", plain, _asks)
    if moved:
        yield from _rates("Target moved by up to 8 cm in x and y, any yaw", "suite", moved, lambda row: row["suite"])
    yield from _failures(rows)
    for suite in dict.fromkeys(row["suite"] for row in plain):
        here = [row for row in plain if row["suite"] == suite]
        yield from _rates(f"{suite} by task", "task", here, lambda row: row["task"])


def _version(identity: str) -> int:
    """The number in `expert/2`."""
    return int(identity.rpartition("/")[2])


def _asks(row: Row) -> str:
    """The skills that the goal names, each once."""
    return ", ".join(dict.fromkeys(_skill(state) for state in row["goal"]))


def _skill(state: list[str]) -> str:
    """The skill a predicate asks for; on a thing that was itself put down is stacking."""
    loose = state[0] == "on" and not state[-1].endswith(("region", "side"))
    return "stack on" if loose else NAMES[state[0]]


def _rates(title: str, label: str, rows: list[Row], group: Callable[[Row], str]) -> Iterator[str]:
    """A table with a row per group and one for all."""
    yield f"### {title}\n"
    yield f"| {label} | episodes | ever | final | 95% interval of final | median step |"
    yield "|---|---|---|---|---|---|"
    names = sorted({group(row) for row in rows})
    for name, some in [*((name, [row for row in rows if group(row) == name]) for name in names), ("all", rows)]:
        if len(names) > 1 or name != "all":
            yield f"| {name} | {_cells(some)} |"
    yield ""


def _cells(rows: list[Row]) -> str:
    """Episodes, ever, final, Wilson's interval in percent, and the median step at which the goal first held."""
    n, ever, final = len(rows), sum(row["ever"] for row in rows), sum(row["final"] for row in rows)
    low, high = wilson(final, n)
    steps = [row["step"] for row in rows if row["step"] is not None]
    median = str(int(np.median(steps))) if steps else "-"
    return f"{n} | {ever} | {final} | {100 * low:.0f} to {100 * high:.0f}% | {median}"


def _failures(rows: Iterable[Row]) -> Iterator[str]:
    """Every kind of failure: at which skill the episode ended, and what the expert said."""
    kinds = Counter(
        (row["suite"], row["task"], row["moved"], row["last"] or "-", row["status"], row["ever"])
        for row in rows
        if not row["final"]
    )
    yield "### Episodes that failed at the end\n"
    yield "| suite | task | moved | skill at the end | what the expert said | goal held before | episodes |"
    yield "|---|---|---|---|---|---|---|"
    for (suite, task, moved, last, status, ever), count in sorted(kinds.items(), key=lambda kind: kind[0][:4]):
        said = "done" if status == "done" else status.removeprefix("failed: ")
        yield f"| {suite} | {task} | {'yes' if moved else ''} | {last} | {said} | {'yes' if ever else ''} | {count} |"
    yield ""
