"""Camera orientation yaw: the outside camera turns left or right where it stands."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose, turn


@dataclass(frozen=True)
class CameraOrientationYaw(CameraPerturbation):
    """Degrees about its own upward axis; positive turns the view to the left."""

    low: ClassVar[float] = -30.0
    high: ClassVar[float] = 30.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """About the upward axis."""
        return Pose(pose.position, turn(pose.axes[:, 1], value) @ pose.axes)
