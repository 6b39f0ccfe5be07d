"""`python -m gauge.reproduce`: the paper's aggregates and counts, recomputed; exit code 1 if anything is off."""

import argparse
import sys

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gauge.command import command


@command()
def main() -> None:
    """Print paper, ours and difference of every aggregate, then the counts and the structure of the screening."""
    parser = argparse.ArgumentParser(
        prog="gauge reproduce",
        description="Recompute every aggregate of VLA-GAUGE's Tables I, II and IV from its printed numbers, and its "
        "counts and screening structure on synthetic policies. Exit code 1 if anything is off.",
    )
    parser.add_argument("--seed", type=int, default=0, help="root seed of the synthetic study (default: 0)")
    parser.add_argument("--brief", action="store_true", help="print only what is off, and the summary")
    options = parser.parse_args()
    sys.exit(report(Console(), options.seed, options.brief))


def report(console: Console, seed: int = 0, brief: bool = False) -> int:
    """Print all checks; 0 when all hold, otherwise 1."""
    from gauge.protocol import golden, paper_study  # half a second of imports that --help does not need

    tables = golden.table_checks()
    study = paper_study.run(seed)
    counts, structure = golden.count_checks(study), golden.structure_checks(study)
    for name, rows in tables.groupby("table", sort=True):
        shown = rows[~rows.ok] if brief else rows
        if len(shown):
            console.print(_numbers(f"Table {name} (percent)", shown, "{:.1f}", "{:.2f}"))
    for title, rows in (("Counts (synthetic study)", counts), ("Statements", structure)):
        shown = rows[~rows.ok] if brief else rows
        if len(shown):
            console.print(_numbers(title, shown, "{:,.0f}", "{:,.0f}") if rows is counts else _texts(title, shown))
    done = sum(int(frame.ok.sum()) for frame in (tables, counts, structure))
    total = len(tables) + len(counts) + len(structure)
    console.print(_split_note(), soft_wrap=False)
    console.print(Text(f"{done} of {total} checks hold.", style="green" if done == total else "red"))
    return 0 if done == total else 1


def _split_note() -> Text:
    from gauge.protocol.golden import DIGIT, split_check

    found = split_check()
    differ = (found.printed - found.derived).abs() > DIGIT
    return Text(
        f"Note: with the inferred split sizes, {int(differ.sum())} of the {len(found)} values of Table I differ from "
        f"what Table II gives, and {int((~found.possible).sum())} lie outside both of their parts, so no split gives "
        "them. No check rests on this."
    )


def _numbers(title: str, rows: "object", printed: str, ours: str) -> Table:
    table = _table(title, "Paper", "Ours", "Difference", "Within")
    for row in rows.itertuples():  # type: ignore[attr-defined]
        cells = (
            printed.format(row.paper),
            ours.format(row.ours),
            f"{row.difference:+.2f}",
            _mark(row.ok, row.tolerance),
        )
        table.add_row(row.what, *cells, style=None if row.ok else "red")
    return table


def _texts(title: str, rows: "object") -> Table:
    table = _table(title, "Paper", "Ours", "Same")
    for row in rows.itertuples():  # type: ignore[attr-defined]
        table.add_row(row.what, row.paper, row.ours, "yes" if row.ok else "NO", style=None if row.ok else "red")
    return table


def _mark(ok: bool, tolerance: float) -> str:
    return f"{tolerance:g}" if ok else f"NOT {tolerance:g}"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(name, justify="right")
    return table


if __name__ == "__main__":
    main()
