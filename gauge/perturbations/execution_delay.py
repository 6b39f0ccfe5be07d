"""Execution delay: every action is executed some control steps after it was commanded."""

from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import ActionFilter, ActionPerturbation, IntegerPerturbation

NO_OP = np.zeros(7)  # no motion, and the hand keeps its last command


@dataclass(slots=True)
class Pipeline:
    """Actions on their way. A longer delay inserts no-ops, a shorter one drops the actions that are overtaken."""

    waiting: deque[NDArray[np.float64]] = field(default_factory=deque)

    def __call__(self, action: NDArray[np.float64], value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """The action of `value` steps ago; a no-op as long as there is none."""
        delay = int(value)
        self.waiting.append(action)
        while len(self.waiting) > delay + 1:
            self.waiting.popleft()
        return self.waiting.popleft() if len(self.waiting) > delay else NO_OP.copy()


@dataclass(frozen=True)
class ExecutionDelay(IntegerPerturbation, ActionPerturbation):
    """A first-in first-out queue of control steps (50 ms each), filled with no-ops; the horizon is not extended."""

    low: ClassVar[float] = 0
    high: ClassVar[float] = 40

    def filter(self) -> ActionFilter:
        """An empty pipeline."""
        return Pipeline()
