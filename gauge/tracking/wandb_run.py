"""One run in Weights & Biases, kept where it can do no harm: in a child process behind a pipe that is never waited for.

W&B's own exit hooks wait for the network (82 s were seen with an unreachable server), so a thread in the evaluating
process would delay its end. The pipe is the bounded queue: what does not fit is dropped and counted.
"""

import importlib.util
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


class WandbRun:
    """A run whose id and group the caller chooses; the same id continues it.

    Whatever goes wrong ends in one warning: a missing package or a folder that cannot be written at the start,
    anything else at the end.
    """

    def __init__(self, options: WandbOptions, folder: Path, counter: str) -> None:
        """Nothing is started yet.

        Args:
            options: those of `tracking=wandb`.
            folder: where W&B may write, in a folder `wandb` of its own.
            counter: the logged number along which the others are drawn.
        """
        self.options, self.folder, self.counter = options, folder, counter
        self.dropped = 0
        self.child: subprocess.Popen[bytes] | None = None

    def start(self, name: str, group: str, identity: str, config: Mapping[str, Any]) -> None:
        """Start the child process; it connects in its own time."""
        if importlib.util.find_spec("wandb") is None:
            _log.warning("tracking=wandb needs the package wandb (pip install wandb); nothing is tracked")
            return
        options = self.options
        run = {
            "project": options.project,
            "entity": options.entity,
            "id": identity,
            "name": name,
            "group": group,
            "tags": list(options.tags),
            "config": dict(config),
            "dir": str(self.folder),
            "mode": os.environ.get("WANDB_MODE") or options.mode,
            "resume": "allow",
        }
        message = {"run": run, "init_timeout_s": options.init_timeout_s, "timeout_s": options.timeout_s}
        try:
            self.child = _start_child(self.folder / "wandb", {**message, "counter": self.counter})
        except (OSError, TypeError, ValueError) as error:
            _log.warning("W&B cannot start (%s); nothing is tracked", error)

    def log(self, values: Mapping[str, Any]) -> None:
        """Send values, or drop them when the pipe is full."""
        if self.child and not _push(self.child, {"log": dict(values)}, wait_s=0):
            self.dropped += 1

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Send the summary, wait `timeout_s` at most, then end the child."""
        child, self.child = self.child, None
        if child is None:
            return
        deadline = time.monotonic() + self.options.timeout_s
        self.dropped += not _push(child, {"summary": dict(summary)}, wait_s=self.options.timeout_s)
        fault = self._end(child, deadline)
        if self.dropped:
            fault = f"{fault or 'it was too slow'}; {self.dropped} messages were dropped"
        if fault:
            _log.warning("W&B: %s (the records on disk are complete; see %s)", fault, self.folder / "wandb")

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
        note = self.folder / "wandb" / "note.txt"
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
