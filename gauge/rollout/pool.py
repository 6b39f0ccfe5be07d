"""Worker processes: episodes are handed out one by one, and lost ones are found again."""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context

from pebble import ProcessExpired, ProcessPool

from gauge.core.record import EpisodeRecord
from gauge.errors import PolicyError, SceneError
from gauge.rollout.plan import EpisodePlan
from gauge.rollout.worker import Worker, WorkerSetup, initialise, run_episode
from gauge.suites.libero import Task

log = logging.getLogger(__name__)
CRASH_RETRIES = 1
STOP_S = 3.0

OnRecord = Callable[[EpisodeRecord], None]
VideoOf = Callable[[], frozenset[str]]


@dataclass(slots=True)
class _Slot:
    """One worker process and the task whose scene it holds. One pool each, so that a crash stays its own."""

    pool: ProcessPool
    task: Task | None = None


def run_episodes(
    plans: Sequence[EpisodePlan],
    setup: WorkerSetup,
    workers: int,
    timeout_s: float,
    on_record: OnRecord,
    video_of: VideoOf,
) -> None:
    """Run every plan and hand over each record as it ends, in whatever order that is.

    `workers=0` runs them in this process, where a debugger works but nothing can be timed out. A worker that
    dies is replaced and its episode tried once more; one that is silent for `timeout_s` is killed.

    Raises:
        GaugeError: a fault of the set-up that no further episode could survive.
    """
    if workers == 0:
        _run_here(plans, setup, on_record, video_of)
        return
    context = get_context("spawn")
    slots = [
        _Slot(ProcessPool(max_workers=1, initializer=initialise, initargs=(setup, index), context=context))
        for index in range(min(workers, len(plans)))
    ]
    try:
        _Dispatch(list(plans), slots, timeout_s, on_record, video_of, setup).run()
    finally:
        for slot in slots:
            slot.pool.stop()
        for slot in slots:
            slot.pool.join(STOP_S)


def _run_here(plans: Sequence[EpisodePlan], setup: WorkerSetup, on_record: OnRecord, video_of: VideoOf) -> None:
    worker = Worker(setup, 0)
    try:
        for plan in plans:
            try:
                on_record(worker.run(plan, video_of()))
            except (PolicyError, SceneError) as error:
                on_record(lost(plan, setup, str(error)))
    finally:
        worker.close()


@dataclass(slots=True)
class _Dispatch:
    queue: list[EpisodePlan]
    slots: list[_Slot]
    timeout_s: float
    on_record: OnRecord
    video_of: VideoOf
    setup: WorkerSetup

    def run(self) -> None:
        """Keep every worker busy until nothing is left."""
        running: dict[Future[EpisodeRecord], tuple[_Slot, EpisodePlan]] = {}
        idle = list(self.slots)
        while self.queue or running:
            while idle and self.queue:
                slot = idle.pop()
                plan = self._next_for(slot)
                slot.task = plan.task
                future = slot.pool.schedule(run_episode, args=(plan, self.video_of()), timeout=self.timeout_s)
                running[future] = (slot, plan)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                slot, plan = running.pop(future)
                idle.append(slot)
                self._collect(future, plan)

    def _next_for(self, slot: _Slot) -> EpisodePlan:
        """The next episode of the scene that the worker holds, else of one that nobody holds, else any."""
        held = {other.task for other in self.slots}
        for wanted in (lambda t: t == slot.task, lambda t: t not in held):
            for position, plan in enumerate(self.queue):
                if wanted(plan.task):
                    return self.queue.pop(position)
        return self.queue.pop(0)

    def _collect(self, future: "Future[EpisodeRecord]", plan: EpisodePlan) -> None:
        try:
            self.on_record(future.result())
        except (PolicyError, SceneError) as error:
            self.on_record(lost(plan, self.setup, str(error)))
        except FutureTimeoutError:
            reason = f"no result within {self.timeout_s:g} s (episode_timeout_s); its worker was killed"
            self.on_record(lost(plan, self.setup, reason))
        except ProcessExpired as error:
            self._crashed(plan, error.exitcode)

    def _crashed(self, plan: EpisodePlan, exit_code: int | None) -> None:
        log.error("the worker of %s rollout %d died with exit code %s", plan.task.id, plan.rollout, exit_code)
        if plan.crashes < CRASH_RETRIES:
            self.queue.insert(0, replace(plan, crashes=plan.crashes + 1))
        else:
            self.on_record(lost(plan, self.setup, f"its worker process died twice (exit code {exit_code})"))


def lost(plan: EpisodePlan, setup: WorkerSetup, reason: str) -> EpisodeRecord:
    """The record of an episode that never came back."""
    return EpisodeRecord(
        cell_id=plan.cell_id,
        scenario_id=plan.task.id,
        rollout=plan.rollout,
        seed=plan.seed,
        status="error",
        prompt=plan.task.instruction,
        horizon=plan.horizon,
        settle_steps=plan.settle_steps,
        reason=reason,
        attempt=plan.attempt,
        fingerprint=setup.fingerprint,
        finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )
