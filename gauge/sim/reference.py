"""A golden replay: fixed actions in a real scene, compared with what the pinned simulator gave.

`python -m gauge.sim.reference` remakes the stored replay after a deliberate change of the simulator stack.
"""

from dataclasses import dataclass
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.sim.camera import Screen
from gauge.sim.scene import DUMMY_ACTION, Scene
from gauge.suites import load

SIZE = (64, 64)
STORED = "reference.npz"
POSITION_TOLERANCE = 1e-6  # m or rad: other processors round differently, other simulators differ by far more
FRAME_TOLERANCE = 2.0  # mean grey levels: renderers differ by less, darkened floors by more


@dataclass(frozen=True, slots=True)
class Replay:
    """Joint positions [nq] and both cameras' frames, uint8 [2, 64, 64, 3], at the end of the replay."""

    positions: NDArray[np.float64]
    frames: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Difference:
    """Largest difference of a joint position (m or rad) and of a camera's mean absolute grey level."""

    position: float
    frame: float

    @property
    def agrees(self) -> bool:
        """Whether results from here and from the reference may be compared."""
        return self.position <= POSITION_TOLERANCE and self.frame <= FRAME_TOLERANCE


def replay(screen: Screen) -> Replay:
    """Run it now: task 0 of libero_object, ten settle steps, thirty gentle upward actions."""
    scene = Scene(load("libero_object").tasks[0], screen)
    actions = np.random.default_rng(0).uniform(-0.5, 0.5, (30, 7))
    actions[:, 2] = np.abs(actions[:, 2])
    scene.start(0, 0)
    for action in [*np.tile(DUMMY_ACTION, (10, 1)), *actions]:
        scene.step(action)
    scene.look()
    frames = np.stack([scene.frame(camera, SIZE) for camera in CAMERAS])
    positions = scene.data.qpos.copy()
    scene.close()
    return Replay(positions, frames)


def stored() -> Replay:
    """The replay as the pinned simulator gave it."""
    with as_file(files("gauge.sim").joinpath(STORED)) as path, np.load(path, allow_pickle=False) as archive:
        return Replay(archive["positions"], archive["frames"])


def difference(here: Replay, reference: Replay) -> Difference:
    """How far two replays are apart."""
    pixels = np.abs(here.frames.astype(np.float64) - reference.frames).mean(axis=(1, 2, 3))
    return Difference(float(np.abs(here.positions - reference.positions).max()), float(pixels.max()))


def main() -> None:
    """Write the stored replay anew."""
    screen = Screen()
    made = replay(screen)
    screen.close()
    with as_file(files("gauge.sim").joinpath(STORED)) as path:
        np.savez_compressed(path, positions=made.positions, frames=made.frames)
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
