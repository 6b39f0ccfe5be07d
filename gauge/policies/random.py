"""A policy that draws every action uniformly: the floor that any trained policy must beat."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM, BatchPolicy, Observation, PolicySpec


class RandomPolicy(BatchPolicy[np.random.Generator]):
    """Answers actions uniform in [-1, 1], drawn from each episode's own generator; looks at nothing."""

    identity = "random/1"

    def __init__(self, chunk: int = 10, executed: int = 10) -> None:
        self.spec = PolicySpec(cameras=(), state="none", chunk=chunk, executed=executed)

    def begin(self, instruction: str, rng: np.random.Generator) -> np.random.Generator:
        """The episode's generator is all there is to remember."""
        return rng

    def act_batch(
        self, states: Sequence[np.random.Generator], observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        """The next draw of each generator, [chunk, 7]."""
        return [rng.uniform(-1.0, 1.0, (self.spec.chunk, ACTION_DIM)) for rng in states]
