"""Tables for people: each rate with its interval, the worst task named, errors apart from failures."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gauge.core.metrics import Rate
from gauge.records.fingerprint import NUMERICS
from gauge.records.load import Planned
from gauge.records.query import by_task, summary

if TYPE_CHECKING:
    import pandas as pd


def cell_report(cell_dir: Path, planned: Planned | None = None) -> RenderableType:
    """What a run prints at its end: a row per task, the total, the worst task, and what to know about the records.

    Raises:
        GaugeError: the folder holds no cell or no episode.
    """
    cell = summary(cell_dir, planned=planned)
    row = cell.iloc[0]
    title = " ".join([row.model, row.suite, row.label, *([row.branch] if row.branch != "none" else [])])
    return Group(cell_table(by_task(cell_dir, planned=planned), title), *_lines(notes(cell, planned)))


def cell_table(tasks: "pd.DataFrame", title: str) -> Table:
    """The tasks of one cell (see `by_task`), a row each, and their total."""
    table = _table("Task", "Success", "95% interval", "Episodes", "Steps", "Errors", title=title)
    for row in _rows(tasks):
        name = row.scenario_id.rpartition("/")[2].replace("_", " ")  # the title names the suite
        table.add_row(*_cells(name, _rate(row), row.mean_steps_success))
    total = Rate(int(tasks.successes.sum()), int(tasks.n.sum()), int(tasks.errors.sum()))
    timed = tasks[tasks.mean_steps_success.notna()]  # nothing moves in a synthetic episode
    steps = (timed.mean_steps_success * timed.successes).sum() / timed.successes.sum() if len(timed) else math.nan
    table.add_section()
    table.add_row(*_cells("all tasks", total, steps), style="bold")
    return table


def sweep_tables(cells: "pd.DataFrame", markdown: bool = False) -> list[Table]:
    """The cells of a sweep (see `summary`): a table per model, suite and branch, a row per cell in the frame's order.

    `Lowest` is the rate of the cell's worst task.
    """
    tables = []
    for names, group in cells.groupby(["model", "suite", "branch"], sort=False):
        title = " ".join(str(name) for name in names if name != "none")
        table = _table("Perturbation", "Success", "95% interval", "Episodes", "Lowest", "Errors", title=title)
        if markdown:
            table.box, table.padding, table.pad_edge = box.MARKDOWN, (0, 1), True
        for row in _rows(group):
            name, rate, interval, count, _, errors = _cells(row.label, _rate(row), math.nan)
            table.add_row(name, rate, interval, count, Text(f"{row.worst_rate:.1%}" if row.n else "-"), errors)
        tables.append(table)
    return tables


def notes(cells: "pd.DataFrame", planned: Planned | None = None) -> list[str]:
    """Sentences on what the numbers of `cells` (see `summary`) do not show; empty when all is well.

    Args:
        cells: one row per cell.
        planned: the episodes that every cell should hold; without it the fullest cell sets the measure.
    """
    found = list(_worst(cells))
    if blind := sorted(set(cells[cells.unseen > 0].model)):
        found.append(f"{', '.join(blind)} looks at no image: an image perturbation cannot reach it.")
    if errors := int(cells.errors.sum()):
        found.append(f"{errors} episodes ended in an error; they count neither as success nor as failure.")
    fullest = int((cells.n + cells.errors).max())
    for row in _rows(cells):
        expected = planned.episodes(row.suite, row.cell_id) if planned else fullest
        if row.n < expected:
            again = "run the same command again"
            found.append(f"Unfinished: {row.label}, {row.n} of {expected} episodes evaluated; {again}.")
    left_out = dict(planned.left_out) if planned else {}
    for row in _rows(cells[cells.cell_id.isin(left_out)]):
        found.append(f"Not applicable: {row.label} makes no sense in {left_out[row.cell_id]} task(s); the rest counts.")
    for row in _rows(cells[cells.conflicts > 0]):
        found.append(
            f"Not deterministic: {row.conflicts} episodes of {row.label} are on record with both results; "
            "the earlier one counts."
        )
    if duplicates := int(cells.duplicates.sum()):
        found.append(f"{duplicates} episodes were evaluated more than once; the earlier result counts.")
    for row in _rows(cells[cells.damaged > 0]):
        found.append(f"{row.damaged} damaged lines in {row.label} were left out; the same command evaluates them anew.")
    for name in NUMERICS:
        versions = sorted({version for value in cells[name].dropna() for version in value.split(" and ")})
        if len(versions) > 1:
            found.append(f"Results come from different {name} ({', '.join(versions)}): rates may differ by that alone.")
    return found


def text(renderable: RenderableType, width: int = 80) -> str:
    """What a file gets: plain characters, `width` wide, no colour."""
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(renderable)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _worst(cells: "pd.DataFrame") -> Iterable[str]:
    """The task with the lowest rate of all, when an average hides it."""
    hidden = cells[cells.worst_rate < cells.rate].sort_values("worst_rate", kind="stable").head(1)
    for row in _rows(hidden):
        where = f" ({row.label})" if len(cells) > 1 else ""
        yield f"Worst task: {row.worst_task} at {row.worst_rate:.1%}{where}."


def _table(name: str, *numbers: str, title: str) -> Table:
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(name, overflow="fold")
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    return table


def _rows(frame: "pd.DataFrame") -> Iterable[Any]:
    """The rows as named tuples, whose fields no type checker knows."""
    return frame.itertuples()


def _rate(row: Any) -> Rate:
    return Rate(int(row.successes), int(row.n), int(row.errors))


def _cells(name: str, rate: Rate, steps: float) -> tuple[Text, ...]:
    """Name, success, interval, episodes, mean steps to success, errors."""
    if rate.rate is None:
        shown = "-", str(rate), "0", "-"
    else:
        low, high = rate.interval
        mean = "-" if math.isnan(steps) else f"{steps:.0f}"
        shown = f"{rate.rate:.1%}", f"[{100 * low:.1f}, {100 * high:.1f}]", f"{rate.successes}/{rate.n}", mean
    return Text(name), *(Text(part) for part in shown), Text(str(rate.errors))


def _lines(sentences: list[str]) -> list[Text]:
    return [Text(sentence) for sentence in sentences]
