"""Worker processes for demonstrations: jobs are handed out one by one, lost ones are reported."""

import logging
import os
import signal
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pebble import ProcessExpired, ProcessPool

from gauge.errors import GaugeError, IncompleteError, SceneError
from gauge.perturbations.base import Bound, changes
from gauge.rollout.worker import end_with_parent
from gauge.sim import backend
from gauge.suites.libero import Task

if TYPE_CHECKING:
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene, Stepper

log = logging.getLogger(__name__)
SCENES = 2  # compiled scenes that a process keeps; each fills a few hundred megabytes
STOP_S = 3.0


class Job(Protocol):
    """Something to do in a worker process: picklable, and `run` finds the process's scenes on the stage."""

    def run(self, stage: "Stage") -> Any:
        """Do it; every file it writes appears whole or not at all."""


class Done(NamedTuple):
    """An ended `Job`: its result, or in `lost` why there is none."""

    job: Any
    result: Any = None
    lost: str = ""


class Stage:
    """The scenes compiled in this process, the last few used."""

    def __init__(self, renderer: str) -> None:
        backend.prepare(renderer)  # before anything imports MuJoCo
        self._scenes: OrderedDict[Hashable, Scene] = OrderedDict()
        self._screen: Screen | None = None

    def scene(self, task: Task, stepper: "Stepper" = "lean", bound: Sequence[Bound] = ()) -> "Scene":
        """The compiled scene of the task, with what the items change before it is compiled."""
        from gauge.sim.camera import Screen
        from gauge.sim.scene import Scene

        made = (stepper, changes(bound, task))
        key = (task, made)
        if key not in self._scenes:
            while len(self._scenes) >= SCENES:
                self._scenes.popitem(last=False)[1].close()
            self._screen = self._screen or Screen()
            self._scenes[key] = Scene(task, self._screen, *made)
        self._scenes.move_to_end(key)
        return self._scenes[key]

    def close(self) -> None:
        """Free the scenes, then the OpenGL context."""
        for part in (*self._scenes.values(), self._screen):
            if part is not None:
                part.close()


def work(queue: "deque[Any]", workers: int, renderer: str, timeout_s: float) -> Iterator[Done]:
    """Run every job of the queue, which may grow meanwhile, and hand over each as it ends, in any order.

    A job that takes longer than `timeout_s` is ended, one whose process dies is tried once more; both then count
    as lost, and so does one whose scene is not valid. With `workers=0` jobs run in this process, where nothing can
    be timed out. All processes end with the iterator.

    Raises:
        GaugeError: a fault of the set-up that every further job would meet.
    """
    if workers == 0:
        yield from _here(queue, renderer)
        return
    pool = ProcessPool(
        max_workers=workers,
        initializer=_initialise,
        initargs=(renderer, max(1, (os.cpu_count() or 1) // workers)),
        context=get_context("spawn"),
    )
    running: dict[Future[Any], Job] = {}
    crashed: list[Job] = []
    try:
        while queue or running:
            while queue and len(running) < workers:
                job = queue.popleft()
                running[pool.schedule(_run, args=(job,), timeout=timeout_s)] = job
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                job = running.pop(future)
                done = _collect(future, job, timeout_s, job in crashed)
                if done is None:
                    crashed.append(job)
                    queue.appendleft(job)
                else:
                    yield done
    finally:
        pool.stop()
        pool.join(STOP_S)


def watched(ended: Iterator[Done], lost: dict[str, str], name: Callable[[Any], str], most: int) -> Iterator[Done]:
    """The ended jobs; what is lost is noted by the job's name.

    Raises:
        IncompleteError: `most` were lost in a row, so that the cause is probably not the jobs.
    """
    in_a_row = 0
    for done in ended:
        if done.lost:
            lost[name(done.job)] = done.lost
            log.warning("%s: %s", name(done.job), done.lost)
        in_a_row = in_a_row + 1 if done.lost else 0
        if in_a_row >= most:
            raise IncompleteError(
                f"stopped after {in_a_row} lost jobs in a row (stop_after_errors), the last one: {done.lost}; "
                "what was done is stored, run the same command again to continue"
            )
        yield done


def _collect(future: "Future[Any]", job: Job, timeout_s: float, last_try: bool) -> Done | None:
    """The ended job, or None if it is to be tried again."""
    try:
        return Done(job, future.result())
    except SceneError as error:
        return Done(job, lost=str(error))
    except FutureTimeoutError:
        return Done(job, lost=f"no result within {timeout_s:g} s (timeout_s); its process was ended")
    except ProcessExpired as error:
        return Done(job, lost=f"its process died twice (exit code {error.exitcode})") if last_try else None


def _here(queue: "deque[Any]", renderer: str) -> Iterator[Done]:
    stage = Stage(renderer)
    try:
        while queue:
            job = queue.popleft()
            try:
                done = Done(job, job.run(stage))
            except SceneError as error:
                done = Done(job, lost=str(error))
            yield done
    finally:
        stage.close()


_stage: Stage | None = None  # the one of this process
_make: Callable[[], Stage] | None = None


def _initialise(renderer: str, threads: int) -> None:
    """`threads` is this process's share of the cores for Mesa's software renderer; a user's own setting wins."""
    global _make
    os.environ.setdefault("LP_NUM_THREADS", str(threads))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    end_with_parent()
    _make = lambda: Stage(renderer)  # noqa: E731 - its errors belong to the first job


def _run(job: Job) -> Any:
    global _stage
    if _make is None:
        raise GaugeError("this process was not initialised as a worker")
    _stage = _stage or _make()
    return job.run(_stage)
