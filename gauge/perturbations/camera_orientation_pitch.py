"""Camera orientation pitch: the outside camera turns up or down where it stands."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.viewpoint import Array, CameraPerturbation, Pose, turn


@dataclass(frozen=True)
class CameraOrientationPitch(CameraPerturbation):
    """Degrees about its own rightward axis; positive turns the view up."""

    low: ClassVar[float] = -30.0
    high: ClassVar[float] = 30.0

    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """About the rightward axis."""
        return Pose(pose.position, turn(pose.axes[:, 0], value) @ pose.axes)
