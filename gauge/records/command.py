"""`python -m gauge.records compact|query`: the records of a study in fewer and faster files, and questions to them."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.command import command

if TYPE_CHECKING:
    from gauge.records.compact import Done

EXAMPLE = """examples:
  python -m gauge.records compact outputs/main
  python -m gauge.records compact outputs/main --remove
  python -m gauge.records query outputs/main "SELECT status, avg(steps) FROM episodes GROUP BY status"
  python -m gauge.records query outputs/main "SELECT * FROM episodes WHERE status = 'error'" --csv > errors.csv

The table cells has cell_id, model, suite, branch, label, attribute and value. Compacted records count as before, in
every command; new ones are added beside them. The record files that they were made from stay until --remove. A cell
that is being evaluated is left alone, and so is a file with damaged lines."""


@command()
def main() -> None:
    """Hand over to the verb; faults are one sentence."""
    parser = argparse.ArgumentParser(
        prog="python -m gauge.records",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", metavar="compact|query", required=True)
    packing = verbs.add_parser("compact", help="put a study's record files into Parquet files, 128 MB of them in each")
    packing.add_argument("folder", type=Path, help="of a study")
    packing.add_argument("--remove", action="store_true", help="then remove the record files that are compacted")
    asking = verbs.add_parser("query", help="DuckDB's SQL over the tables `episodes` and `cells`")
    asking.add_argument("folder", type=Path, help="of a study or a cell")
    asking.add_argument("sql", help='e.g. "SELECT status, count(*) FROM episodes GROUP BY status"')
    asking.add_argument("--csv", action="store_true", help="every row, for machines")
    typed = parser.parse_args()
    if typed.verb == "query":
        from gauge.records.query import ask

        answer = ask(typed.folder, typed.sql)
        print(answer.to_csv(index=False).strip() if typed.csv else answer.to_string(index=False, max_rows=40))
        return
    from gauge.records.compact import compact

    print("\n".join(said(compact(typed.folder, typed.remove), typed.folder)))


def said(done: "Done", folder: Path) -> Sequence[str]:
    """What a compaction did, for people."""
    from gauge.records.shelf import PARTS

    size = sum(path.stat().st_size for path in done.parts) / 2**20
    into = f" into {_count(len(done.parts), 'file')} of {size:.1f} MB in {folder / PARTS}" if done.parts else ""
    lines = [f"compacted {_count(done.records, 'record')} of {_count(done.files, 'new record file')}{into}"]
    if done.removed:
        lines.append(f"removed {_count(done.removed, 'record file')}")
    if done.kept:
        lines.append(f"kept {_count(done.kept, 'record file')} with damaged lines")
    if done.busy:
        more = f" and {len(done.busy) - 5} more" if len(done.busy) > 5 else ""
        lines.append(f"left alone what is being evaluated: {', '.join(done.busy[:5])}{more}")
    return lines


def _count(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
