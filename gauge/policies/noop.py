"""A policy that holds the arm still with the gripper open: what a scene does on its own."""

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM, Observation, PolicySpec


class NoopPolicy:
    """Answers zeros for the arm and -1 (open) for the gripper; looks at nothing."""

    identity = "noop/1"

    def __init__(self, chunk: int = 10, executed: int = 10) -> None:
        self.spec = PolicySpec(cameras=(), state="none", chunk=chunk, executed=executed)

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The same chunk always, [chunk, 7]."""
        actions = np.zeros((self.spec.chunk, ACTION_DIM))
        actions[:, -1] = -1.0
        return actions

    def close(self) -> None:
        """Nothing to release."""
