"""Questions to the records: which episodes there are, what is left to do, how each cell did."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gauge.core.metrics import Rate
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError, unknown
from gauge.records.fingerprint import NUMERICS
from gauge.records.lines import COLUMNS, EVERY
from gauge.records.load import Catalogue, CellInfo, Planned

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

Key = tuple[str, int]

_RATES = """
SELECT {keys},
    count(*) FILTER (status <> 'error') AS n,
    count(*) FILTER (status = 'success') AS successes,
    count(*) FILTER (status = 'error') AS errors,
    avg(success_step) FILTER (status = 'success') AS mean_steps_success,
    count(*) FILTER (unseen) AS unseen
FROM episodes GROUP BY {keys} ORDER BY {keys}
"""
# Error records are tries, not results: only a second success or fail of an episode is a duplicate.
_REPEATED = """
SELECT cell_id, scenario_id, rollout, count(*) AS surplus,
    list_sort(list_distinct(list_append(list(surplus.status), any_value(episodes.status)))) AS statuses
FROM surplus JOIN episodes USING (cell_id, scenario_id, rollout) WHERE surplus.status <> 'error'
GROUP BY cell_id, scenario_id, rollout ORDER BY cell_id, scenario_id, rollout
"""
_WORST = """
SELECT cell_id, scenario_id AS worst_task, rate AS worst_rate FROM (
    SELECT cell_id, scenario_id, avg(CAST(status = 'success' AS INTEGER)) AS rate
    FROM episodes WHERE status <> 'error' GROUP BY cell_id, scenario_id)
