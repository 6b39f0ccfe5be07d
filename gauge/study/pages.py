"""What people read of a stage: sections of text and tables, as Markdown and on the terminal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table

UNKNOWN = "not evaluated"


@dataclass(frozen=True)
class Section:
    """A titled table of text, with sentences below it.

    Attributes:
        title: heading.
        table: columns of text, already formatted; None for sentences alone.
        lines: what else to know.
    """

    title: str
    table: pd.DataFrame | None = None
    lines: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """What a stage found.

    Attributes:
        tables: everything, for `result.json` and CSV files.
        sections: what people read.
        figures: matplotlib figures by name.
    """

    tables: Mapping[str, pd.DataFrame]
    sections: Sequence[Section]
    figures: Mapping[str, Any] = field(default_factory=dict)


def percent(value: Any, decimals: int = 1) -> str:
    """A share of 1 as percent."""
    return UNKNOWN if pd.isna(value) else f"{100 * float(value):.{decimals}f}%"


def number(value: Any, decimals: int = 1, unknown: str = UNKNOWN) -> str:
    """A number with so many decimals."""
    return unknown if pd.isna(value) else f"{float(value):.{decimals}f}"


def span(low: Any, high: Any, scale: float = 1.0) -> str:
    """An interval; empty where there is none."""
    return "" if pd.isna(low) or pd.isna(high) else f"[{scale * float(low):.1f}, {scale * float(high):.1f}]"


def texts(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pd.DataFrame:
    """A table of text for a `Section`."""
    return pd.DataFrame([[str(value) for value in row] for row in rows], columns=list(columns), dtype=object)


def markdown(title: str, sections: Iterable[Section], figures: Iterable[str] = ()) -> str:
    """One page."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        if section.table is not None:
            parts.append(_pipes(section.table))
        parts += section.lines
    parts += [f"![{name}]({name}.png)" for name in figures]
    return "\n\n".join(parts) + "\n"


def _pipes(table: pd.DataFrame) -> str:
    rows = [list(table.columns), ["-"] * len(table.columns), *table.values.tolist()]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows)


def show(console: Console, section: Section, most: int = 40) -> None:
    """Print a section; of a long table the first rows."""
    if section.table is not None:
        table = Table(title=section.title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
        for name in section.table.columns:
            table.add_column(str(name), overflow="fold")
        for row in section.table.head(most).values.tolist():
            table.add_row(*map(str, row))
        console.print(table)
        if len(section.table) > most:
            console.print(f"{len(section.table) - most} more rows in the stage's summary.md", style="dim")
    else:
        console.print(section.title, style="bold")
    for line in section.lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
