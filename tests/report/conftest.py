from collections.abc import Callable
from pathlib import Path

import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item, Value
from gauge.core.record import EpisodeRecord
from gauge.records.store import RecordWriter, open_cell

STATUS = {"s": "success", "f": "fail", "e": "error"}


def cell_of(*values: Value, attribute: str = "image_shift", model: str = "pi0") -> Cell:
    mode = "dynamic" if len(values) > 1 else "static"
    items = [Item("vision", "camera", attribute, values, mode)] if values else []  # type: ignore[arg-type]
    return Cell({"name": model}, {"name": "libero_goal"}, Combination.of(items))


@pytest.fixture
def stored(tmp_path: Path) -> Callable[..., Path]:
    """Stores a cell: stored(*values, attribute=, model=, tasks={name: "ssfe"}) with a letter per episode."""

    def store(*values: Value, tasks: dict[str, str], **cell: str) -> Path:
        made = cell_of(*values, **cell)
        folder = tmp_path / "study" / made.name
        open_cell(folder, made)
        with RecordWriter(folder) as writer:
            for task, letters in tasks.items():
                for rollout, letter in enumerate(letters):
                    step = 100 + rollout if letter == "s" else None
                    record = EpisodeRecord(
                        made.id,
                        task,
                        rollout,
                        rollout,
                        STATUS[letter],
                        success_step=step,
                        fingerprint={"numpy": "2.4"},  # type: ignore[arg-type]
                    )
                    writer.write(record)
        return folder

    return store
