"""One policy for all workers: its process is started when it is needed, watched, and replaced when it ends."""

import logging
import time
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from gauge.errors import GaugeError, IncompleteError
from gauge.policies.remote import RemotePolicy
from gauge.rollout.host_process import HOST, Failed, Ready, serve_shared
from gauge.rollout.worker import WorkerSetup
from gauge.wire.batch import Meter
from gauge.wire.client import Patience

log = logging.getLogger(__name__)
MAX_LOSSES = 3
STOP_S = 3.0
# How long a process whose connections broke may take to be gone; drivers of accelerators take their time.
ENDING_S = 10.0
# The clients' own limit. Long, because the process is watched from here, and so is every episode.
CLIENT_PATIENCE_S = 24 * 3600.0


class PolicyProcess:
    """One life of the shared policy's process."""

    def __init__(self, setup: WorkerSetup) -> None:
        """Start it and wait until its policy is ready.

        Raises:
            GaugeError: it cannot be started; the sentence says why.
        """
        assert setup.sharing is not None
        context = get_context("spawn")  # never fork: threads and accelerator contexts do not survive it
        self.meter: Meter = context.RawValue(Meter)
        self._timeout_s = setup.sharing.timeout_s
        self._hung = False
        ours, theirs = context.Pipe(duplex=False)
        work = (setup.policy, setup.folder, setup.sharing.max_batch, self.meter, theirs)
        self._process = context.Process(target=serve_shared, args=work, name="shared policy", daemon=True)
        try:
            self._process.start()
            theirs.close()
            self._ready = self._first_word(ours, setup)
        except BaseException:
            self.close()
            raise
        finally:
            ours.close()

    @property
    def running(self) -> bool:
        """Whether it can be asked."""
        return not self._hung and self._process.is_alive()

    def clients(self, setup: WorkerSetup) -> WorkerSetup:
        """The same set-up with a client of this process in place of the policy."""
        spec, identity, port = self._ready
        client = partial(
            RemotePolicy,
            spec,
            host=HOST,
            port=port,
            expect_model=identity,
            patience=Patience(self._timeout_s, CLIENT_PATIENCE_S, CLIENT_PATIENCE_S, attempts=1),
        )
        return replace(setup, policy=client, policy_key=f"{setup.policy_key} of {self._process.pid} at {port}")

    def watch(self) -> None:
        """End it if it has worked on one call for too long."""
        busy_since = self.meter.busy_since
        if self.running and busy_since and time.monotonic() - busy_since > self._timeout_s:
            self._hung = True
            self._process.kill()

    def end(self) -> str | None:
        """How it ended, for a client whose connection broke; None if it is alive and well."""
        gone = wait([self._process.sentinel], ENDING_S)
        if self._hung:
            return f"no answer within {self._timeout_s:g} s (policy_timeout_s)"
        if not gone:
            return None
        self._process.join()
        return f"exit code {self._process.exitcode}"

    def close(self) -> None:
        """End it, politely first."""
        if self._process.pid is None:
            return
        self._process.terminate()
        self._process.join(STOP_S)
        self._process.kill()
        self._process.join()

    def _first_word(self, ours: "Connection[None, Ready | Failed]", setup: WorkerSetup) -> Ready:
        log_file = setup.folder / "log.txt"
        if not ours.poll(self._timeout_s):
            raise GaugeError(
                f"the shared policy was not ready within {self._timeout_s:g} s; set policy_timeout_s to what it needs"
            )
        try:
            word = ours.recv()
        except EOFError as error:
            self._process.join()
            raise GaugeError(
                f"the shared policy's process died while it started (exit code {self._process.exitcode}); "
                f"{log_file} may say why, or what it printed"
            ) from error
        if isinstance(word, Failed):
            raise GaugeError(word.reason if word.is_sentence else f"{word.reason}; the traceback is in {log_file}")
        return word


class PolicyHost:
    """The shared policy over all its lives, and over all cells that evaluate the same model."""

    def __init__(self) -> None:
        self._key = ""
        self._process: PolicyProcess | None = None
        self._losses = 0
        self._calls = 0
        self._rows = 0
        self._reported = (0, 0)

    def process(self, setup: WorkerSetup) -> PolicyProcess:
        """The running process of this policy, started if there is none.

        Raises:
            GaugeError: it cannot be started.
            IncompleteError: it ended `MAX_LOSSES` times, and no episode came to an end in between.
        """
        key = f"{setup.policy_key} {setup.sharing}"
        if self._key != key:
            self.close()
            self._key = key
        if self._process is not None and not self._process.running:
            self._bury(self._process)
        self._process = self._process or PolicyProcess(setup)
        return self._process

    def watch(self) -> None:
        """End a process that hangs."""
        if self._process is not None:
            self._process.watch()

    def proved(self) -> None:
        """An episode came to an end, so what was lost before was bad luck."""
        self._losses = 0

    @property
    def tally(self) -> tuple[int, int]:
        """Calls that were answered, and observations answered by them, in all lives."""
        meter = self._process.meter if self._process is not None else Meter()
        return self._calls + meter.calls, self._rows + meter.rows

    def report(self) -> None:
        """Log how many observations were answered at a time since the last report."""
        calls, rows = (now - before for now, before in zip(self.tally, self._reported, strict=True))
        self._reported = self.tally
        if calls:
            log.info(
                "the shared policy answered %d observations in %d calls, %.1f at a time", rows, calls, rows / calls
            )

    def close(self) -> None:
        """End the process."""
        self._calls, self._rows = self.tally
        if self._process is not None:
            self._process.close()
            self._process = None
        self._losses = 0

    def _bury(self, process: PolicyProcess) -> None:
        end = process.end()
        log.error("the shared policy's process ended (%s)", end)
        self._calls, self._rows = self.tally
        self._process = None
        self._losses += 1
        if self._losses == MAX_LOSSES:
            raise IncompleteError(
                f"the shared policy's process ended {MAX_LOSSES} times in a row, the last time with {end}; "
                "what was evaluated is stored, run the same command again to continue"
            )
