"""How an episode is carried out where several ways are as good: drawn anew for every episode."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gauge.policies.expert.geometry import Array

SPEED = (0.8, 1.0)
APPROACH_M = (0.06, 0.1)
LIFT_M = (0.07, 0.11)
RISE_M = (0.0, 0.05)
BOW_M = 0.06
GRASP_COST = 0.03  # what half a centimetre off the middle costs, or a turn of seven degrees


@dataclass(frozen=True, slots=True)
class Style:
    """Choices for one episode.

    Attributes:
        speed: factor of every position command.
        approach_m: how far from a grasp the hand lines up with it.
        lift_m: how far an object is lifted straight up.
        rise_m: how much higher than needed things are carried.
        bow: where the empty hand passes half of a free way, beside the straight line, [3] m.
        rng: for choices among grasps.
    """

    speed: float
    approach_m: float
    lift_m: float
    rise_m: float
    bow: Array
    rng: np.random.Generator

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Style":
        """A style from the episode's generator."""
        speed, approach, lift, rise = (float(rng.uniform(*limits)) for limits in (SPEED, APPROACH_M, LIFT_M, RISE_M))
        bow = np.array([*rng.uniform(-BOW_M, BOW_M, 2), rng.uniform(0.0, BOW_M)])
        return cls(speed, approach, lift, rise, bow, rng)

    def shuffled(self, costs: list[float]) -> NDArray[np.intp]:
        """An order of candidates, [N] indices: the cheapest first, but about as good ones in any order."""
        order: NDArray[np.intp] = np.argsort(
            np.array(costs) + self.rng.exponential(GRASP_COST, len(costs)), kind="stable"
        )
        return order
