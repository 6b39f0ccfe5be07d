"""`python -m gauge.suites`: the scenarios of the six capability suites, made from rules."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.command import command, pick
from gauge.errors import GaugeError
from gauge.suites import generate
from gauge.suites.planned import subsuites

if TYPE_CHECKING:
    from gauge.suites.scenario import Scenario

PAGE = Path("docs/certificates.md")
VERBS = {
    "count": "how many scenarios are planned and built, by capability and split",
    "build": "write all files anew from the rules; the same rules give the same files",
    "check": "what is wrong with them, as far as reading can tell",
    "balance": "whether the halves of a capability differ in more than what they diagnose",
    "sample": "names of some that are certified and without fault, drawn from a seed",
    "table": "write the tables of what is certified into a page",
    "gallery": "pictures of how they start and of some solutions, on pages in Markdown",
}


@command()
def main() -> None:
    """Do what the command line says; exit 1 if `check` or `balance` found something, 2 on a user fault."""
    verb = pick("python -m gauge.suites", VERBS)
    if verb == "gallery":
        import_module("gauge.gallery").main()  # it draws with the scenes' renderer, so it lives above
        return
    parser = argparse.ArgumentParser(prog=sys.argv[0], description=f"{VERBS[verb].capitalize()}.")
    if verb in ("build", "check"):
        parser.add_argument("--folder", type=Path, default=generate.FOLDER, help="of the files (default: gauge's own)")
    if verb == "sample":
        parser.add_argument("n", type=int, help="how many, no two with the same layout and goal")
        parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    if verb == "balance":
        parser.add_argument("page", type=Path, nargs="?", help="in Markdown, to write the table into as well")
    if verb == "table":
        parser.add_argument("page", type=Path, nargs="?", default=PAGE, help="in Markdown (default: %(default)s)")
    chosen = parser.parse_args()
    work: dict[str, Callable[[], int]] = {
        "count": count,
        "build": lambda: build(chosen.folder),
        "check": lambda: check(chosen.folder),
        "balance": lambda: show_balance(chosen.page),
        "sample": lambda: sample(chosen.n, chosen.seed),
        "table": lambda: table(chosen.page),
    }
    sys.exit(work[verb]())


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
    from gauge.suites import balance, blind, checks, measured, standing
    from gauge.suites.scenario import Scenario, load_folder

    tasks = [one for one in load_folder(folder, "suites").tasks if isinstance(one, Scenario)]
    found = [*checks.problems(folder), *balance.problems(), *standing.problems(tasks)]
    found += blind.problems(tasks, standing.standing(tasks))
    found += measured.problems(measured.rows(tasks))
    print("\n".join([*found, f"{len(found)} problems"]))
    print("not checked here: " + ", ".join(checks.NOT_RUN))
    return 1 if found else 0


def show_balance(page: Path | None) -> int:
    """Print the covariates of both halves, capability by capability; 1 if some differ that should not."""
    from gauge.suites import balance, measured

    scenarios = _scenarios()
    if page is not None:
        page.write_text(measured.rewrite(_text(page, measured.BEGIN), scenarios), encoding="utf-8")
    certified = measured.rows(scenarios)
    for one in balance.verdicts():
        print(f"{one.capability}: told apart with an area under the curve of {one.auc:.2f}")
        print(f"  {'':<12} {'id':>7} {'ood':>7} {'d':>6}")
        for row in one.rows:
            note = "diagnosed" if row.diagnosed else "" if row.balanced else "!"
            print(f"  {row.name:<12} {row.inside:>7.3f} {row.outside:>7.3f} {row.d:>+6.2f}  {note}".rstrip())
        for seen in (row for row in certified if row.capability == one.capability):
            note = f"{seen.ratio:.2f} times" + (", may differ" if seen.diagnosed else "" if seen.balanced else "!")
            print(f"  {seen.name:<12} {seen.inside:>7.1f} {seen.outside:>7.1f} {seen.d:>+6.2f}  {note}")
    found = len([*balance.problems(), *measured.problems(certified)])
    bounds = f"|d| above {balance.MOST_D}, an area above {balance.MOST_AUC}, steps above {measured.MOST_RATIO} times"
    print(f"{found} out of balance ({bounds})")
    return 1 if found else 0


def sample(n: int, seed: int) -> int:
    """Print the names, as `suite.tasks=[...]` takes them.

    Raises:
        GaugeError: so many are not certified.
    """
    from gauge.suites import standing

    print(",".join(one.id for one in standing.sample(_scenarios(), n, seed)))
    return 0


def table(page: Path) -> int:
    """Write the tables of what is certified between the marks of the page.

    Raises:
        GaugeError: there is no such page, or it has no marks.
    """
    from gauge.suites import standing

    scenarios = _scenarios()
    page.write_text(standing.rewrite(_text(page, standing.BEGIN), scenarios), encoding="utf-8")
    print(f"{len(standing.standing(scenarios))} certificates of {len(scenarios)} scenarios in {page}")
    return 0


def _text(page: Path, begin: str) -> str:
    if not page.is_file():
        raise GaugeError(f"{page} is no file; name a page that has the line {begin}")
    return page.read_text(encoding="utf-8")


def _scenarios() -> "list[Scenario]":
    from gauge.suites import capability
    from gauge.suites.scenario import Scenario

    return [one for one in capability.load("all", capability.ALL, None).tasks if isinstance(one, Scenario)]
