"""Action drop: some actions get lost, and the last executed one is repeated in their place."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import ActionFilter, ActionPerturbation, NumericPerturbation


@dataclass(slots=True)
class LossyLine:
    """Remembers the last executed action; before the first one that is no motion."""

    last: NDArray[np.float64] = field(default_factory=lambda: np.zeros(7))

    def __call__(self, action: NDArray[np.float64], value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """`action`, or the last executed one with probability `value`; one draw per step."""
        if rng.random() >= float(value):
            self.last = action
        return self.last.copy()


@dataclass(frozen=True)
class ActionDrop(NumericPerturbation, ActionPerturbation):
    """Each control step loses its action with this probability, independently, from the episode's generator."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 0.9

    def filter(self) -> ActionFilter:
        """A line on which nothing was sent yet."""
        return LossyLine()
