"""What training sees of a demonstration: every k-th moment drawn, and where the things of its goal are.

    <set>/<task>/007-128px-every4.npz    beside the trajectory 007.hdf5

A policy that acts in chunks looks every ten steps, and a picture costs more than a step of the physics.
"""

import os
import secrets
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gauge.bar import Bar
from gauge.core.policy import CAMERAS
from gauge.demos.crew import watched, work
from gauge.demos.render import moments, scene_of
from gauge.errors import GaugeError, IncompleteError
from gauge.records.demo_file import read_demo

if TYPE_CHECKING:
    from gauge.demos.crew import Stage
    from gauge.records.demo import Demo
    from gauge.sim.scene import Scene

THINGS = 2  # of a goal: what is moved, and where it goes; the same twice where there is one
TIMEOUT_S = 600.0
LOST_IN_A_ROW = 5


@dataclass(frozen=True)
class Looks:
    """Moments of one demonstration.

    Attributes:
        steps: [n], before which actions they are.
        images: uint8 [n, views, side, side, 3], upright.
        places: [n, THINGS, 3], in metres, of the first predicate of the goal.
        digest: of the demonstration.
    """

    steps: NDArray[np.int64]
    images: NDArray[np.uint8]
    places: NDArray[np.float64]
    digest: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw the moments of one stored demonstration into the file beside it."""

    demo: Path
    side: int
    every: int

    @property
    def path(self) -> Path:
        """The file."""
        return self.demo.with_name(f"{self.demo.stem}-{self.side}px-every{self.every}.npz")

    def run(self, stage: "Stage") -> None:
        """Write the file, whole or not at all."""
        demo = read_demo(self.demo)
        write(self.path, drawn(scene_of(stage, demo), demo, self.side, self._steps(len(demo))))

    def _steps(self, length: int) -> range:
        """Every k-th, from another one on in every demonstration of a task."""
        return range(int(self.demo.stem) % self.every % length, length, self.every)


def drawn(scene: "Scene", demo: "Demo", side: int, steps: range) -> Looks:
    """The moments before these actions.

    Raises:
        GaugeError: the scene cannot be rebuilt here, or its goal names nothing in it.
    """
    images, places = [], []
    for active in moments(scene, demo, steps):
        images.append([active.image(scene.frame(camera, (side, side))) for camera in CAMERAS])
        places.append(things(scene))
    return Looks(np.array(steps), np.array(images, dtype=np.uint8), np.array(places), demo.digest)


def things(scene: "Scene") -> NDArray[np.float64]:
    """Where the first and the last thing of the goal's first predicate are, [THINGS, 3] in metres."""
    found = []
    for name in scene.goals.literals[0].arguments:
        try:
            found.append(scene.place(name))
        except KeyError:
            continue
    if not found:
        raise GaugeError(f"{scene.task.id}: its goal names nothing that is in the scene")
    return np.array([found[0], found[-1]])


def draw(demos: Sequence[Path], side: int, every: int, workers: int, renderer: str, progress: bool) -> None:
    """Draw what is not there yet, or shows another demonstration, in that many processes.

    Raises:
        IncompleteError: some could not be drawn; the others are.
    """
    queue = deque(one for one in (Draw(path, side, every) for path in demos) if not _there(one))
    lost: dict[str, str] = {}
    with Bar("drawing what is seen", len(queue), progress and bool(queue)) as bar:
        ended = work(queue, workers, renderer, TIMEOUT_S)
        for done, _ in enumerate(watched(ended, lost, lambda job: str(job.demo), LOST_IN_A_ROW), 1):
            bar.update(done, "")
    if lost:
        listed = ", ".join(f"{name}: {why}" for name, why in lost.items())
        raise IncompleteError(f"{len(lost)} demonstrations could not be drawn ({listed}); run the command again")


def read(demo: Path, side: int, every: int) -> Looks:
    """What was drawn of a demonstration.

    Raises:
        GaugeError: the file is missing or damaged.
    """
    with _opened(Draw(demo, side, every).path) as file:
        return Looks(file["steps"], file["images"], file["places"], str(file["digest"]))


def write(path: Path, looks: Looks) -> None:
    """Write what `read` reads."""
    unfinished = path.with_name(f".{path.stem}-{secrets.token_hex(4)}.npz")
    try:
        with unfinished.open("wb") as file:
            np.savez_compressed(
                file, steps=looks.steps, images=looks.images, places=looks.places, digest=np.array(looks.digest)
            )
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _there(one: Draw) -> bool:
    if not one.path.is_file():
        return False
    with _opened(one.path) as file:
        return str(file["digest"]) == read_demo(one.demo).digest


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with np.load(path) as file:
            yield file
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise GaugeError(f"{path} cannot be read ({error}); remove it and run the same command again") from error
