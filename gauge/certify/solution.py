"""Actions that reach a goal, and how; read and handed over without the simulator."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class End(NamedTuple):
    """How played actions reached a goal.

    Attributes:
        step: after how many control steps it first held.
        hash: of the state after ten more, idle ones; exact to the bit on one machine. Empty if not on record.
        place: of the target in that state, [3] m, in the world.
    """

    step: int
    hash: str = ""
    place: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """Actions [T, 7] that reach the goal from a start, and how."""

    state: int
    actions: NDArray[np.float32]
    end: End
