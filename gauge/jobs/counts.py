"""How many of the episodes that jobs are to evaluate are on record."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError
from gauge.jobs.ledger import CellPart
from gauge.records.load import Catalogue

_COUNTS = """
SELECT wanted.folder, count(*) FILTER (status <> 'error'), count(*) FILTER (status = 'success'),
    count(*) FILTER (status = 'error')
FROM episodes JOIN wanted USING (cell_id) JOIN lists USING (list, scenario_id)
WHERE rollout < wanted.rollouts
GROUP BY wanted.folder
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """Episodes by outcome; `evaluated` are the successes and fails."""

    evaluated: int = 0
    successes: int = 0
    errors: int = 0


def count(parts: Iterable[CellPart]) -> dict[str, Counts]:
    """Counts by folder of the cell; a cell without records has none.

    Raises:
        GaugeError: a description of a cell or the record files cannot be read.
    """
    wanted = [part for part in parts if (Path(part.folder) / "cell.json").is_file()]
    folders = list(dict.fromkeys(Path(part.folder) for part in wanted))
    numbers: dict[tuple[str, ...], int] = {}  # many cells share one list of scenarios
    rows = [(p.folder, p.cell_id, numbers.setdefault(p.scenarios, len(numbers)), p.rollouts) for p in wanted]
    pairs = [(number, scenario) for scenarios, number in numbers.items() for scenario in scenarios]
    found: dict[str, Counts] = {}
    for con in Catalogue.among(folders).tables():
        for name, columns in (("wanted(folder, cell_id, list, rollouts)", rows), ("lists(list, scenario_id)", pairs)):
            values = ", ".join(["unnest(?)"] * len(columns[0]))
            con.execute(
                f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT {values}", list(map(list, zip(*columns, strict=True)))
            )
        found |= {folder: Counts(*counts) for folder, *counts in con.execute(_COUNTS).fetchall()}
    return found


def tail(path: Path, lines: int = 5) -> list[str]:
    """The last lines of a log that are not empty; none if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip()][-lines:]


def log_of(folder: str, log: str) -> Path:
    """What a job last wrote: the cell's own log if it came that far, else what the scheduler caught.

    Raises:
        GaugeError: the job has neither.
    """
    for path in (Path(folder) / "log.txt", Path(log)):
        if path.is_file():
            return path
    raise GaugeError(f"{folder} holds no log")
