"""Camera orientation roll: the outside camera turns about its line of sight."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose, turn


@dataclass(frozen=True)
class CameraOrientationRoll(CameraPerturbation):
    """Degrees about its own backward axis; positive turns the camera counter-clockwise, the picture clockwise."""

    low: ClassVar[float] = -45.0
    high: ClassVar[float] = 45.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """About the line of sight."""
        return Pose(pose.position, turn(pose.axes[:, 2], value) @ pose.axes)
