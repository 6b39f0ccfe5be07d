"""The certificates of perturbation values: which are kept in which scenario, with the measured numbers.

`python -m gauge.validate` makes them; `value=range` asks them. The table of the package holds the anchors.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Literal, NamedTuple

from gauge.core.items import Value
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation
from gauge.perturbations.provenance import code_of, environment, task_of
from gauge.records.turn import turn
from gauge.suites import Task

RULES = 1  # of the judgement; raised when a threshold or a measure changes
Verdict = Literal["kept", "dropped", "open"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """One value in one scenario; every field is text, as it stands in the table.

    Attributes:
        scenario, attribute, value: what was judged.
        verdict: kept, dropped, or open where it could not be judged.
        criterion: applicability, effect, feasibility or semantics: the first that a dropped value fails.
        reason: why it is dropped or open, with the measured number.
        stated, measured: the amount of the value, and what was found of it.
        pixel_mean, pixel_share: change in grey levels, and share of pixels (%) that look different.
        likeness, luminance: structural similarity to the clean frame, mean luma.
        target_seen, target_px: visible share of the target (%), its width in pixels.
        overlap_mm, speed: deepest overlap, fastest joint after settling (m/s or rad/s).
        expert: episodes that the expert solved of those it tried; `clean` before it where they are the clean ones.
        code, task, scene, environment, rules: what all of this depends on.
    """

    scenario: str
    attribute: str
    value: str
    verdict: str
    criterion: str = ""
    reason: str = ""
    stated: str = ""
    measured: str = ""
    pixel_mean: str = ""
    pixel_share: str = ""
    likeness: str = ""
    luminance: str = ""
    target_seen: str = ""
    target_px: str = ""
    overlap_mm: str = ""
    speed: str = ""
    expert: str = ""
    code: str = ""
    task: str = ""
    scene: str = ""
    environment: str = ""
    rules: str = str(RULES)

    @property
    def key(self) -> "Key":
        """What this is a certificate of."""
        return Key(self.scenario, self.attribute, self.value)

    def holds(self, perturbation: Perturbation, task: Task) -> bool:
        """Whether code, task, simulator and rules are still those that it was made with."""
        made = (self.code, self.task, self.environment, self.rules)
        return made == (code_of(perturbation), task_of(task), environment(), str(RULES))


class Key(NamedTuple):
    """A value of an attribute in a scenario."""

    scenario: str
    attribute: str
    value: str


COLUMNS = [field.name for field in fields(Certificate)]


def packaged() -> Path:
    """The table that comes with the package."""
    return Path(str(files("gauge.perturbations").joinpath("certificates.csv")))


def read(path: Path) -> dict[Key, Certificate]:
    """The certificates of a table, the last of each key; none if there is no such file.

    Raises:
        GaugeError: it is not such a table.
    """
    if not path.is_file():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != COLUMNS:
            raise GaugeError(f"{path} is not a table of certificates of this version; move it away, or name another")
        found = [Certificate(**row) for row in rows if None not in row and None not in row.values()]
    return {one.key: one for one in found}


def write(path: Path, found: Iterable[Certificate]) -> None:
    """Write a whole table; it appears whole or not at all."""
    with _turn(path):
        _replace(path, found)


def append(path: Path, found: Iterable[Certificate]) -> None:
    """Add certificates to a table; a later one replaces an earlier one of the same key."""
    with _turn(path), path.open("a", newline="", encoding="utf-8") as file:
        _writer(file, header=file.tell() == 0).writerows(_row(one) for one in found)


def tidy(path: Path) -> None:
    """Sort a table by scenario and attribute, if there is one, and leave out what was replaced or cut short."""
    if path.exists():
        with _turn(path):
            found = read(path)
            _replace(path, [found[key] for key in sorted(found, key=lambda key: (key.scenario, key.attribute))])


@contextmanager
def _turn(path: Path) -> Iterator[None]:
    """No other process changes the table meanwhile."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with turn(path):
        yield


def _replace(path: Path, found: Iterable[Certificate]) -> None:
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("w", newline="", encoding="utf-8") as file:
        _writer(file, header=True).writerows(_row(one) for one in found)
    temporary.replace(path)


def _writer(file: "object", header: bool) -> "csv.DictWriter[str]":
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")  # type: ignore[arg-type]
    if header:
        writer.writeheader()
    return writer


def _row(one: Certificate) -> dict[str, str]:
    return {name: getattr(one, name) for name in COLUMNS}


def standing(
    known: Mapping[Key, Certificate], perturbation: Perturbation, value: Value, task: Task
) -> tuple[Literal["kept", "dropped", "open", "none", "stale"], str]:
    """How a value stands in a scenario, and why it is dropped, open or stale."""
    found = known.get(Key(task.id, perturbation.attribute, str(value)))
    if found is None:
        return "none", ""
    if not found.holds(perturbation, task):
        return "stale", "its code, task, simulator or rules have changed"
    if found.verdict == "kept":
        return "kept", ""
    return ("dropped" if found.verdict == "dropped" else "open"), found.reason
