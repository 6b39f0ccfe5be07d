from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item
from gauge.core.record import EpisodeRecord
from gauge.records.store import RecordWriter, open_cell


def make_cell(value: float | str | None = None, model: str = "pi0") -> Cell:
    items = [] if value is None else [Item("vision", "camera", "image_shift", (value,))]
    return Cell({"name": model}, {"name": "goal"}, Combination.of(items))


def make_record(
    cell: Cell, scenario: str = "open_drawer", rollout: int = 0, status: str = "success", **more: Any
) -> EpisodeRecord:
    given = {"seed": 2**63 + rollout, "finished_at": "2026-11-29T10:00:00+00:00", **more}
    if status == "success":
        given.setdefault("success_step", 100)
    return EpisodeRecord(cell.id, scenario, rollout, status=status, **given)  # type: ignore[arg-type]


@pytest.fixture
def cell() -> Cell:
    return make_cell()


@pytest.fixture
def record(cell: Cell) -> Callable[..., EpisodeRecord]:
    """Makes a record of `cell`: record(scenario, rollout, status, **fields)."""
    return lambda *args, **more: make_record(cell, *args, **more)


@pytest.fixture
def folder(tmp_path: Path, cell: Cell) -> Path:
    """The folder of `cell` in a study, described and without records."""
    path = tmp_path / "study" / cell.name
    open_cell(path, cell)
    return path


@pytest.fixture
def store() -> Callable[[Path, Cell, Iterable[EpisodeRecord]], Path]:
    """Stores records of a cell below a study's folder."""

    def write(study: Path, cell: Cell, records: Iterable[EpisodeRecord]) -> Path:
        open_cell(study / cell.name, cell)
        with RecordWriter(study / cell.name) as writer:
            for each in records:
                writer.write(each)
        return study / cell.name

    return write
