"""How long a policy may try a task: one number for all, or what each scenario's certificate says."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from gauge.suites import certificate
from gauge.suites.libero import Task
from gauge.suites.scenario import Scenario

PLAIN = 400  # control steps, where there is no certificate


def certified(task: Task) -> int | None:
    """What the task's certificate says, control steps; None without one, or without a witness."""
    if not isinstance(task, Scenario):
        return None
    path = Path(task.folder) / certificate.TABLE
    return _read(path, path.stat().st_mtime_ns).get(task.name) if path.is_file() else None


def of(task: Task, asked: int | None) -> int:
    """Control steps of an episode of the task: `asked`, else as certified, else `PLAIN`."""
    return asked or certified(task) or PLAIN


def identity(tasks: Iterable[Task], asked: int | None) -> int | str:
    """What stands for the horizons of a suite's tasks in the ids of its cells: another one, another id."""
    if asked is not None:
        return asked
    rows = "\n".join(f"{task.id} {of(task, None)}" for task in tasks)
    return f"certified {hashlib.sha256(rows.encode()).hexdigest()[:12]}"


def sentence(tasks: Iterable[Task], asked: int | None) -> str:
    """Which horizons an evaluation has, for people; empty where they were asked for."""
    found = [] if asked is not None else [certified(task) for task in tasks]
    own = [steps for steps in found if steps is not None]
    said = [f"{len(own)} as certified ({min(own)} to {max(own)} control steps)"] if own else []
    said += [f"{len(found) - len(own)} without certificate ({PLAIN})"] if len(own) < len(found) else []
    return f"horizons of {len(found)} scenarios: {', '.join(said)}" if said else ""


@cache
def _read(path: Path, changed: int) -> dict[str, int]:
    """Horizons by scenario's name, read once until the table changes."""
    known = certificate.read(path.parent)
    return {name: certificate.horizon(one.steps) for name, one in known.items() if one.witness is not None}
