"""What millions of episodes came to, read for analysis: only the fields that scores need, a few cells at a time.

`gauge.records.query.episodes` gives every field of every record; for a study that would be many gigabytes. The rules
of which lines and which of two records of an episode count are those of `gauge.records.load`.
"""

import glob
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.core.record import Status
from gauge.records.fingerprint import NUMERICS
from gauge.records.load import connect
from gauge.records.store import EPISODE_FILES

if TYPE_CHECKING:
    import pandas as pd
    from duckdb import DuckDBPyConnection

CELLS_AT_ONCE = 500
STATUSES: tuple[Status, ...] = ("fail", "success", "error")
CONDITIONS = ("horizon", "settle_steps", "prompt", *NUMERICS)

_FIELDS = {
    **dict.fromkeys(("cell_id", "scenario_id", "status", "prompt", "finished_at"), "VARCHAR"),
    **dict.fromkeys(("rollout", "attempt", "horizon", "settle_steps"), "BIGINT"),
    "seed": "UBIGINT",
    "fingerprint": dict.fromkeys(NUMERICS, "VARCHAR"),
}
# A table of its own, because the optimiser would otherwise parse every line once for each of its fields.
_PARSED = """
CREATE OR REPLACE TABLE parsed AS SELECT filename AS file, json_transform(json, $fields) AS r
FROM read_json_objects($files, format = 'newline_delimited', ignore_errors = true, filename = true)
"""
_LINES = f"""
CREATE OR REPLACE TABLE lines AS
SELECT cells.cell, scenarios.scenario, r.rollout, r.seed, list_position({list(STATUSES)}, r.status) - 1 AS status,
    r.attempt, r.finished_at, file, r.horizon, r.settle_steps, r.prompt,
    {", ".join(f"r.fingerprint.{name}" for name in NUMERICS)}
FROM parsed JOIN cells ON cells.folder = parse_dirpath(file) JOIN scenarios ON scenarios.id = r.scenario_id
WHERE r.cell_id = cells.id AND r.rollout IS NOT NULL AND r.seed IS NOT NULL AND r.status IN {STATUSES}
"""
_COUNT = """
SELECT cell, scenario, rollout, seed, status FROM lines
QUALIFY row_number() OVER (PARTITION BY cell, scenario, rollout
    ORDER BY status = 2, CASE WHEN status = 2 THEN -attempt END, finished_at, file) = 1
"""
_ALIKE = f"SELECT DISTINCT cell, scenario, {', '.join(CONDITIONS)} FROM lines WHERE status <> 2"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The episodes of some cells on some scenarios.

    Attributes:
        episodes: one row per episode: cell (index into the folders asked for), scenario (index into the scenarios),
            rollout, seed, status (index into `STATUSES`), all whole numbers.
        conditions: one row per distinct cell, scenario and `CONDITIONS` of a success or fail.
    """

    episodes: "pd.DataFrame"
    conditions: "pd.DataFrame"


def outcomes(cells: Mapping[Path, str], scenarios: Sequence[str]) -> Outcomes:
    """Read the records in the folders of `cells` (folder to cell id); a folder that is missing or empty has none.

    Args:
        cells: which; `cell` counts them in this order.
        scenarios: ids; other scenarios are not looked at.
    """
    import pandas as pd

    numbered = list(enumerate(cells.items()))
    with connect() as con:
        con.execute("CREATE TABLE scenarios (scenario INTEGER, id VARCHAR)")
        con.executemany("INSERT INTO scenarios VALUES (?, ?)", list(enumerate(scenarios)))
        found = [
            _read(con, numbered[start : start + CELLS_AT_ONCE]) for start in range(0, len(numbered), CELLS_AT_ONCE)
        ]
    parts = [part for part in found if part is not None]
    if not parts:
        return Outcomes(
            pd.DataFrame(columns=["cell", "scenario", "rollout", "seed", "status"], dtype="int64"),
            pd.DataFrame(columns=["cell", "scenario", *CONDITIONS]),
        )
    return Outcomes(
        pd.concat([episodes for episodes, _ in parts], ignore_index=True),
        pd.concat([conditions for _, conditions in parts], ignore_index=True),
    )


def _read(
    con: "DuckDBPyConnection", cells: Sequence[tuple[int, tuple[Path, str]]]
) -> tuple["pd.DataFrame", "pd.DataFrame"] | None:
    files = [glob.escape(str(path)) for _, (folder, _) in cells for path in sorted(folder.glob(EPISODE_FILES))]
    if not files:
        return None
    con.execute("CREATE OR REPLACE TABLE cells (cell INTEGER, folder VARCHAR, id VARCHAR)")
    con.executemany("INSERT INTO cells VALUES (?, ?, ?)", [(n, str(folder), id_) for n, (folder, id_) in cells])
    con.execute(_PARSED, {"fields": json.dumps(_FIELDS), "files": files})
    con.execute(_LINES)
    con.execute("DROP TABLE parsed")
    whole = {"cell": "int32", "scenario": "int32", "rollout": "int32", "status": "int8"}
    return con.execute(_COUNT).df().astype(whole), con.execute(_ALIKE).df()


def signature(folders: Sequence[Path]) -> str:
    """16 hex digits over names and sizes of the record files: record files only grow, so it changes when they do."""
    digest = hashlib.sha256()
    for folder in sorted(folders):
        for path in sorted(folder.glob(EPISODE_FILES)):
            digest.update(f"{folder.name}/{path.name} {path.stat().st_size}\n".encode())
    return digest.hexdigest()[:16]
