"""Action bias: every executed action drifts sideways by the same amount."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import EachAction, NumericPerturbation

SIDEWAYS = 1  # the y translation


@dataclass(frozen=True)
class ActionBias(NumericPerturbation, EachAction):
    """A constant is added to the y translation (normalised action units), clipped to [-1, 1]."""

    low: ClassVar[float] = -0.5
    high: ClassVar[float] = 0.5

    def action(self, action: NDArray[np.float64], value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """The biased action."""
        biased = action.copy()
        biased[SIDEWAYS] = np.clip(action[SIDEWAYS] + float(value), -1.0, 1.0)
        return biased
