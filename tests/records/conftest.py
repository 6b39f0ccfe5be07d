from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.records.store import RecordWriter, open_cell


@pytest.fixture
def cell() -> Cell:
    return Cell({"name": "pi0"}, {"name": "goal"}, Combination())


@pytest.fixture
def record(cell: Cell) -> Callable[..., EpisodeRecord]:
    """Makes a record of `cell`."""

    def make(scenario: str = "drawer", rollout: int = 0, status: str = "success", **more: object) -> EpisodeRecord:
        given = {"seed": 2**63 + rollout, "finished_at": "2026-11-29T10:00:00+00:00", **more}
        return EpisodeRecord(cell.id, scenario, rollout, status=status, **given)  # type: ignore[arg-type]

    return make


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
