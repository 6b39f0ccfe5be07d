"""`log.csv`: one line per epoch, in a file that a continued training goes on with."""

import csv
from collections.abc import Mapping
from pathlib import Path

COLUMNS = (
    "epoch",
    "step",
    "loss",
    "held_out",
    "held_out_black",
    "held_out_swapped",
    "gripper_right",
    "off_cm",
    "successes",
    "episodes",
    "samples_per_s",
    "hours",
)
Row = Mapping[str, float | int | None]


def begin(path: Path, done: int) -> None:
    """Leave the lines of the first `done` epochs; what a killed training wrote after its last checkpoint goes."""
    rows = [row for row in _read(path) if int(row["epoch"]) <= done]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def add(path: Path, row: Row) -> None:
    """Write one line."""
    shown = {key: f"{value:.5g}" if isinstance(value, float) else value for key, value in row.items()}
    with path.open("a", newline="", encoding="utf-8") as file:
        csv.DictWriter(file, COLUMNS).writerow(shown)


def _read(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
