"""Action noise: Gaussian noise on the six arm dimensions of every executed action."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import EachAction, NumericPerturbation


@dataclass(frozen=True)
class ActionNoise(NumericPerturbation, EachAction):
    """a + N(0, sigma^2) in normalised action units, clipped to [-1, 1]; the gripper is untouched."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0

    def action(self, action: NDArray[np.float64], value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """The noisy action."""
        noisy = action.copy()
        noisy[:6] = np.clip(action[:6] + rng.normal(0.0, float(value), 6), -1.0, 1.0)
        return noisy
