"""Record files of a study into a few Parquet files, which are read many times faster; what counts stays the same.

See `gauge.records.shelf` for the rule by which every record counts once, whatever is written or compacted meanwhile.
"""

import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gauge.errors import GaugeError
from gauge.records.lines import EVERY, Owner, batches, connect, gather, literal
from gauge.records.load import cells_at, read_info
from gauge.records.lock import CellLock, holder_of
from gauge.records.shelf import PARTS, REMOVED, VERSION, Shelf, contents, removed_from
from gauge.records.store import disk_fault, replace

PART_BYTES = 128 * 2**20  # of records as they were written; what it takes to sort them is a gigabyte
ROWS_AT_ONCE = 10_000  # of a part; whoever wants one cell reads one or two such groups
_COPY = f"""
COPY (SELECT cell AS source, ok, {", ".join(EVERY)} FROM lines ORDER BY source, scenario_id, rollout)
TO '{{path}}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {ROWS_AT_ONCE})
"""
_COUNTS = "SELECT {source}, count(*), count(*) FILTER (NOT ok) FROM {rows} GROUP BY {source} ORDER BY {source}"


@dataclass(frozen=True, slots=True)
class Done:
    """What a compaction did.

    Attributes:
        records: lines that were compacted, and of how many `files`.
        parts: the new Parquet files.
        busy: cells that somebody evaluates at this moment; they were left alone.
        removed: record files that were removed.
        kept: compacted record files that were not removed because they hold damaged lines.
    """

    records: int
    files: int
    parts: tuple[Path, ...]
    busy: tuple[str, ...]
    removed: int
    kept: int


def compact(study: Path, remove: bool = False) -> Done:
    """Compact all record files of a study that nobody writes to; with `remove`, remove what is compacted then.

    Raises:
        GaugeError: this is no study's folder, a cell's description is damaged, or another compaction is going on.
        IncompleteError: the disk is full or cannot be written; nothing was lost.
    """
    cells = cells_at(study)
    if [one.folder for one in cells] == [study]:
        raise GaugeError(f"{study} is one cell; give the folder of its study, {study.parent}")
    with CellLock(study / PARTS):
        _discard(study / PARTS)
        busy = {one.folder for one in cells if holder_of(one.folder) is not None}
        idle = [one for one in cells_at(study) if one.folder not in busy]
        owners = [
            Owner(0, read_info(one.folder).cell_id, Shelf(one.folder, (source,), True))
            for one in idle
            for source in one.loose
        ]
        owners = [owner._replace(number=number) for number, owner in enumerate(owners)]
        counts = [_part(study, batch) for batch in batches(owners, PART_BYTES)]
        removed, kept = _remove(study, [one.folder for one in idle]) if remove else (0, 0)
    return Done(
        records=sum(records for _, records in counts),
        files=len(owners),
        parts=tuple(path for path, _ in counts),
        busy=tuple(sorted(folder.name for folder in busy)),
        removed=removed,
        kept=kept,
    )


def _part(study: Path, owners: Sequence[Owner]) -> tuple[Path, int]:
    """Write one part; its list of contents, which makes it count, comes last. Its path and number of lines."""
    import duckdb

    path = study / PARTS / f"part-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(4)}.parquet"
    unfinished = path.with_name(f".{path.name}")
    numbered = [owner._replace(number=number) for number, owner in enumerate(owners)]
    try:
        with connect() as con:
            gather(con, numbered, EVERY)
            quoted = str(unfinished).replace("'", "''")
            con.execute(_COPY.format(path=quoted))
            lines = con.execute(_COUNTS.format(source="cell", rows="lines")).fetchall()
            _sync(unfinished)
            rows = f"read_parquet('{literal(unfinished)}')"
            stored = con.execute(_COUNTS.format(source="source", rows=rows)).fetchall()
        if lines != stored:
            raise GaugeError(f"{unfinished} does not hold what was written to it; nothing was changed, try again")
        unfinished.replace(path)
        damaged = {number: bad for number, _, bad in lines}
        sources = [
            [owner.shelf.folder.name, source.name, source.size, damaged.get(owner.number, 0)]
            for owner in numbered
            for source in owner.shelf.sources
        ]
        replace(path.with_suffix(".json"), json.dumps({"version": VERSION, "sources": sources}, ensure_ascii=False))
    except OSError as error:
        raise disk_fault(study, error) from error
    except duckdb.Error as error:
        raise GaugeError(f"{study} cannot be compacted, and nothing was changed: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return path, sum(count for _, count, _ in lines)


def _remove(study: Path, folders: Sequence[Path]) -> tuple[int, int]:
    """Remove the record files that parts hold; a list of them in the cell's folder, written before, replaces them."""
    held = contents(study)
    removed = kept = 0
    try:
        for folder in folders:
            own = held.get(folder.name, {})
            there = [name for name, at in own.items() if _size(folder / name) == at.size]
            clean = [name for name in there if not own[name].damaged]
            kept += len(there) - len(clean)
            if clean and holder_of(folder) is None:
                names = sorted({*removed_from(folder), *clean})
                replace(folder / REMOVED, json.dumps({"removed": names}, ensure_ascii=False))
                for name in clean:
                    (folder / name).unlink(missing_ok=True)
                removed += len(clean)
    except OSError as error:
        raise disk_fault(study, error) from error
    return removed, kept


def _discard(folder: Path) -> None:
    """Remove what a compaction that was killed left: parts without a list of contents, which nobody reads."""
    for path in (*folder.glob("part-*.parquet"), *folder.glob(".part-*")):
        if not path.with_suffix(".json").exists() or path.name.startswith("."):
            path.unlink(missing_ok=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
