"""How many of the episodes that jobs are to evaluate are on record."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError
from gauge.jobs.ledger import CellPart
from gauge.records.load import results

_COUNTS = """
SELECT wanted.folder, count(*) FILTER (status <> 'error'), count(*) FILTER (status = 'success'),
    count(*) FILTER (status = 'error')
FROM episodes JOIN wanted USING (cell_id)
WHERE list_contains(wanted.scenarios, scenario_id) AND rollout < wanted.rollouts
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
    found: dict[str, Counts] = {}
    for study in sorted({Path(part.folder).parent for part in wanted}):
        own = [part for part in wanted if Path(part.folder).parent == study]
        with results(study) as (con, _):
            con.execute("CREATE TABLE wanted (folder VARCHAR, cell_id VARCHAR, scenarios VARCHAR[], rollouts BIGINT)")
            rows = [(part.folder, part.cell_id, list(part.scenarios), part.rollouts) for part in own]
            con.executemany("INSERT INTO wanted VALUES (?, ?, ?, ?)", rows)
            found |= {folder: Counts(*numbers) for folder, *numbers in con.execute(_COUNTS).fetchall()}
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
