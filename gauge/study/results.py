"""What a stage found, on disk: its tables, the hashes of what it was computed from, and pages and pictures of it."""

import hashlib
import json
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from gauge.core.cell import canonical
from gauge.records.store import disk_fault

RESULT_FILE = "result.json"
VERSION = 1


@dataclass(frozen=True)
class Result:
    """One stage.

    Attributes:
        inputs: what it was computed from, settings and hashes; equal inputs give equal tables.
        asked: cells whose records were read, by folder name, with the rollouts by scenario.
        records: hash of those episodes, see `gauge.study.board`.
        signature: of the record files, see `gauge.records.outcomes.signature`.
        missing: planned episodes without a result.
        tables: by name.
    """

    inputs: Mapping[str, Any]
    asked: Mapping[str, Mapping[str, Sequence[int]]]
    records: str
    signature: str
    missing: int
    tables: Mapping[str, pd.DataFrame]

    @property
    def digest(self) -> str:
        """16 hex digits over the tables: what a later stage takes as its input."""
        return hashlib.sha256(canonical(self._tables()).encode()).hexdigest()[:16]

    def _tables(self) -> dict[str, Any]:
        return {name: pack(frame) for name, frame in self.tables.items()}

    def to_json(self) -> dict[str, Any]:
        """Plain data that says everything."""
        return {
            "version": VERSION,
            "inputs": self.inputs,
            "signature": self.signature,
            "missing": self.missing,
            "digest": self.digest,
            "records": self.records,
            "asked": {cell: {name: _runs(k) for name, k in own.items()} for cell, own in self.asked.items()},
            "tables": self._tables(),
        }


def load(folder: Path) -> Result | None:
    """The stored result of a stage; None if there is none that this version can read: it is computed again."""
    try:
        data = json.loads((folder / RESULT_FILE).read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            return None
        tables = {name: unpack(packed) for name, packed in data["tables"].items()}
        asked = {cell: {name: _unrun(k) for name, k in own.items()} for cell, own in data["asked"].items()}
        found = Result(data["inputs"], asked, data["records"], data["signature"], data["missing"], tables)
        return found if found.digest == data["digest"] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(folder: Path, result: Result, pages: Mapping[str, str], figures: Mapping[str, Any]) -> None:
    """Write a stage's folder anew: result.json, a CSV per table, pages and figures; a killed run leaves the old one.

    Raises:
        IncompleteError: the folder cannot be written.
    """
    fresh = folder.with_name(f".{folder.name}-{secrets.token_hex(4)}")
    try:
        fresh.mkdir(parents=True)
        for name, frame in result.tables.items():
            frame.to_csv(fresh / f"{name}.csv", index=False)
        for name, text in pages.items():
            (fresh / name).write_text(text, encoding="utf-8")
        for name, figure in figures.items():
            figure.savefig(fresh / f"{name}.png", format="png")
        text = json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False)
        (fresh / RESULT_FILE).write_text(text + "\n", encoding="utf-8")
        if folder.exists():
            shutil.rmtree(folder)
        fresh.rename(folder)
    except OSError as error:
        raise disk_fault(folder, error) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _runs(rollouts: Sequence[int]) -> int | list[int]:
    """Rollouts 0 to n - 1 as n, others one by one."""
    return len(rollouts) if list(rollouts) == list(range(len(rollouts))) else list(rollouts)


def _unrun(stored: int | list[int]) -> Sequence[int]:
    return range(stored) if isinstance(stored, int) else stored


def pack(frame: pd.DataFrame) -> dict[str, Any]:
    """A table as plain data that `unpack` turns back into the same: numbers stay numbers of their kind, NA is null."""
    columns = {str(name): [_plain(value) for value in frame[name].astype(object)] for name in frame}
    return {"kinds": {name: _kind(str(frame[name].dtype), columns[name]) for name in columns}, "columns": columns}


def _kind(dtype: str, values: list[Any]) -> str:
    if all(value is None or isinstance(value, str) for value in values):
        return "text"
    return "Float64" if dtype == "float64" else dtype


def unpack(packed: Mapping[str, Any]) -> pd.DataFrame:
    """The table behind `pack`."""
    return pd.DataFrame({name: _column(packed["columns"][name], kind) for name, kind in packed["kinds"].items()})


def _column(values: list[Any], kind: str) -> "pd.Series[Any]":
    if kind == "text":
        return pd.Series(values) if values else pd.Series(values, dtype=object)
    return pd.Series(values, dtype=object if kind == "object" else kind)


def _plain(value: Any) -> Any:
    """A cell of a table for JSON: NumPy numbers as Python's, every kind of NA as None."""
    if value is None or value is pd.NA or (isinstance(value, float) and value != value):
        return None
    return value.item() if hasattr(value, "item") else value
