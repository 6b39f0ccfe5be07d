"""A set of demonstrations on disk: what was asked for, and one small file per tried episode.

    <folder>/set.json             what the episodes are (`what`) and how many of which quality are wanted (`wanted`)
    <folder>/<task>/007.json      what became of episode 7: measures, or the reason why it is no demonstration
    <folder>/<task>/007.hdf5      its trajectory in LIBERO's layout, if it is one

Every file appears by renaming, the trajectory before its outcome, so an episode whose outcome is there is there
completely. Any number of processes may add to a set: an episode is the same whoever runs it.
"""

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gauge.demos.gate import Limits, Measure
from gauge.demos.selection import Outcome, Selection, select
from gauge.errors import GaugeError

FORMAT = 1
SET_FILE = "set.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """One demonstration of a set: its task's name, the episode's index and its file."""

    task: str
    index: int
    path: Path


@dataclass(frozen=True, slots=True)
class DemoSet:
    """An opened set. `what` decides every episode, `n` and `limits` which of them make the set."""

    folder: Path
    what: dict[str, Any]
    n: int
    limits: Limits

    def outcomes(self, task: str) -> dict[int, Outcome]:
        """What is known of a task's tried episodes, by index."""
        found = {}
        for path in sorted((self.folder / task).glob("*.json")):
            row = _read(path)
            measure = Measure(**row["measure"]) if row["measure"] is not None else None
            found[int(path.stem)] = Outcome(measure, row["reason"])
        return found

    def selection(self, task: str) -> Selection:
        """Which of a task's episodes make the set, and why the others do not."""
        return select(self.outcomes(task), self.n, self.limits)

    def kept(self) -> Iterator[Kept]:
        """The demonstrations of the set, task by task."""
        for task in self.tasks():
            for index in self.selection(task).kept:
                yield Kept(task, index, self.path(task, index))

    def tasks(self) -> list[str]:
        """The names of all tasks of which an episode was tried, in the order of the suite."""
        known: list[str] = self.what["tasks"]
        return [task for task in known if (self.folder / task).is_dir()]

    def path(self, task: str, index: int) -> Path:
        """The trajectory's file."""
        return self.folder / task / f"{index:03d}.hdf5"

    def store(self, task: str, index: int, row: dict[str, Any], measure: Measure | None, reason: str) -> None:
        """Note what became of an episode; its trajectory must be there already."""
        full = {"reason": reason, "measure": asdict(measure) if measure is not None else None, **row}
        write_json(self.path(task, index).with_suffix(".json"), full)


def create(folder: Path, what: dict[str, Any], n: int, limits: Limits) -> DemoSet:
    """Open the set in `folder`, made if it is not there; `n` and `limits` may differ from what they were.

    Raises:
        GaugeError: the folder holds another set.
    """
    path = folder / SET_FILE
    plain = json.loads(json.dumps(what))
    if path.exists():
        stored = open_set(folder).what
        differing = [key for key in sorted({*stored, *plain}) if key != "tasks" and stored.get(key) != plain.get(key)]
        if differing:
            shown = ", ".join(f"{key} {stored.get(key)!r} there, {plain.get(key)!r} here" for key in differing)
            raise GaugeError(f"{folder} holds another set ({shown}); choose another folder=")
        plain["tasks"] = list(dict.fromkeys([*stored["tasks"], *plain["tasks"]]))
    folder.mkdir(parents=True, exist_ok=True)
    write_json(path, {"format": FORMAT, "what": plain, "wanted": {"n": n, **asdict(limits)}})
    return open_set(folder)


def open_set(folder: Path) -> DemoSet:
    """The set in `folder`.

    Raises:
        GaugeError: there is none, or its description is damaged.
    """
    path = folder / SET_FILE
    if not path.is_file():
        raise GaugeError(f"{folder} holds no {SET_FILE}, so it is no set of demonstrations; give the collect folder")
    data = _read(path)
    try:
        wanted = dict(data["wanted"])
        return DemoSet(folder, data["what"], int(wanted.pop("n")), Limits(**wanted))
    except (KeyError, TypeError) as error:
        raise GaugeError(f"{path} does not describe a set of demonstrations ({error!r})") from error


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write a small file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, allow_nan=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GaugeError(f"{path} cannot be read ({error}); remove it and run the same command again") from error
    return data
