"""The report of a sweep: tables for machines, a table for people, a plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from gauge.records.load import Planned
from gauge.records.query import by_task, summary
from gauge.report.plot import plot_sweep
from gauge.report.table import notes, sweep_tables, text

if TYPE_CHECKING:
    import pandas as pd


def sweep_report(cells: "pd.DataFrame", planned: Planned | None = None) -> RenderableType:
    """What a sweep prints at its end: its tables (see `summary`) and what to know about the records."""
    return Group(*sweep_tables(cells), *(Text(note) for note in notes(cells, planned)))


def write_sweep_report(
    root: Path, cell_ids: Sequence[str] | None, out_dir: Path, planned: Planned | None = None
) -> list[Path]:
    """Write `table.csv`, `tasks.csv`, `table.md` and, where one perturbation was swept, `plot.png`; return the paths.

    Args:
        root: the study's folder.
        cell_ids: the cells of the sweep; None for all in the folder.
        out_dir: made when missing; files of an earlier report are replaced.
        planned: the episodes of the sweep: no others count, and cells that lack some are named.

    Raises:
        GaugeError: there is no such folder or cell, or not a single episode.
    """
    cells = summary(root, cell_ids, planned)
    out_dir.mkdir(parents=True, exist_ok=True)
    csv, tasks, markdown, plot = (out_dir / name for name in ("table.csv", "tasks.csv", "table.md", "plot.png"))
    cells.to_csv(csv, index=False)
    by_task(root, planned=planned).loc[lambda frame: frame.cell_id.isin(cells.cell_id)].to_csv(tasks, index=False)
    tables = [text(table, width=200).strip() for table in sweep_tables(cells, markdown=True)]
    listed = "\n".join(f"- {note}" for note in notes(cells, planned))
    markdown.write_text("\n\n".join([*tables, listed]).strip() + "\n", encoding="utf-8")
    if cells[(cells.n > 0) & (cells.attribute != "")].empty:
        plot.unlink(missing_ok=True)
        return [csv, tasks, markdown]
    plot_sweep(cells, plot)
    return [csv, tasks, markdown, plot]
