"""Target object position: the object to be handled starts further along x or y."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation
from gauge.perturbations.movable import TargetPose

FURTHEST_CM = 20.0


@dataclass(frozen=True)
class TargetObjectPosition(TargetPose, Perturbation):
    """An axis of the world and centimetres along it, e.g. `x+3`; x leads away from the robot, y to its left."""

    def validate(self, value: object) -> Value:
        """Axis, sign and centimetres, at most 20."""
        found = re.fullmatch(r"([xy])([+-]\d+(?:\.\d+)?)", str(value))
        if found is None:
            raise GaugeError(f"{self.attribute} takes an axis and centimetres, e.g. value.at=x+3 or y-5, not {value!r}")
        centimetres = float(found[2])
        if abs(centimetres) > FURTHEST_CM:
            raise GaugeError(f"{self.attribute}={value} is out of bounds; allowed: -20 to 20 cm along x or y")
        return f"{found[1]}{centimetres:+g}" if centimetres else self.default

    def posed(self, pose: NDArray[np.float64], value: Value) -> NDArray[np.float64]:
        """Moved along the axis."""
        text = str(value)
        pose["xy".index(text[0])] += float(text[1:]) / 100.0
        return pose
