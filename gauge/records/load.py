"""Record files as DuckDB tables: what a line means, which lines count, which of two records of an episode counts.

Decided by trial on torn, blank, binary, foreign and merged lines: `read_json_objects` with `ignore_errors` gives
every damaged line back as NULL and skips blank ones, so damage is counted and never hides a neighbour.
"""

import glob
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gauge.core.items import Combination, Item, Value
from gauge.errors import GaugeError
from gauge.records.fingerprint import NUMERICS
from gauge.records.store import CELL_FILE, EPISODE_FILES, read_cell

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Field of EpisodeRecord to SQL type; nested fields stay JSON text.
COLUMNS = {
    **dict.fromkeys(("cell_id", "scenario_id"), "VARCHAR"),
    "rollout": "BIGINT",
    "seed": "UBIGINT",
    **dict.fromkeys(("status", "prompt", "scene_hash", "start_hash"), "VARCHAR"),
    "success_final": "BOOLEAN",
    **dict.fromkeys(("success_step", "steps", "horizon", "settle_steps", "policy_calls", "frames"), "BIGINT"),
    "residual_speed": "DOUBLE",
    **dict.fromkeys(("wall_s", "items", "model_identity", "reason"), "VARCHAR"),
    "attempt": "BIGINT",
    **dict.fromkeys(("video", "fingerprint", "finished_at"), "VARCHAR"),
}

_LINES = """
CREATE TABLE lines AS
SELECT cells.cell_id AS owner, raw, file, r.*,
    coalesce(r.cell_id = owner AND r.scenario_id IS NOT NULL AND r.rollout IS NOT NULL AND r.seed IS NOT NULL
        AND r.status IN ('success', 'fail', 'error'), false) AS ok
FROM (
    SELECT json AS raw, filename AS file, parse_dirpath(filename) AS folder, json_transform(json, $columns) AS r
    FROM read_json_objects($files, format = 'newline_delimited', ignore_errors = true, filename = true)
) JOIN cells USING (folder)
"""

_EPISODES = f"""
CREATE TABLE episodes AS
SELECT raw, {", ".join(COLUMNS)}, {", ".join(f"raw ->> '$.fingerprint.{name}' AS {name}" for name in NUMERICS)}
FROM lines WHERE ok
QUALIFY row_number() OVER (
    PARTITION BY cell_id, scenario_id, rollout
    ORDER BY status = 'error', CASE WHEN status = 'error' THEN -attempt END, finished_at, file) = 1
"""


class Planned(NamedTuple):
    """The episodes that a run or sweep is about.

    A cell may hold more, from an earlier and larger run; cells compared over different episodes would compare
    their scenes. `left_out` counts by cell the scenarios in which its perturbation makes no sense, `suites` the
    scenarios by suite; without it there is one suite.
    """

    scenarios: tuple[str, ...]
    rollouts: int
    left_out: tuple[tuple[str, int], ...] = ()
    suites: tuple[tuple[str, int], ...] = ()

    def episodes(self, suite: str, cell_id: str = "") -> int:
        """How many of them a cell of `suite` should hold."""
        every = dict(self.suites).get(suite, len(self.scenarios))
        return self.rollouts * (every - dict(self.left_out).get(cell_id, 0))


@dataclass(frozen=True, slots=True)
class CellInfo:
    """What `cell.json` says, as far as tables and plots need it.

    Attributes:
        folder: where its records are.
        cell_id, model, suite, branch: names.
        label: the combination's label, `clean` without items.
        attribute, value: of a single item (`dynamic` for a dynamic one); empty and None for none or several.
    """

    folder: Path
    cell_id: str
    model: str
    suite: str
    branch: str
    label: str
    attribute: str
    value: Value | None


@contextmanager
def results(root: Path, planned: Planned | None = None) -> Iterator[tuple["DuckDBPyConnection", list[CellInfo]]]:
    """A private in-memory database over a study's folder or a cell's, and the cells in it.

    Tables: `lines` (every line, `ok` or damaged, with its cell as `owner`) and `episodes` (one row per episode: a
    success or fail beats an error; the earliest `finished_at` counts, of errors the last attempt). `planned` leaves
    out all other episodes.

    Raises:
        GaugeError: the folder is missing or holds no cell, or a cell's description is missing or damaged.
    """
    import duckdb

    cells = [read_info(folder) for folder in cell_dirs(root)]
    files = [str(path) for info in cells for path in sorted(info.folder.glob(EPISODE_FILES))]
    with connect() as con:
        con.execute("CREATE TABLE cells (folder VARCHAR, cell_id VARCHAR)")
        con.executemany("INSERT INTO cells VALUES (?, ?)", [(str(c.folder), c.cell_id) for c in cells])
        # DuckDB refuses an empty list, so an empty file stands for no file.
        names = [glob.escape(name) for name in files] or [os.devnull]
        try:
            con.execute(_LINES, {"columns": json.dumps(COLUMNS), "files": names})
        except duckdb.Error as error:
            raise GaugeError(f"the record files in {root} cannot be read: {error}") from error
        if planned is not None:
            outside = "ok AND NOT (list_contains($scenarios, scenario_id) AND rollout < $rollouts)"
            con.execute(
                f"DELETE FROM lines WHERE {outside}", {"scenarios": planned.scenarios, "rollouts": planned.rollouts}
            )
        con.execute(_EPISODES)
        yield con, cells


def cell_dirs(root: Path) -> list[Path]:
    """The cell folders at `root`: itself, or else its children.

    Raises:
        GaugeError: there is none.
    """
    if not root.is_dir():
        raise GaugeError(f"{root} is not a folder; results of study=NAME are in outputs/NAME")
    if _is_cell(root):
        return [root]
    found = sorted(path for path in root.iterdir() if path.is_dir() and _is_cell(path))
    if not found:
        raise GaugeError(f"{root} holds no results; give the folder of a study (outputs/NAME) or of one cell")
    return found


def _is_cell(folder: Path) -> bool:
    return (folder / CELL_FILE).exists() or any(folder.glob(EPISODE_FILES))


def read_info(folder: Path) -> CellInfo:
    """The description of the cell in `folder`.

    Raises:
        GaugeError: it is missing or damaged.
    """
    data: dict[str, Any] = read_cell(folder)
    try:
        items = [Item("", "", item["attribute"], tuple(item["values"]), item["mode"]) for item in data["items"]]
        model, suite, branch = data["model"]["name"], data["suite"]["name"], data["branch"]
    except (KeyError, TypeError) as error:
        raise GaugeError(f"{folder / CELL_FILE} does not describe a cell of this version ({error!r})") from error
    single = items[0] if len(items) == 1 else None
    value = (single.values[0] if single.mode == "static" else "dynamic") if single else None
    label = Combination.of(items).label
    return CellInfo(folder, data["id"], model, suite, branch, label, single.attribute if single else "", value)


def connect() -> "DuckDBPyConnection":
    """DuckDB in memory that reads and writes nothing outside the files it is given."""
    import duckdb

    off: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_persistent_secrets": "false",
        "threads": 4,
    }
    return duckdb.connect(":memory:", config=off)
