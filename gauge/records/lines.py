"""Records as DuckDB tables: what a line means, which lines count, which of two records of an episode counts.

Loose and compacted records become one table. Decided by trial on torn, blank, binary, foreign and merged lines:
`read_json_objects` with `ignore_errors` gives every damaged line back as NULL and skips blank ones, so damage is
counted and never hides a neighbour.
"""

import glob
import json
import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gauge.records.fingerprint import NUMERICS
from gauge.records.shelf import Shelf

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BATCH_BYTES = 256 * 2**20  # of records as they were written, for one table in memory

# Field of EpisodeRecord to SQL type; nested fields stay JSON text.
COLUMNS = {
    **dict.fromkeys(("cell_id", "scenario_id"), "VARCHAR"),
    "rollout": "BIGINT",
    "seed": "UBIGINT",
    **dict.fromkeys(("status", "prompt", "scene_hash", "start_hash"), "VARCHAR"),
    **dict.fromkeys(("success_final", "told_success"), "BOOLEAN"),
    **dict.fromkeys(("success_step", "steps", "horizon", "settle_steps", "policy_calls", "frames"), "BIGINT"),
    "residual_speed": "DOUBLE",
    **dict.fromkeys(("wall_s", "items", "model_identity", "reason"), "VARCHAR"),
    "attempt": "BIGINT",
    **dict.fromkeys(("video", "fingerprint", "finished_at"), "VARCHAR"),
}
# What else can be asked for: the line itself, and whether an image perturbation was applied that nobody looked at.
DERIVED = {
    "raw": "json",
    "unseen": "coalesce(list_contains(r.items -> '$[*].seen_by_policy', 'false'), false)",
    "fingerprint": "CAST(json -> '$.fingerprint' AS VARCHAR)",
    **{name: f"r.fingerprint.{name}" for name in NUMERICS},
}
EVERY = (*COLUMNS, *NUMERICS, "raw", "unseen")
KEY = ("cell", "scenario_id", "rollout")
_BASE = ("scenario_id", "rollout", "status", "attempt", "finished_at")

# A table of its own, because the optimiser would otherwise parse every line once for each of its fields.
_PARSED = """
CREATE OR REPLACE TABLE parsed AS SELECT {json} AS json, filename AS file, json_transform(json, $types) AS r
FROM read_json_objects($files, format = 'newline_delimited', ignore_errors = true, filename = true)
"""
_OK = """coalesce(r.cell_id = files.id AND r.scenario_id IS NOT NULL AND r.rollout IS NOT NULL AND r.seed IS NOT NULL
    AND r.status IN ('success', 'fail', 'error'), false)"""
_LOOSE = "SELECT files.cell, {ok} AS ok, file, {fields} FROM parsed JOIN files ON files.path = parsed.file"
_COMPACTED = """
SELECT files.cell, ok, files.path AS file, {fields}
FROM read_parquet('{path}') AS held JOIN files ON files.part = {part} AND files.number = held.source
WHERE held.source BETWEEN {first} AND {last}
"""
# The records beside another one of their episode, the one that counts first: a success or fail beats an error, the
# earliest counts, of errors the last attempt.
_LATER = f"""
CREATE OR REPLACE TABLE later AS
SELECT lines.rowid AS line, cell, scenario_id, rollout, status FROM lines SEMI JOIN (
    SELECT {", ".join(KEY)} FROM lines WHERE ok GROUP BY ALL HAVING count(*) > 1) AS again USING ({", ".join(KEY)})
WHERE ok
QUALIFY row_number() OVER (PARTITION BY {", ".join(KEY)}
    ORDER BY status = 'error', CASE WHEN status = 'error' THEN -attempt END, finished_at, file) > 1
"""


class Owner(NamedTuple):
    """Whose records a shelf holds: a number for the tables, and the id that its lines must name."""

    number: int
    cell_id: str
    shelf: Shelf


def batches(owners: Sequence[Owner], most: int = BATCH_BYTES) -> Iterator[list[Owner]]:
    """The owners in groups of at most so many bytes of records; those of one number stay together."""
    group: list[Owner] = []
    size = 0
    for owner in owners:
        if group and size + owner.shelf.size > most and owner.number != group[-1].number:
            yield group
            group, size = [], 0
        group.append(owner)
        size += owner.shelf.size
    if group:
        yield group


