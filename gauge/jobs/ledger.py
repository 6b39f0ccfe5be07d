"""The files of one sweep: their own folder, and `jobs.json`, which outlives the terminal."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gauge.errors import GaugeError
from gauge.records.lock import Holder

FILE = "jobs.json"
VERSION = 2
WRITE_EVERY_S = 0.5  # at most, and so seldom that writing a long list takes a small part of the time
WRITE_SHARE = 0.02


def new_folder(sweep_dir: Path) -> Path:
    """A new folder `sweeps/<time>-<process>`: no two sweeps share one, even if started in the same second."""
    stamp = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{os.getpid()}"
    for attempt in range(1000):
        folder = sweep_dir / "sweeps" / (f"{stamp}-{attempt}" if attempt else stamp)
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(f"{sweep_dir}/sweeps holds 1000 folders named {stamp}")


@dataclass(frozen=True, slots=True)
class CellPart:
    """The episodes of one cell that a job is to evaluate.

    Attributes:
        folder: the cell's.
        cell_id: the cell's.
        scenarios: ids, each with rollouts 0 to `rollouts` - 1.
        rollouts: of each scenario.
    """

    folder: str
    cell_id: str
    scenarios: tuple[str, ...]
    rollouts: int

    @property
    def episodes(self) -> int:
        """How many they are."""
        return len(self.scenarios) * self.rollouts


@dataclass(frozen=True, slots=True)
class Entry:
    """One job.

    Attributes:
        number: its place in the sweep.
        overrides: the command line that repeats it alone.
        folder: where its results go.
        cells: what it is to evaluate; empty for jobs that evaluate nothing.
        id: the scheduler's name for it or the process id; empty until it is submitted.
        log: what it prints; empty until it is submitted.
    """

    number: int
    overrides: list[str]
    folder: str
    cells: tuple[CellPart, ...] = ()
    id: str = ""
    log: str = ""


@dataclass(slots=True)
class Ledger:
    """`jobs.json` of a sweep: every job from the start, its id once it is submitted."""

    path: Path
    cluster: str
    owner: Holder
    jobs: dict[int, Entry] = field(default_factory=dict)
    _due: float = 0.0  # when the next single note is written

    def add(self, entries: Sequence[Entry]) -> None:
        """List jobs before the first one is submitted."""
        self.jobs |= {entry.number: entry for entry in entries}
        self.write()

    def submitted(self, ids: Mapping[int, tuple[str, str]]) -> None:
        """Note (id, log) by number of job; many single notes are written together."""
        self.jobs |= {number: replace(self.jobs[number], id=id, log=log) for number, (id, log) in ids.items()}
        if len(ids) > 1 or time.monotonic() > self._due:
            self.write()

    def write(self) -> None:
        """Replace the file as a whole; scenario lists that many jobs share are written once."""
        began = time.monotonic()
        lists: dict[tuple[str, ...], int] = {}
        jobs = []
        for entry in self.jobs.values():
            cells = [{**_flat(cell), "scenarios": lists.setdefault(cell.scenarios, len(lists))} for cell in entry.cells]
            jobs.append({**_flat(entry), "cells": cells})
        head = {"version": VERSION, "cluster": self.cluster, "owner": asdict(self.owner)}
        unfinished = self.path.with_suffix(".partial")
        text = json.dumps({**head, "scenarios": list(lists), "jobs": jobs}, indent=1, ensure_ascii=False)
        unfinished.write_text(text + "\n", encoding="utf-8")
        unfinished.replace(self.path)
        now = time.monotonic()
        self._due = now + max(WRITE_EVERY_S, (now - began) / WRITE_SHARE)

    @classmethod
    def read(cls, path: Path) -> "Ledger":
        """What `write` wrote.

        Raises:
            GaugeError: there is no such file, or it is damaged or of another version.
        """
        try:
            data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            lists = [tuple(names) for names in data["scenarios"]]
            jobs = [_entry(job, lists) for job in data["jobs"]]
            return cls(path, data["cluster"], Holder(**data["owner"]), {job.number: job for job in jobs})
        except FileNotFoundError:
            raise GaugeError(f"{path.parent} holds no {FILE}; give the folder of a sweep or of its study") from None
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise GaugeError(f"{path} is not a list of jobs of this version ({error!r})") from error


def _flat(one: Entry | CellPart) -> dict[str, Any]:
    """Its attributes; `asdict` would copy all of them deeply."""
    return {part.name: getattr(one, part.name) for part in fields(one)}


def _entry(job: dict[str, Any], lists: list[tuple[str, ...]]) -> Entry:
    cells = tuple(CellPart(**{**cell, "scenarios": lists[cell["scenarios"]]}) for cell in job["cells"])
    return Entry(**{**job, "cells": cells})


def latest(root: Path) -> Path:
    """The ledger at `root`: a sweep's folder, a study's, or the outputs' (the newest sweep below it).

    Raises:
        GaugeError: there is none.
    """
    if (root / FILE).is_file():
        return root / FILE
    found = [*root.glob(f"sweeps/*/{FILE}"), *root.glob(f"*/sweeps/*/{FILE}")]
    if not found:
        raise GaugeError(f"no sweep below {root}; give the folder that the sweep's first line names")
    return max(found, key=lambda path: (path.parent.name.rsplit("-", 1)[0], path.stat().st_mtime))
