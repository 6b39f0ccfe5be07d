"""Questions to the records: which episodes there are, what is left to do, how each cell did."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gauge.core.metrics import Rate
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError, unknown
from gauge.records.fingerprint import NUMERICS
from gauge.records.load import COLUMNS, CellInfo, Planned, read_info, results
from gauge.records.store import EPISODE_FILES

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
    count(*) FILTER (list_contains(raw -> '$.items[*].seen_by_policy', 'false')) AS unseen
FROM episodes GROUP BY {keys} ORDER BY {keys}
"""
# Error records are tries, not results: only a second success or fail of an episode is a duplicate.
_REPEATED = """
SELECT cell_id, scenario_id, rollout, count(*) - 1 AS surplus, list_sort(list_distinct(list(status))) AS statuses
FROM lines WHERE ok AND status <> 'error'
GROUP BY cell_id, scenario_id, rollout HAVING count(*) > 1 ORDER BY cell_id, scenario_id, rollout
"""
_VERSIONS = f"""
SELECT cell_id, {", ".join(f"string_agg(DISTINCT {name}, ' and ' ORDER BY {name}) AS {name}" for name in NUMERICS)}
FROM episodes WHERE status <> 'error' GROUP BY cell_id
"""
_DAMAGED = "SELECT owner, count(*) FILTER (NOT ok) FROM lines GROUP BY owner"


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
    read_info(cell_dir)
    if not _started(cell_dir):
        return CellState({}, 0, 0, [])
    with results(cell_dir) as (con, cells):
        rows = con.execute("SELECT raw FROM episodes ORDER BY scenario_id, rollout").fetchall()
        records = [EpisodeRecord.from_json(json.loads(raw)) for (raw,) in rows]
        repeated = con.execute(_REPEATED).fetchall()
        damaged = dict(con.execute(_DAMAGED).fetchall()).get(cells[0].cell_id, 0)
    return CellState(
        records={record.key: record for record in records},
        damaged=damaged,
        duplicates=sum(surplus for *_, surplus, _ in repeated),
        conflicts=[Conflict(scenario, rollout, tuple(s)) for _, scenario, rollout, _, s in repeated if len(s) > 1],
    )


def episodes(root: Path, cell_id: str | None = None) -> "pd.DataFrame":
    """One row per episode (cell_id, scenario_id, rollout) below `root`, a study's or a cell's folder.

    Columns are the fields of `EpisodeRecord` (`wall_s`, `items` and `fingerprint` as JSON text) and, out of the
    fingerprint, `NUMERICS`. Of several records of an episode the one that `cell_state` gives counts.

    Raises:
        GaugeError: there is no such folder, cell or not a single episode.
    """
    with results(root) as (con, cells):
        _known([cell_id] if cell_id else [], cells)
        where = "WHERE cell_id = $cell" if cell_id else ""
        columns = ", ".join([*COLUMNS, *NUMERICS])
        query = f"SELECT {columns} FROM episodes {where} ORDER BY cell_id, scenario_id, rollout"
        frame = con.execute(query, {"cell": cell_id} if cell_id else {}).df()
    return _some(frame, root)


