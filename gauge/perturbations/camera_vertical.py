"""Camera vertical: the outside camera rises or sinks on a circle around the workspace."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose, orbited, turn


@dataclass(frozen=True)
class CameraVertical(CameraPerturbation):
    """An angle of elevation about the pivot; the camera turns with it, so that it keeps looking at the same place."""

    low: ClassVar[float] = -30.0
    high: ClassVar[float] = 35.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """Up for positive angles."""
        outwards = (pose.position - pivot) * [1.0, 1.0, 0.0]
        sideways = np.cross(outwards, [0.0, 0.0, 1.0]) / np.linalg.norm(outwards)
        return orbited(pose, pivot, turn(sideways, value))
