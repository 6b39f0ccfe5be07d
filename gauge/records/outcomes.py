"""What millions of episodes came to, read for analysis: only the fields that scores need, a few cells at a time.

`gauge.records.query.episodes` gives every field of every record; for a study that would be many gigabytes. The rules
of which lines and which of two records of an episode count are those of `gauge.records.lines`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.core.record import Status
from gauge.records.fingerprint import NUMERICS
from gauge.records.lines import Owner, batches, connect
from gauge.records.load import read
from gauge.records.shelf import shelves

if TYPE_CHECKING:
    import pandas as pd

STATUSES: tuple[Status, ...] = ("fail", "success", "error")
CONDITIONS = ("horizon", "settle_steps", "prompt", *NUMERICS)

_CODES = " ".join(f"WHEN '{name}' THEN {code}" for code, name in enumerate(STATUSES))
_COUNT = f"""
SELECT cell, scenario, rollout, seed, CASE status {_CODES} END AS status
FROM lines JOIN scenarios ON scenarios.id = scenario_id WHERE ok
"""
_ALIKE = f"""
SELECT DISTINCT cell, scenario, {", ".join(CONDITIONS)}
FROM lines JOIN scenarios ON scenarios.id = scenario_id WHERE ok AND status <> 'error'
"""


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

    found = zip(cells.values(), shelves(list(cells)), strict=True)
    owners = [Owner(number, cell_id, one) for number, (cell_id, one) in enumerate(found) if one.sources]
    owners.sort(key=lambda owner: str(owner.shelf.folder))  # as in the parts, each of which is then read once
    parts = []
    with connect() as con:
        con.execute("CREATE TABLE scenarios (scenario INTEGER, id VARCHAR)")
        con.execute("INSERT INTO scenarios SELECT unnest(?), unnest(?)", [list(range(len(scenarios))), list(scenarios)])
        for batch in batches(owners):
            read(con, batch, ["seed", *CONDITIONS])
            whole = {"cell": "int32", "scenario": "int32", "rollout": "int32", "status": "int8"}
            parts.append((con.execute(_COUNT).df().astype(whole), con.execute(_ALIKE).df()))
    if not parts:
        return Outcomes(
            pd.DataFrame(columns=["cell", "scenario", "rollout", "seed", "status"], dtype="int64"),
            pd.DataFrame(columns=["cell", "scenario", *CONDITIONS]),
        )
    return Outcomes(
        pd.concat([episodes for episodes, _ in parts], ignore_index=True),
        pd.concat([conditions for _, conditions in parts], ignore_index=True),
    )


def signature(folders: Sequence[Path]) -> str:
    """16 hex digits over names and sizes of the record files, compacted or not.

    Record files only grow, so it changes when they do.
    """
    digest = hashlib.sha256()
    for one in shelves(sorted(folders)):
        for source in one.sources:
            digest.update(f"{one.folder.name}/{source.name} {source.size}\n".encode())
    return digest.hexdigest()[:16]
