"""A policy that draws every action uniformly: the floor that any trained policy must beat."""

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM, Observation, PolicySpec
from gauge.errors import PolicyError


class RandomPolicy:
    """Answers actions uniform in [-1, 1], drawn from the generator given to `reset`; looks at nothing."""

    identity = "random/1"

    def __init__(self, chunk: int = 10, executed: int = 10) -> None:
        self.spec = PolicySpec(cameras=(), state="none", chunk=chunk, executed=executed)
        self._rng: np.random.Generator | None = None

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Take the episode's generator."""
        self._rng = rng

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next draw, [chunk, 7].

        Raises:
            PolicyError: there was no `reset` before.
        """
        if self._rng is None:
            raise PolicyError("the random policy was asked to act before its episode was reset")
        return self._rng.uniform(-1.0, 1.0, (self.spec.chunk, ACTION_DIM))

    def close(self) -> None:
        """Nothing to release."""
