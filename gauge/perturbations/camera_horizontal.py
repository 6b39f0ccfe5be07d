"""Camera horizontal: the outside camera moves around the workspace at its height."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose, orbited, turn


@dataclass(frozen=True)
class CameraHorizontal(CameraPerturbation):
    """An angle about the vertical through the pivot, counter-clockwise seen from above."""

    low: ClassVar[float] = -120.0
    high: ClassVar[float] = 120.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """Around the vertical."""
        return orbited(pose, pivot, turn(np.array([0.0, 0.0, 1.0]), value))
