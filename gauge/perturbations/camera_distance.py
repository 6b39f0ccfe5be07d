"""Camera distance: the outside camera nearer to or further from the workspace."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose


@dataclass(frozen=True)
class CameraDistance(CameraPerturbation):
    """Its distance to the pivot times a factor; it keeps looking the same way."""

    low: ClassVar[float] = 0.7
    high: ClassVar[float] = 3.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """Further along the line from the pivot."""
        return Pose(pivot + value * (pose.position - pivot), pose.axes)
