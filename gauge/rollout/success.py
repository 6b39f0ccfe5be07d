"""When an episode is over: LIBERO's criterion, the stricter one, and the seat of whoever else looks on."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gauge.sim.scene import Scene
from gauge.vbddl import Held


class Watcher(Protocol):
    """Who looks on while an episode is acted, and says when it is over; `Episode` calls it at every action."""

    def before(self, scene: Scene, action: NDArray[np.float64]) -> None:
        """An action [7] is about to be executed in the scene's present state."""

    def after(self, scene: Scene, holds: bool) -> bool:
        """It was executed, and the goal `holds` or not; whether the episode ends here, as a success."""


class EndAtSuccess:
    """Nothing is noted; the episode ends when the goal first holds, LIBERO's criterion."""

    def before(self, scene: Scene, action: NDArray[np.float64]) -> None:
        """Nothing to do."""

    def after(self, scene: Scene, holds: bool) -> bool:
        """End at the first success."""
        return holds


@dataclass(frozen=True, slots=True)
class Criterion:
    """What counts as success: the goal held for `steps` control steps in a row, and `released`, untouched by the hand.

    The default is LIBERO's: the first step at which the goal holds, even if the object is still in the gripper.
    """

    steps: int = 1
    released: bool = False

    def watcher(self) -> Watcher:
        """A watcher that ends one episode by this criterion."""
        return EndAtSuccess() if self == Criterion() else EndWhenHeld(self)


class EndWhenHeld:
    """The episode ends when the goal has been held long enough; the success step is the last of those steps."""

    def __init__(self, criterion: Criterion) -> None:
        self._held, self._released = Held(criterion.steps, criterion.released), criterion.released

    def before(self, scene: Scene, action: NDArray[np.float64]) -> None:
        """Nothing to do."""

    def after(self, scene: Scene, holds: bool) -> bool:
        """Count the step."""
        return self._held.update(holds, self._released and holds and scene.goals.touched())
