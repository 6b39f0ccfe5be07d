"""What a worker process does: keep compiled scenes and one policy, run the episodes it is handed."""

import logging
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gauge.core.policy import Policy
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.perturbations.base import Bound, changes
from gauge.policies.remote import RemotePolicy
from gauge.policies.served.policy import Served
from gauge.rollout.plan import EpisodePlan
from gauge.sim import backend
from gauge.suites.libero import Task

if TYPE_CHECKING:
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene, Stepper

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class Sharing:
    """How one policy, in a process of its own, serves all workers.

    Attributes:
        timeout_s: how long it may take to get ready, and to answer one call, before it counts as hung.
        max_batch: most observations in one call; None for no limit.
    """

    timeout_s: float
    max_batch: int | None = None


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """Everything that the episodes of one cell share, plain and picklable.

    Attributes:
        policy: builds the policy; `policy_key` says when the one that a worker holds still serves.
        bound: the cell's perturbation items with their code.
        folder: the cell's folder, for videos and the log.
        fingerprint: stored with every record.
        stepper: who advances the physics, lean or robosuite.
        sharing: set when the workers share one policy; None gives each worker one of its own.
        criterion: what counts as success, as (steps, released); see `gauge.rollout.success`.
        black: the policy is shown black pictures.
    """

    policy: Callable[[], Policy]
    policy_key: str
    bound: Sequence[Bound]
    folder: Path
    fingerprint: dict[str, str]
    stepper: "Stepper" = "lean"
    sharing: Sharing | None = None
    criterion: tuple[int, bool] = (1, False)
    black: bool = False


class Outcome(NamedTuple):
    """A finished episode and the tasks whose compiled scenes the worker now holds.

    `policy_lost` says that the episode ended because nobody was there any more to answer.
    """

    record: EpisodeRecord
    held: frozenset[Task]
    policy_lost: bool = False


class Worker:
    """One OpenGL context, one policy, and as many compiled scenes as fit into `memory_gb`."""

    def __init__(self, renderer: str, memory_gb: float, index: int = 0) -> None:
        backend.prepare(renderer, index)  # before anything imports MuJoCo
        self._memory_gb = memory_gb
        self._policy: Policy | None = None
        self._policy_key = ""
        self._scenes: OrderedDict[Task, Scene] = OrderedDict()
        self._screen: Screen | None = None
        self._made_s: dict[str, float] = {}  # what the present episode found missing, and how long it took to make

    def run(self, setup: WorkerSetup, plan: EpisodePlan, video_of: frozenset[str]) -> Outcome:
        """Run the planned episode; write its video when its status is in `video_of`."""
        from gauge.rollout.episode import Episode
        from gauge.rollout.success import Criterion
        from gauge.rollout.video import write_video

        self._made_s = {}
        policy, watcher = self._policy_of(setup), Criterion(*setup.criterion).watcher()
        scene = self._scene_of(setup, plan.task)
        episode = Episode(scene, policy, plan, setup.bound, setup.fingerprint, watcher, black=setup.black)
        record = episode.run()
        record = replace(record, wall_s=self._made_s | record.wall_s)
        if record.status in video_of and episode.positions:
            name = f"{record.status}-{plan.task.index:02d}-{plan.task.name[:60]}-r{plan.rollout:02d}.mp4"
            write_video(episode, setup.folder / "videos" / name)
            record = replace(record, video=f"videos/{name}")
        lost = record.status == "error" and isinstance(policy, RemotePolicy | Served) and policy.lost
        return Outcome(record, frozenset(self._scenes), lost)

    def _policy_of(self, setup: WorkerSetup) -> Policy:
        if self._policy is None or self._policy_key != setup.policy_key:
            if self._policy is not None:
                self._policy.close()
            began = time.perf_counter()
            self._policy, self._policy_key = setup.policy(), setup.policy_key
            self._made_s["load"] = round(time.perf_counter() - began, 4)
        return self._policy

    def _scene_of(self, setup: WorkerSetup, task: Task) -> "Scene":
        began = time.perf_counter()
        from gauge.sim.camera import Screen
        from gauge.sim.scene import Scene

        made = (setup.stepper, changes(setup.bound, task))
        if task in self._scenes and (self._scenes[task].stepper, self._scenes[task].changes) != made:
            self._scenes.pop(task).close()
        if task not in self._scenes:
            while self._scenes and resident_gb() > self._memory_gb:
                self._scenes.popitem(last=False)[1].close()
            self._screen = self._screen or Screen()
            self._scenes[task] = Scene(task, self._screen, *made)
            self._made_s["compile"] = round(time.perf_counter() - began, 4)
        self._scenes.move_to_end(task)
        return self._scenes[task]

    def close(self) -> None:
        """Free the policy's connection, the scenes and the OpenGL context, in this order."""
        for part in (self._policy, *self._scenes.values(), self._screen):
            if part is not None:
                part.close()


def resident_gb() -> float:
    """Memory of this process in GB; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**30


_worker: Worker | None = None  # the one of this process: `initialise` notes how to make it, the first episode does
_made_by: Callable[[], Worker] | None = None


def initialise(renderer: str, memory_gb: float, index: int, threads: int) -> None:
    """Make this process a worker: Ctrl-C is the parent's business, and an orphan ends itself.

    `threads` is this worker's share of the cores for Mesa's software renderer; a user's LP_NUM_THREADS wins.
    """
    global _made_by
    os.environ.setdefault("LP_NUM_THREADS", str(threads))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _made_by = partial(Worker, renderer, memory_gb, index)  # not made yet: its errors belong to the first episode


def run_episode(setup: WorkerSetup, plan: EpisodePlan, video_of: frozenset[str]) -> Outcome:
    """Run one episode in this worker process; what goes wrong unforeseen is written to the cell's log."""
    global _worker
    if _made_by is None:
        raise GaugeError("this process was not initialised as a worker")
    logging.basicConfig(filename=setup.folder / "log.txt", format=LOG_FORMAT, level=logging.WARNING, force=True)
    _worker = _worker or _made_by()
    return _worker.run(setup, plan, video_of)


def end_with_parent() -> None:
    """Let this process end soon after its parent, whatever ends the parent."""
    known = parent_process()  # who started it, even if that is gone already and it is another's child now
    threading.Thread(target=_end_after, args=(known.pid if known else os.getppid(),), daemon=True).start()


def _end_after(parent: int | None) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