def by_task(root: Path, cell_id: str | None = None, planned: Planned | None = None) -> "pd.DataFrame":
    """One row per (cell_id, scenario_id), of `planned` episodes only where that is given.

    Columns: n (evaluated), successes, errors, rate, low, high (95% Wilson), mean_steps_success.

    Raises:
        GaugeError: there is no such folder, cell or not a single episode.
    """
    with results(root, planned) as (con, cells):
        _known([cell_id] if cell_id else [], cells)
        frame = _rates(con, "cell_id, scenario_id")
    return _some(frame[frame.cell_id == cell_id].reset_index(drop=True) if cell_id else frame, root)


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

    with results(root, planned) as (con, cells):
        _known(cell_ids or [], cells)
        wanted = sorted((c for c in cells if cell_ids is None or c.cell_id in cell_ids), key=_order)
        counted = _some(_rates(con, "cell_id"), root).set_index("cell_id")
        tasks = _rates(con, "cell_id, scenario_id").dropna(subset="rate").sort_values(["rate", "scenario_id"])
        repeated = con.execute(_REPEATED).df()
        damaged = dict(con.execute(_DAMAGED).fetchall())
        versions = con.execute(_VERSIONS).df().set_index("cell_id")
    worst = tasks.drop_duplicates("cell_id").set_index("cell_id")[["scenario_id", "rate"]]
    frame = pd.DataFrame([{k: v for k, v in asdict(c).items() if k != "folder"} for c in wanted])
    frame = frame.drop_duplicates("cell_id").join(counted, on="cell_id")
    frame = frame.join(worst.set_axis(["worst_task", "worst_rate"], axis=1), on="cell_id")
    counts = ["n", "successes", "errors", "unseen"]
    frame[counts] = frame[counts].fillna(0).astype(int)
    frame["damaged"] = [damaged.get(cell, 0) for cell in frame.cell_id]
    frame["duplicates"] = [int(repeated[repeated.cell_id == cell].surplus.sum()) for cell in frame.cell_id]
    several = repeated[repeated.statuses.map(len) > 1] if len(repeated) else repeated
    frame["conflicts"] = [int((several.cell_id == cell).sum()) for cell in frame.cell_id]
    return _some(frame.join(versions, on="cell_id"), root).reset_index(drop=True)


def check_fingerprints(cell_dir: Path, current: Mapping[str, str]) -> None:
    """Make sure that results with the fingerprint `current` may be added to those stored in `cell_dir`.

    Raises:
        GaugeError: a stored result has another version of one of `NUMERICS`; a field it lacks is not compared.
    """
    if not _started(cell_dir):
        return
    with results(cell_dir) as (con, _):
        for name in NUMERICS:
            query = f"SELECT DISTINCT {name} FROM episodes WHERE status <> 'error' AND {name} <> '' ORDER BY {name}"
            found = [value for (value,) in con.execute(query).fetchall()]
            versions = list(dict.fromkeys([*found, *filter(None, [current.get(name)])]))
            if len(versions) > 1:
                raise GaugeError(
                    f"{cell_dir.name} would mix results of {name} {versions[0]} and {name} {versions[1]}, which may "
                    f"differ by that alone; go back to {name} {versions[0]}, or evaluate anew under another study= name"
                )


def _started(cell_dir: Path) -> bool:
    """Whether anything was ever recorded; a database for each of thousands of new cells would take minutes."""
    return any(cell_dir.glob(EPISODE_FILES))


def _rates(con: "DuckDBPyConnection", keys: str) -> "pd.DataFrame":
    frame = con.execute(_RATES.format(keys=keys)).df()
    rates = [Rate(int(s), int(n), int(e)) for s, n, e in zip(frame.successes, frame.n, frame.errors, strict=True)]
    frame["rate"] = [float("nan") if rate.rate is None else rate.rate for rate in rates]
    frame["low"] = [rate.interval.low for rate in rates]
    frame["high"] = [rate.interval.high for rate in rates]
    return frame


def _order(info: CellInfo) -> tuple[Any, ...]:
    text = isinstance(info.value, str)
    number = info.value if isinstance(info.value, int | float) else 0.0
    several = not info.attribute and info.label != "clean"
    return info.model, info.suite, info.branch, several, info.attribute, text, number, info.label


def _known(cell_ids: Sequence[str], cells: list[CellInfo]) -> None:
    ids = [info.cell_id for info in cells]
    for cell_id in cell_ids:
        if cell_id not in ids:
            raise unknown("cell", cell_id, ids)


def _some(frame: "pd.DataFrame", root: Path) -> "pd.DataFrame":
    if frame.empty:
        raise GaugeError(f"{root} holds no evaluated episode yet; run the evaluation first, or look at its log.txt")
    return frame
