"""What is seen in a scene, as small pictures."""

from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.rollout.success import EndAtSuccess

if TYPE_CHECKING:
    from gauge.sim.scene import Scene

Pixels = NDArray[np.uint8]
FRAMES = 6  # of a strip
QUALITY = 82
FINER = 2  # frames are drawn so much larger and then reduced, which smooths edges


class Film(EndAtSuccess):
    """Watches an episode and draws moments of it, evenly spread over its `steps`."""

    def __init__(self, side: int, steps: int) -> None:
        self.frames: list[Pixels] = []
        self._side, self._step = side, 0
        self._wanted = set(np.linspace(0, steps - 1, FRAMES)[:-1].round().astype(int).tolist())

    def before(self, scene: "Scene", action: NDArray[np.float64]) -> None:
        """Draw the present state if it is one of the moments."""
        if self._step in self._wanted:
            self.frames.append(view(scene, self._side))
        self._step += 1

    def strip(self, scene: "Scene") -> Pixels:
        """The moments and the present state side by side, uint8 [side, FRAMES * side, 3]."""
        return np.hstack([*self.frames, view(scene, self._side)])


def view(scene: "Scene", side: int) -> Pixels:
    """What the agent view sees now, upright, uint8 [side, side, 3], RGB."""
    scene.look()
    fine = scene.frame(CAMERAS[0], (FINER * side, FINER * side))
    return np.asarray(cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def save(path: Path, pixels: Pixels) -> None:
    """Write a JPEG; it appears whole or not at all."""
    _, coded = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(coded.tobytes())
    temporary.replace(path)
