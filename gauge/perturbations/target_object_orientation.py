"""Target object orientation: the object to be handled starts turned about the vertical."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import NumericPerturbation
from gauge.perturbations.movable import TargetPose


@dataclass(frozen=True)
class TargetObjectOrientation(TargetPose, NumericPerturbation):
    """Degrees of yaw, counter-clockwise seen from above, about the object's own origin."""

    low: ClassVar[float] = -180.0
    high: ClassVar[float] = 180.0

    def posed(self, pose: NDArray[np.float64], value: Value) -> NDArray[np.float64]:
        """Turned about the world's vertical."""
        from scipy.spatial.transform import Rotation

        own = Rotation.from_quat(pose[3:], scalar_first=True)
        pose[3:] = (Rotation.from_euler("z", float(value), degrees=True) * own).as_quat(scalar_first=True)
        return pose