def gather(con: "DuckDBPyConnection", owners: Sequence[Owner], fields: Collection[str]) -> None:
    """Make the table `lines` of some cells' records: cell (the owner's number), ok, file and the `fields` of `EVERY`.

    Raises:
        duckdb.Error: a file cannot be read.
    """
    wanted = list(dict.fromkeys([*_BASE, *fields]))
    sources = [(owner, source) for owner in owners for source in owner.shelf.sources]
    parts = {source.part: number for number, (_, source) in enumerate(sources) if source.part is not None}
    con.execute("CREATE OR REPLACE TABLE files (cell INTEGER, id VARCHAR, path VARCHAR, part INTEGER, number INTEGER)")
    paths = [str(owner.shelf.folder / source.name) for owner, source in sources]
    columns = [
        [owner.number for owner, _ in sources],
        [owner.cell_id for owner, _ in sources],
        paths,
        [parts[source.part] if source.part is not None else -1 for _, source in sources],
        [source.number for _, source in sources],
    ]
    con.execute(f"INSERT INTO files SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)
    _parse(con, [path for path, (_, source) in zip(paths, sources, strict=True) if source.part is None], wanted)
    loose = ", ".join(f"{DERIVED.get(name, f'r.{name}')} AS {name}" for name in wanted)
    held = [
        _held(con, part, number, [s.number for _, s in sources if s.part == part], wanted)
        for part, number in parts.items()
    ]
    con.execute(f"CREATE OR REPLACE TABLE lines AS {' UNION ALL '.join([_LOOSE.format(ok=_OK, fields=loose), *held])}")
    con.execute("DROP TABLE parsed")


def settle(con: "DuckDBPyConnection") -> None:
    """Take the lines that do not count out of `lines` into the table `later`: cell, scenario_id, rollout, status."""
    con.execute(_LATER)
    con.execute("DELETE FROM lines WHERE rowid IN (SELECT line FROM later)")


def _parse(con: "DuckDBPyConnection", paths: Sequence[str], wanted: Sequence[str]) -> None:
    """Only the fields that are wanted: parsing is what reading loose records costs."""
    named = {"cell_id", "seed", *wanted} | ({"items"} if "unseen" in wanted else set())
    types: dict[str, object] = {name: kind for name, kind in COLUMNS.items() if name in named - DERIVED.keys()}
    if any(name in NUMERICS for name in wanted):
        types["fingerprint"] = dict.fromkeys(NUMERICS, "VARCHAR")
    whole = "json" if {"raw", "fingerprint"} & named else "NULL"
    # DuckDB refuses an empty list, so an empty file stands for no file.
    names = [glob.escape(path) for path in paths] or [os.devnull]
    con.execute(_PARSED.format(json=whole), {"types": json.dumps(types), "files": names})


def _held(con: "DuckDBPyConnection", part: Path, number: int, sources: Sequence[int], wanted: Sequence[str]) -> str:
    """The query of one part; the range of sources lets DuckDB leave out what lies elsewhere in the file.

    A field that records have had only since the part was written is NULL in it.
    """
    there = {name for (name,) in con.execute(f"SELECT name FROM parquet_schema('{literal(part)}')").fetchall()}
    fields = ", ".join(name if name in there else f"CAST(NULL AS {COLUMNS[name]}) AS {name}" for name in wanted)
    first, last = min(sources), max(sources)
    return _COMPACTED.format(path=literal(part), part=number, fields=fields, first=first, last=last)


def literal(path: Path) -> str:
    """The path inside quotes of a query that would take it for a pattern."""
    return glob.escape(str(path)).replace("'", "''")


def connect() -> "DuckDBPyConnection":
    """DuckDB in memory that reads and writes nothing outside the files it is given."""
    import duckdb

    off: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_persistent_secrets": "false",
        "preserve_insertion_order": "false",
        "threads": 4,
    }
    return duckdb.connect(":memory:", config=off)
