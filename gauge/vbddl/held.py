"""The stricter success: the goal holds for a number of steps in a row, untouched by the gripper."""

from dataclasses import dataclass

from gauge.errors import GaugeError


@dataclass(slots=True)
class Held:
    """Counts steps; `update` is called once after every control step.

    LIBERO's own rule is `Held(steps=1, released=False)`: the first step at which the goal holds is enough, even
    with the object still in the gripper. Success, once reached, stays.
    """

    steps: int = 1
    released: bool = False
    run: int = 0
    done: bool = False

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise GaugeError(f"the goal has to hold for at least 1 step, not {self.steps}")

    def update(self, holds: bool, touched: bool) -> bool:
        """Whether success is reached, given whether the goal holds and the gripper touches what it is about."""
        counts = holds and not (self.released and touched)
        self.run = self.run + 1 if counts else 0
        self.done = self.done or self.run >= self.steps
        return self.done

    def reset(self) -> None:
        """Start a new episode."""
        self.run, self.done = 0, False
