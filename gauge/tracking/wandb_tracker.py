"""Weights & Biases, kept where it can do no harm: in a child process behind a pipe that is never waited for.

W&B's own exit hooks wait for the network (82 s were seen with an unreachable server), so a thread in the evaluating
process would delay its end. The pipe is the bounded queue: what does not fit is dropped and counted.
"""

import importlib.util
import json
import logging
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gauge.core.cell import Cell
from gauge.core.record import EpisodeRecord

_CHILD = Path(__file__).with_name("wandb_child.py")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WandbOptions:
    """Options of `tracking=wandb`.

    Attributes:
        project, entity: where the run goes.
        mode: online, offline or disabled; WANDB_MODE overrides it. Without a key a run is offline.
        tags: shown in the run list.
        timeout_s: the longest that the end of an evaluation waits for W&B.
        init_timeout_s: when an unreachable server makes the run offline.
    """

    project: str = "gauge"
    entity: str | None = None
    mode: str = "online"
    tags: Sequence[str] = ()
    timeout_s: float = 15.0
    init_timeout_s: float = 30.0


class WandbTracker:
    """One W&B run per cell folder, whose id follows from the study and the cell. See `Tracker`.

    Whatever goes wrong ends in one warning: a missing package or a folder that cannot be written at the start,
    anything else at the end.
    """

    def __init__(self, options: WandbOptions, cell_dir: Path) -> None:
        self.options = options
        self.cell_dir = cell_dir
        self.dropped = 0
        self._counts: Counter[str] = Counter()
        self._steps = 0
        self._child: subprocess.Popen[bytes] | None = None

    def start(self, cell: Cell, config: Mapping[str, Any], done: Iterable[EpisodeRecord] = ()) -> None:
        """Start the child process; it connects in its own time."""
        for record in done:
            self._count(record)
        if importlib.util.find_spec("wandb") is None:
            _log.warning("tracking=wandb needs the package wandb (pip install wandb); nothing is tracked")
            return
        try:
            self._child = _start_child(self.cell_dir / "wandb", self._start_message(cell, config))
        except (OSError, TypeError, ValueError) as error:
            _log.warning("W&B cannot start (%s); nothing is tracked", error)

    def episode(self, record: EpisodeRecord) -> None:
        """Send the running totals, or drop them when the pipe is full."""
        self._count(record)
        evaluated = self._counts["success"] + self._counts["fail"]
        totals = {
            "episodes": self._counts.total(),
            "success_rate": self._counts["success"] / evaluated if evaluated else None,
            "errors": self._counts["error"],
            "steps": self._steps,
        }
        if self._child and not _push(self._child, {"log": totals}, wait_s=0):
            self.dropped += 1

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Send the summary, wait `timeout_s` at most, then end the child."""
        child, self._child = self._child, None
        if child is None:
            return
        deadline = time.monotonic() + self.options.timeout_s
        self.dropped += not _push(child, {"summary": dict(summary)}, wait_s=self.options.timeout_s)
        fault = self._end(child, deadline)
        if self.dropped:
            fault = f"{fault or 'it was too slow'}; {self.dropped} messages were dropped"
        if fault:
            _log.warning("W&B: %s (the records on disk are complete; see %s)", fault, self.cell_dir / "wandb")

    def _count(self, record: EpisodeRecord) -> None:
        self._counts[record.status] += 1
        self._steps += record.steps

    def _start_message(self, cell: Cell, config: Mapping[str, Any]) -> dict[str, Any]:
        """What the child needs to know; the run id is the same whenever this cell of this study is run."""
        options, study = self.options, self.cell_dir.resolve().parent.name
        run = {
            "project": options.project,
            "entity": options.entity,
            "id": f"{re.sub('[^A-Za-z0-9_-]+', '_', study)[:40]}-{cell.id}",
            "name": cell.name,
            "group": study,
            "tags": list(options.tags),
            "config": {**config, "cell": cell.to_json()},
            "dir": str(self.cell_dir),
            "mode": os.environ.get("WANDB_MODE") or options.mode,
            "resume": "allow",
        }
        return {"run": run, "init_timeout_s": options.init_timeout_s, "timeout_s": options.timeout_s}

    def _end(self, child: subprocess.Popen[bytes], deadline: float) -> str:
        """Close the child's input and wait for it; say what went wrong, or nothing."""
        assert child.stdin is not None
        child.stdin.close()
        try:
            code = child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            return f"it did not finish within {self.options.timeout_s:g} s"
        note = self.cell_dir / "wandb" / "note.txt"
        with suppress(OSError):
            return note.read_text().strip()
        return f"its process ended with code {code}" if code else ""


def _start_child(folder: Path, start: dict[str, Any]) -> subprocess.Popen[bytes]:
    """The process that talks to W&B, with a pipe to it that never blocks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "note.txt").unlink(missing_ok=True)
    (folder / "start.json").write_text(json.dumps(start))
    places = {f"WANDB_{kind}_DIR": str(folder / kind.lower()) for kind in ("CACHE", "DATA", "ARTIFACT")}
    with (folder / "output.txt").open("ab") as output:
        child = subprocess.Popen(
            [sys.executable, "-P", str(_CHILD), str(folder)],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,  # no terminal to ask at, and Ctrl-C does not cut it short
            env={**places, **os.environ, "WANDB_ERROR_REPORTING": "false"},
        )
    assert child.stdin is not None
    os.set_blocking(child.stdin.fileno(), False)
    return child


def _push(child: subprocess.Popen[bytes], message: dict[str, Any], wait_s: float) -> bool:
    """Write a message into the child's pipe; False when it does not fit in time or the child is gone.

    A pipe takes a line of up to 4096 bytes whole or not at all, so without waiting no line is cut.
    """
    assert child.stdin is not None
    rest = json.dumps(message, default=str).encode() + b"\n"
    deadline = time.monotonic() + wait_s
    while rest:
        try:
            rest = rest[os.write(child.stdin.fileno(), rest) :]
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        except OSError:
            return False
    return True
