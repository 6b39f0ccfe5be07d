"""Worker processes: episodes are handed out one by one, and lost ones are found again."""

import atexit
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from typing import NamedTuple

from pebble import ProcessExpired, ProcessPool

from gauge.core.record import EpisodeRecord
from gauge.errors import PolicyError, SceneError
from gauge.rollout.host import PolicyHost, PolicyProcess
from gauge.rollout.plan import EpisodePlan
from gauge.rollout.worker import Outcome, Worker, WorkerSetup, initialise, run_episode
from gauge.suites.libero import Task

log = logging.getLogger(__name__)
CRASH_RETRIES = 1
STOP_S = 3.0
WATCH_S = 1.0  # between two looks at the shared policy

OnRecord = Callable[[EpisodeRecord], None]
VideoOf = Callable[[], frozenset[str]]


@dataclass(slots=True)
class _Slot:
    """One worker process and the tasks whose scenes it holds. One pool each, so that a crash stays its own."""

    pool: ProcessPool
    held: frozenset[Task] = frozenset()


@dataclass(slots=True)
class WorkerPool:
    """`workers` processes that outlive a cell, so that the next cell of a sweep finds its scenes compiled.

    Each is replaced after `recycle_after` episodes (0: never), for drivers that lose memory.

    With `workers=0` episodes run in this process, where a debugger works but nothing can be timed out.
    """

    workers: int
    renderer: str
    memory_gb: float
    recycle_after: int = 0
    _slots: list[_Slot] = field(default_factory=list)
    _host: PolicyHost = field(default_factory=PolicyHost)
    _here: Worker | None = None

    def run(
        self,
        plans: Sequence[EpisodePlan],
        setup: WorkerSetup,
        timeout_s: float,
        on_record: OnRecord,
        video_of: VideoOf,
    ) -> None:
        """Run every plan and hand over each record as it ends, in whatever order that is.

        A worker that dies is replaced and its episode tried once more; one that is silent for `timeout_s` is
        killed. The same holds for a policy that the workers share, and for the episodes that it served. On an
        exception, Ctrl-C included, all these processes are ended.

        Raises:
            GaugeError: a fault of the set-up that no further episode could survive.
        """
        if self.workers == 0:
            self._run_here(plans, setup, on_record, video_of)
            return
        self._start(min(self.workers, len(plans)))
        if setup.sharing is None:
            self._host.close()
        host = self._host if setup.sharing is not None else None
        try:
            _Dispatch(list(plans), self._slots, setup, timeout_s, on_record, video_of, host).run()
        except BaseException:
            self.close()
            raise
        self._host.report()

    def close(self) -> None:
        """End every worker process, at once, and the shared policy."""
        for slot in self._slots:
            slot.pool.stop()
        self._host.close()
        for slot in self._slots:
            slot.pool.join(STOP_S)
        self._slots.clear()
        if self._here is not None:
            self._here.close()
            self._here = None

    def _start(self, count: int) -> None:
        context = get_context("spawn")  # never fork: OpenGL contexts and locks do not survive it
        threads = max(1, (os.cpu_count() or 1) // self.workers)
        for index in range(len(self._slots), count):
            settings = (self.renderer, self.memory_gb, index, threads)
            self._slots.append(_Slot(ProcessPool(1, self.recycle_after, initialise, settings, context)))

    def _run_here(
        self, plans: Sequence[EpisodePlan], setup: WorkerSetup, on_record: OnRecord, video_of: VideoOf
    ) -> None:
        self._here = self._here or Worker(self.renderer, self.memory_gb)
        for plan in plans:
            try:
                on_record(self._here.run(setup, plan, video_of()).record)
            except (PolicyError, SceneError) as error:
                on_record(lost(plan, setup, str(error)))


@cache
def shared_pool(workers: int, renderer: str, memory_gb: float, recycle_after: int = 0) -> WorkerPool:
    """The pool of this process with these settings; it ends with the process."""
    pool = WorkerPool(workers, renderer, memory_gb, recycle_after)
    atexit.register(pool.close)
    return pool


class _Running(NamedTuple):
    """An episode on its way: the worker that runs it and, if the policy is shared, the process that answers it."""

    slot: _Slot
    plan: EpisodePlan
    served_by: PolicyProcess | None


@dataclass(slots=True)
class _Dispatch:
    """One cell's episodes on their way through the workers."""

    queue: list[EpisodePlan]
    slots: list[_Slot]
    setup: WorkerSetup
    timeout_s: float
    on_record: OnRecord
    video_of: VideoOf
    host: PolicyHost | None = None

    def run(self) -> None:
        """Keep every worker busy until nothing is left."""
        running: dict[Future[Outcome], _Running] = {}
        idle = list(self.slots)
        while self.queue or running:
            while idle and self.queue:
                served_by = self.host.process(self.setup) if self.host is not None else None
                setup = self.setup if served_by is None else served_by.clients(self.setup)
                slot = idle.pop(0)
                plan = self._next_for(slot)
                future = slot.pool.schedule(run_episode, args=(setup, plan, self.video_of()), timeout=self.timeout_s)
                running[future] = _Running(slot, plan, served_by)
            done, _ = wait(running, None if self.host is None else WATCH_S, FIRST_COMPLETED)
            if self.host is not None:
                self.host.watch()
            for future in done:
                ended = running.pop(future)
                idle.append(ended.slot)
                self._collect(future, ended)

    def _next_for(self, slot: _Slot) -> EpisodePlan:
        """The next episode of a scene that the worker holds, else of one that nobody holds, else any."""
        taken = frozenset[Task]().union(*(other.held for other in self.slots if other is not slot))
        position = next((k for k, plan in enumerate(self.queue) if plan.task in slot.held), None)
        if position is None:
            position = next((k for k, plan in enumerate(self.queue) if plan.task not in taken), 0)
        plan = self.queue.pop(position)
        slot.held |= {plan.task}
        return plan

    def _collect(self, future: "Future[Outcome]", ended: _Running) -> None:
        slot, plan, served_by = ended
        try:
            outcome = future.result()
        except (PolicyError, SceneError) as error:
            self.on_record(lost(plan, self.setup, str(error)))
        except FutureTimeoutError:
            slot.held = frozenset()
            reason = f"no result within {self.timeout_s:g} s (episode_timeout_s); its worker was killed"
            self.on_record(lost(plan, self.setup, reason))
        except ProcessExpired as error:
            slot.held = frozenset()
            self._crashed(plan, "worker", f"exit code {error.exitcode}")
        else:
            slot.held = outcome.held
            end = served_by.end() if served_by is not None and outcome.policy_lost else None
            if end is not None:
                self._crashed(plan, "policy", end)
                return
            if self.host is not None and outcome.record.status != "error":
                self.host.proved()
            self.on_record(outcome.record)

    def _crashed(self, plan: EpisodePlan, which: str, how: str) -> None:
        log.error("the %s process of %s rollout %d died (%s)", which, plan.task.id, plan.rollout, how)
        if plan.crashes < CRASH_RETRIES:
            self.queue.insert(0, replace(plan, crashes=plan.crashes + 1))
        else:
            self.on_record(lost(plan, self.setup, f"its {which} process died twice ({how})"))


def lost(plan: EpisodePlan, setup: WorkerSetup, reason: str) -> EpisodeRecord:
    """The record of an episode that never came back."""
    return EpisodeRecord(
        cell_id=plan.cell_id,
        scenario_id=plan.task.id,
        rollout=plan.rollout,
        seed=plan.seed,
        status="error",
        prompt=plan.told,
        horizon=plan.horizon,
        settle_steps=plan.settle_steps,
        reason=reason,
        attempt=plan.attempt,
        fingerprint=setup.fingerprint,
        finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
