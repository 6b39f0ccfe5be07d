"""Scenarios: tasks that are V-BDDL files of a folder, with what is known about each in a table beside them."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from gauge import vbddl
from gauge.errors import GaugeError, unknown
from gauge.suites import certificate
from gauge.suites.libero import Suite, Task, sha256
from gauge.vbddl.problems import shown

STATES = 50  # initial states of a scenario
ABOUT = "scenarios.json"  # beside the files; optional
SUFFIXES = (".bddl", ".vbddl")


@dataclass(frozen=True, slots=True)
class About:
    """What a scenario is for. Everything is optional: a file alone is a scenario too.

    Attributes:
        capability, split: which suite it belongs to; split is id or ood.
        group: the layout that it shares with its siblings.
        diagnostic, value: the one variable that the suite varies, and its value here.
        reason: why the value is inside (id) or outside (ood) the reference distribution.
        sibling: another scenario in the same scene whose goal is another.
        twin: the scenario that differs in the diagnostic variable only.
        equal: what is held equal to sibling and twin.
        skills: what the robot has to do, in order.
    """

    capability: str = ""
    split: str = ""
    group: str = ""
    diagnostic: str = ""
    value: str = ""
    reason: str = ""
    sibling: str = ""
    twin: str = ""
    equal: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()

    @classmethod
    def of(cls, row: dict[str, Any]) -> "About":
        """What a row of the table says.

        Raises:
            GaugeError: it says something else.
        """
        known = [one.name for one in fields(cls)]
        for key in row:
            if key not in known:
                raise unknown("entry", key, known)
        values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
        return cls(**values)

    def row(self) -> dict[str, Any]:
        """The row of the table: everything that is said."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class Scenario(Task):
    """A task that is a V-BDDL file: its states are drawn from seeds, its goal is judged by gauge's own rules.

    Attributes:
        folder: where the file is; `bddl` is its name there.
        layout: 16 hex digits over everything that decides how the scene starts, which siblings share.
    """

    folder: str = ""
    layout: str = ""
    about: About = field(default=About())

    @property
    def bddl_path(self) -> Path:
        """The task file on disk."""
        return Path(self.folder) / self.bddl

    @property
    def capability(self) -> str:
        """What it tests."""
        return self.about.capability

    @property
    def split(self) -> str:
        """Inside (id) or outside (ood) the reference distribution."""
        return self.about.split

    def problems(self) -> list[str]:
        """What is wrong with the file on disk: gone, or changed since the suite was read or since it was certified."""
        if not self.bddl_path.is_file():
            return [f"{self.id}: {self.bddl_path} is missing"]
        if sha256(self.bddl_path) != self.bddl_sha256:
            return [f"{self.id}: {self.bddl_path} was changed after the suite was read; start again"]
        certified = certificate.read(Path(self.folder)).get(self.name)
        if certified is not None and certified.file != self.bddl_sha256:
            again = f"python -m gauge.certify suite=files suite.path={self.folder} suite.scenario={self.name}"
            return [f"{self.id}: {self.bddl_path} was changed after it was certified; type {again}"]
        return []


def load_folder(folder: Path, name: str) -> Suite:
    """All task files below the folder, in order of path, as a suite; a file's name without its ending is its task's.

    Raises:
        GaugeError: there are none, or some cannot be built and judged: every problem of every file is listed.
    """
    if not folder.is_dir():
        raise GaugeError(f"suite.path={folder} is no folder; name one that holds .bddl files")
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not paths:
        raise GaugeError(f"no .bddl file below suite.path={folder}; docs/scenarios.md says how to write one")
    tables = [path.parent / ABOUT for path in paths]
    stamps = {str(path): path.stat() for path in (*paths, *tables) if path.is_file()}
    changed = tuple((name, one.st_mtime_ns, one.st_size) for name, one in stamps.items())
    return _read(folder, name, tuple(paths), changed)


@cache
def _read(folder: Path, name: str, paths: tuple[Path, ...], changed: tuple[tuple[str, int, int], ...]) -> Suite:
    """The suite, read again only when a file changes."""
    faults: list[str] = []
    tables = {parent: _table(parent) for parent in dict.fromkeys(path.parent for path in paths)}
    tasks = [_scenario(name, index, path, tables[path.parent], faults) for index, path in enumerate(paths)]
    stems = [path.stem for path in paths]
    faults += [f"two files are called {stem}" for stem in dict.fromkeys(stems) if stems.count(stem) > 1]
    if faults:
        raise GaugeError(f"{folder}: {len(faults)} problems\n" + "\n".join(faults) if faults[1:] else faults[0])
    return Suite(name, tuple(task for task in tasks if task is not None))


def layout_of(task: vbddl.Task) -> str:
    """16 hex digits over problem, regions, things and start: neither instruction nor goal nor perturbations."""
    parts = [task.problem, *map(str, sorted((r.full_name, r.ranges, r.yaw or ()) for r in task.regions))]
    parts += [f"{one.name} {one.type}" for one in (*task.fixtures, *task.objects)]
    parts += sorted(map(str, task.init))
    parts += [f"shift {task.shift}"] if any(task.shift) else []
    parts += [f"swap {task.swap}"] if task.swap else []
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@cache
def solution_of(scenario: Scenario) -> str:
    """16 hex digits over layout and goal: whoever solves one such scenario solves all, however they are worded."""
    goal = str(vbddl.load(scenario.bddl_path).goal)
    return hashlib.sha256(f"{scenario.layout}\n{goal}".encode()).hexdigest()[:16]


def _scenario(suite: str, index: int, path: Path, table: dict[str, Any], faults: list[str]) -> Scenario | None:
    task, found = vbddl.examine_file(path)
    faults += [shown(str(path), problem) for problem in found if problem.severity == "error"]
    if task is None:
        return None
    try:
        about = About.of(table.get(path.stem, {}))
    except (GaugeError, TypeError, AttributeError) as error:
        faults.append(f"{path.parent / ABOUT}: {path.stem}: {error}")
        about = About()
    return Scenario(
        suite, index, path.stem, task.instruction, path.name, "", sha256(path), "", STATES,
        str(path.parent), layout_of(task), about,
    )  # fmt: skip


def _table(folder: Path) -> dict[str, Any]:
    """Rows by name of file; empty where the folder has no table."""
    path = folder / ABOUT
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise GaugeError(f"{path} is not JSON ({error}); it holds an object with one entry per task file") from error
    if not isinstance(found, dict):
        raise GaugeError(f"{path} is no JSON object; it holds one entry per task file")
    return found