QUALIFY row_number() OVER (PARTITION BY cell_id ORDER BY rate, scenario_id) = 1
"""
_DAMAGED = "SELECT cell_id, lines FROM damaged"
_VERSIONS = f"""
SELECT cell_id, {", ".join(f"string_agg(DISTINCT {name}, ' and ' ORDER BY {name}) AS {name}" for name in NUMERICS)}
FROM (SELECT DISTINCT cell_id, {", ".join(NUMERICS)} FROM episodes WHERE status <> 'error') GROUP BY cell_id
"""
_COUNTED = ("success_step", "unseen")
_SHOWN = ("cell_id", "model", "suite", "branch", "label", "attribute", "value")


class Conflict(NamedTuple):
    """One episode with both a success and a fail on record: the evaluation is not deterministic."""

    scenario_id: str
    rollout: int
    statuses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellState:
    """What is known of one cell; read before it is evaluated or continued.

    Attributes:
        records: (scenario, rollout) to the record that counts; an error is the last attempt.
        damaged: lines that are not a record of this cell.
        duplicates: success or fail records beyond the first of their episode.
        conflicts: episodes whose success or fail records disagree.
    """

    records: dict[Key, EpisodeRecord]
    damaged: int
    duplicates: int
    conflicts: list[Conflict]


def cell_state(cell_dir: Path) -> CellState:
    """The state of the cell in `cell_dir`, empty when it was never evaluated.

    Raises:
        GaugeError: the folder or its `cell.json` is missing or damaged.
    """
    state = CellState({}, 0, 0, [])
    for con in Catalogue.among([cell_dir]).tables(["raw"]):
        rows = con.execute("SELECT raw FROM episodes ORDER BY scenario_id, rollout").fetchall()
        records = [EpisodeRecord.from_json(json.loads(raw)) for (raw,) in rows]
        repeated = con.execute(_REPEATED).fetchall()
        damaged = sum(lines for _, lines in con.execute("SELECT * FROM damaged").fetchall())
        state = CellState(
            records={record.key: record for record in records},
            damaged=damaged,
            duplicates=sum(surplus for *_, surplus, _ in repeated),
            conflicts=[Conflict(name, rollout, tuple(s)) for _, name, rollout, _, s in repeated if len(s) > 1],
        )
    return state


def episodes(root: Path, cell_id: str | None = None) -> "pd.DataFrame":
    """One row per episode (cell_id, scenario_id, rollout) below `root`, a study's or a cell's folder.

    Columns are the fields of `EpisodeRecord` (`wall_s`, `items` and `fingerprint` as JSON text) and, out of the
    fingerprint, `NUMERICS`. Of several records of an episode the one that `cell_state` gives counts.

    Raises:
        GaugeError: there is no such folder, cell or not a single episode.
    """
    columns = [*COLUMNS, *NUMERICS]
    query = f"SELECT {', '.join(columns)} FROM episodes"
    found = [con.execute(query).df() for con in _known(root, cell_id).tables(columns, cell_ids=_only(cell_id))]
    return _some(_joined(found), root).sort_values(["cell_id", "scenario_id", "rollout"], ignore_index=True)


def by_task(root: Path, cell_id: str | None = None, planned: Planned | None = None) -> "pd.DataFrame":
    """One row per (cell_id, scenario_id), of `planned` episodes only where that is given.

    Columns: n (evaluated), successes, errors, rate, low, high (95% Wilson), mean_steps_success.

    Raises:
        GaugeError: there is no such folder, cell or not a single episode.
    """
    steps = _known(root, cell_id).tables(_COUNTED, planned, _only(cell_id))
    found = _joined([_rates(con, "cell_id, scenario_id") for con in steps])
    return _some(found, root).sort_values(["cell_id", "scenario_id"], ignore_index=True)


def summary(root: Path, cell_ids: Sequence[str] | None = None, planned: Planned | None = None) -> "pd.DataFrame":
    """One row per cell, in the order of model, suite, branch, attribute (clean first) and value.

    Only `planned` episodes count where that is given.

    Columns: those of `CellInfo` but the folder; n, successes, errors, rate, low, high (95% Wilson),
    mean_steps_success; unseen (episodes whose image perturbation the policy never looked at);
    worst_task and worst_rate (lowest rate of a scenario); damaged, duplicates and conflicts
    (see `CellState`); and `NUMERICS`, joined by " and " where a cell mixes several. A cell without episodes has
    n = 0 and an empty rate.

    Raises:
        GaugeError: there is no such folder or cell, or not a single episode.
    """
    import pandas as pd

    catalogue = _known(root, *(cell_ids or []))
    steps = [_look(con) for con in catalogue.tables([*_COUNTED, *NUMERICS], planned, cell_ids)]
    counted, worst, repeated, damaged, versions = map(_joined, zip(*steps, strict=True)) if steps else [_joined([])] * 5
    _some(counted, root)
    wanted = sorted((info for info in catalogue.cells if cell_ids is None or info.cell_id in cell_ids), key=_order)
    frame = pd.DataFrame([{name: getattr(info, name) for name in _SHOWN} for info in wanted]).drop_duplicates("cell_id")
    for part in (counted, worst):
        frame = frame.merge(part, on="cell_id", how="left")
    several = repeated[repeated.statuses.map(len) > 1]
    frame["damaged"] = frame.cell_id.map(damaged.set_index("cell_id").lines)
    frame["duplicates"] = frame.cell_id.map(repeated.groupby("cell_id").surplus.sum())
    frame["conflicts"] = frame.cell_id.map(several.groupby("cell_id").size())
    counts = ["n", "successes", "errors", "unseen", "damaged", "duplicates", "conflicts"]
    frame[counts] = frame[counts].fillna(0).astype(int)
    return frame.merge(versions, on="cell_id", how="left")


def ask(root: Path, query: str) -> "pd.DataFrame":
    """The answer to a DuckDB query over `episodes` (see there; only the columns it names are read) and `cells`.

    `cells` has the fields of `CellInfo`, `value` as text. Unlike for the other functions, all of it is in memory.

    Raises:
        GaugeError: there is no such folder or no record, or the query cannot be answered.
    """
    import duckdb
    import pandas as pd

    catalogue = Catalogue.of(root)
    words = set(re.findall(r"\w+", query))
    every = re.search(r"(?<!\()\*", query) is not None
    fields = [name for name in EVERY if name in words or (every and name not in ("raw", "unseen"))]
    cells = pd.DataFrame([{name: getattr(info, name) for name in _SHOWN} for info in catalogue.cells])
    cells = cells.astype(object).where(cells.notna(), None).astype({"value": "string"})
    for con in catalogue.tables(fields, most=sys.maxsize):
        con.register("cells", cells.drop_duplicates("cell_id"))
        try:
            return con.execute(query).df()
        except duckdb.Error as error:
            raise GaugeError(f"{query!r} cannot be answered: {error}") from error
    return _some(pd.DataFrame(), root)


def check_fingerprints(cell_dir: Path, current: Mapping[str, str]) -> None:
    """Make sure that results with the fingerprint `current` may be added to those stored in `cell_dir`.

    Raises:
        GaugeError: a stored result has another version of one of `NUMERICS`; a field it lacks is not compared.
    """
    for con in Catalogue.among([cell_dir]).tables(NUMERICS):
        for name in NUMERICS:
            query = f"SELECT DISTINCT {name} FROM episodes WHERE status <> 'error' AND {name} <> '' ORDER BY {name}"
            found = [value for (value,) in con.execute(query).fetchall()]
            versions = list(dict.fromkeys([*found, *filter(None, [current.get(name)])]))
            if len(versions) > 1:
                raise GaugeError(
                    f"{cell_dir.name} would mix results of {name} {versions[0]} and {name} {versions[1]}, which may "
                    f"differ by that alone; go back to {name} {versions[0]}, or evaluate anew under another study= name"
                )


def _known(root: Path, *cell_ids: str | None) -> Catalogue:
    """All cells below `root`, among them the named ones."""
    catalogue = Catalogue.of(root)
    ids = {info.cell_id for info in catalogue.cells}
    for cell_id in cell_ids:
        if cell_id and cell_id not in ids:
            raise unknown("cell", cell_id, sorted(ids))
    return catalogue


def _only(cell_id: str | None) -> list[str] | None:
    return [cell_id] if cell_id else None


def _look(con: "DuckDBPyConnection") -> "list[pd.DataFrame]":
    """What `summary` asks of some cells: counts, worst task, repeated episodes, damaged lines, versions."""
    return [_rates(con, "cell_id"), *(con.execute(query).df() for query in (_WORST, _REPEATED, _DAMAGED, _VERSIONS))]


def _joined(frames: "Sequence[pd.DataFrame]") -> "pd.DataFrame":
    import pandas as pd

    some = [frame for frame in frames if len(frame)] or frames[:1]  # empty columns have no type of their own
    return pd.concat(some, ignore_index=True) if some else pd.DataFrame()


def _rates(con: "DuckDBPyConnection", keys: str) -> "pd.DataFrame":
    frame = con.execute(_RATES.format(keys=keys)).df()
    counts = list(zip(frame.successes, frame.n, strict=True))
    intervals = {pair: Rate(*map(int, pair)).interval for pair in set(counts)}  # thousands of cells share few counts
    frame["rate"] = frame.successes / frame.n
    frame["low"] = [intervals[pair].low for pair in counts]
    frame["high"] = [intervals[pair].high for pair in counts]
    return frame


def _order(info: CellInfo) -> tuple[Any, ...]:
    text = isinstance(info.value, str)
    number = info.value if isinstance(info.value, int | float) else 0.0
    several = not info.attribute and info.label != "clean"
    return info.model, info.suite, info.branch, several, info.attribute, text, number, info.label


def _some(frame: "pd.DataFrame", root: Path) -> "pd.DataFrame":
    if frame.empty:
        raise GaugeError(f"{root} holds no evaluated episode yet; run the evaluation first, or look at its log.txt")
    return frame
