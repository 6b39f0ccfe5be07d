"""The files of one sweep: their own folder, and `jobs.json`, which outlives the terminal."""

import json
import os
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path


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
class Entry:
    """One submitted job.

    Attributes:
        number: its place in the sweep.
        id: the cluster's name for it, or the process id.
        overrides: the command line that repeats it alone.
        folder: where its results go.
        log: what it prints.
    """

    number: int
    id: str
    overrides: list[str]
    folder: str
    log: str


@dataclass(slots=True)
class Ledger:
    """`jobs.json`, rewritten as a whole after every submission, so that a lost terminal loses nothing."""

    path: Path
    cluster: str
    jobs: list[Entry] = field(default_factory=list)

    def add(self, *entries: Entry) -> None:
        """Add jobs that have just been submitted."""
        self.jobs += entries
        data = {"version": 1, "cluster": self.cluster, "jobs": [asdict(job) for job in self.jobs]}
        unfinished = self.path.with_suffix(".partial")
        unfinished.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        unfinished.replace(self.path)
