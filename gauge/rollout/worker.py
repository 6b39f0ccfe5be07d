"""What a worker process does: keep one scene and one policy, run the episodes it is handed."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.core.policy import Policy
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.perturbations.base import Bound
from gauge.rollout.plan import EpisodePlan
from gauge.sim import backend

if TYPE_CHECKING:
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """Everything a worker needs, plain and picklable.

    Attributes:
        policy: builds the policy, once per worker.
        bound: the cell's perturbation items with their code.
        renderer: name of the renderer, already chosen.
        videos: folder for videos.
        log_file: where a worker process writes its warnings and tracebacks.
        fingerprint: stored with every record.
    """

    policy: Callable[[], Policy]
    bound: Sequence[Bound]
    renderer: str
    videos: Path
    log_file: Path
    fingerprint: dict[str, str]


class Worker:
    """One scene, one policy, one OpenGL context; the scene is kept until another task is asked for."""

    def __init__(self, setup: WorkerSetup, index: int) -> None:
        self._setup, self._index = setup, index
        self._policy: Policy | None = None
        self._scene: Scene | None = None
        self._screen: Screen | None = None

    def run(self, plan: EpisodePlan, video_of: frozenset[str]) -> EpisodeRecord:
        """Run the planned episode; write its video when its status is in `video_of`."""
        backend.prepare(self._setup.renderer, self._index)  # before anything imports MuJoCo
        from gauge.rollout.episode import Episode
        from gauge.rollout.video import write_video

        if self._policy is None:
            self._policy = self._setup.policy()
        scene = self._scene_of(plan, self._policy)
        episode = Episode(scene, self._policy, plan, self._setup.bound, self._setup.fingerprint)
        record = episode.run()
        if record.status not in video_of or not episode.positions:
            return record
        name = f"{record.status}-{plan.task.index:02d}-{plan.task.name[:60]}-r{plan.rollout:02d}.mp4"
        write_video(episode, self._setup.videos / name)
        return replace(record, video=f"videos/{name}")

    def _scene_of(self, plan: EpisodePlan, policy: Policy) -> "Scene":
        from gauge.sim.camera import Screen
        from gauge.sim.scene import Scene

        if self._scene is not None and self._scene.task != plan.task:
            self._scene.close()
            self._scene = None
        if self._scene is None:
            self._screen = self._screen or Screen()
            self._scene = Scene(plan.task, self._screen, policy.spec.image_size)
        return self._scene

    def close(self) -> None:
        """Free the policy's connection, the scene and the OpenGL context, in this order."""
        for part in (self._policy, self._scene, self._screen):
            if part is not None:
                part.close()


_worker: Worker | None = None  # the one of this process; set by `initialise`, read by `run_episode`


def initialise(setup: WorkerSetup, index: int) -> None:
    """Make this process a worker: Ctrl-C is the parent's business, and an orphan ends itself."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    logging.basicConfig(filename=setup.log_file, format=LOG_FORMAT, level=logging.WARNING)
    _worker = Worker(setup, index)


def run_episode(plan: EpisodePlan, video_of: frozenset[str]) -> EpisodeRecord:
    """Run one episode in this worker process."""
    if _worker is None:
        raise GaugeError("this process was not initialised as a worker")
    return _worker.run(plan, video_of)


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
