"""`python -m gauge.suites`: the scenarios of the six capability suites, made from rules."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gauge.command import command
from gauge.suites import generate
from gauge.suites.planned import subsuites

EXAMPLE = """examples:
  python -m gauge.suites count      how many scenarios are planned and built, by capability and split
  python -m gauge.suites build      write all files anew from the rules; the same rules give the same files
  python -m gauge.suites check      what is wrong with them, as far as reading can tell
  python -m gauge.suites balance    whether the halves of a capability differ in more than what they diagnose
"""


@command()
def main() -> None:
    """Do what the command line says; exit 1 if `check` or `balance` found something, 2 on a user fault."""
    parser = argparse.ArgumentParser(
        prog="python -m gauge.suites",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("verb", choices=("count", "build", "check", "balance"), help="what to do")
    parser.add_argument("--folder", type=Path, default=generate.FOLDER, help="of the files (default: gauge's own)")
    chosen = parser.parse_args()
    work: dict[str, Callable[[], int]] = {
        "count": count,
        "build": partial(build, chosen.folder),
        "check": partial(check, chosen.folder),
    }
    work["balance"] = show_balance
    sys.exit(work[chosen.verb]())


def count() -> int:
    """The table of the twelve subsuites, and which groups have no rules yet."""
    built = Counter((one.about.capability, one.about.split, one.about.group) for one in generate.made())
    rows = list(subsuites(built))
    print(f"{'capability':<20} {'split':<5} {'planned':>7} {'built':>5}  groups not built yet")
    for row in rows:
        print(f"{row.capability:<20} {row.split:<5} {row.total:>7} {row.done:>5}  {' '.join(row.missing)}".rstrip())
    print(f"{'all':<26} {sum(row.total for row in rows):>7} {sum(row.done for row in rows):>5}")
    return 0


def build(folder: Path) -> int:
    """Write the files."""
    print(f"{generate.build(folder)} scenarios in {folder}")
    return 0


def check(folder: Path) -> int:
    """Print every problem; 1 if there is one."""
    from gauge.suites import balance, checks

    found = [*checks.problems(folder), *balance.problems()]
    print("\n".join([*found, f"{len(found)} problems"]))
    print("not checked here: " + ", ".join(checks.NOT_RUN))
    return 1 if found else 0


def show_balance() -> int:
    """Print the covariates of both halves, capability by capability; 1 if some differ that should not."""
    from gauge.suites import balance

    for one in balance.verdicts():
        print(f"{one.capability}: told apart with an area under the curve of {one.auc:.2f}")
        print(f"  {'':<12} {'id':>7} {'ood':>7} {'d':>6}")
        for row in one.rows:
            note = "diagnosed" if row.diagnosed else "" if row.balanced else "!"
            print(f"  {row.name:<12} {row.inside:>7.3f} {row.outside:>7.3f} {row.d:>+6.2f}  {note}".rstrip())
    found = len(list(balance.problems()))
    print(f"{found} out of balance (|d| above {balance.MOST_D}, or an area above {balance.MOST_AUC})")
    return 1 if found else 0
