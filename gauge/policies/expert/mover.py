"""The movements everything is made of: one action towards a pose, and servoing until it is reached."""

from collections.abc import Callable, Generator

import numpy as np

from gauge.policies.expert.geometry import UP, Array, Pose
from gauge.policies.expert.imagination import Held
from gauge.policies.expert.servo import OPEN, TURN_LIMIT, distance, limited, servo
from gauge.policies.expert.style import Style
from gauge.policies.expert.world import World

Motion = Generator[Array, None, bool]
STALL_STEPS = 12
STALL_M = 0.0005
NEAR_M = 0.03
LEAD_GAIN = 0.2
SLOW_M = 0.002
ELBOW_RAD = 0.6
STOPPING_S = 0.6  # so long an elbow goes on that is told to stop
SLOWEST = 0.02
TRAPPED_RAD, ESCAPED_RAD, TRAPPED_STEPS = -0.1, 0.1, 6
JERK = 0.2  # largest change of the position command per step with a load


class Mover:
    """A hand that goes where it is told, straight, with what it holds."""

    def __init__(self, world: World, style: Style) -> None:
        self.world = world
        self.style = style
        self.gripper = OPEN
        self.held: Held | None = None
        self._last = np.zeros(3)

    def move(
        self,
        goal: Pose,
        tolerance_m: float = 0.006,
        tolerance_rad: float = 0.06,
        speed: float = 1.0,
        limit: int = 80,
        until: Callable[[], bool] | None = None,
        still_m: float = np.inf,
    ) -> Motion:
        """Servo to `goal` until near, stalled or out of steps; `until` may end it early, as a success.

        With `still_m` the hand must also have come to move less than that in a step: it overshoots otherwise.
        """
        best, since, lead, before = np.inf, 0, np.zeros(3), self.world.hand().position
        for _ in range(limit):
            hand = self.world.hand()
            metres, radians = distance(hand, goal)
            moved = float(np.linalg.norm(hand.position - before))
            near = metres < tolerance_m and radians < tolerance_rad and moved < still_m
            if near or (until is not None and until()):
                return True
            error = metres + 0.05 * radians
            best, since = (error, 0) if error < best - STALL_M else (best, since + 1)
            if since >= TRAPPED_STEPS and self.trapped():
                yield from self.escape()
                best, since = np.inf, 0
                continue
            if since >= STALL_STEPS:
                return False
            before = hand.position
            if metres < NEAR_M and moved < SLOW_M:  # a stretched or loaded arm stops short of the goal: aim beyond it
                lead = limited(lead + LEAD_GAIN * (goal.position - hand.position), NEAR_M)
            yield self.step_to(goal.shifted(lead), speed)
        return False

    def trapped(self) -> bool:
        """Whether the elbow has gone beyond straight."""
        return self.world.reach_left()[1] < TRAPPED_RAD

    def escape(self, limit: int = 25) -> Motion:
        """Come back from beyond a straight elbow.

        Pulling does not help there; leaning the hand towards the robot takes the wrist out and round.
        """
        for _ in range(limit):
            outward, room = self.world.reach_left()
            if room > ESCAPED_RAD:
                return True
            yield np.array([0.0, 0.0, 0.0, *(TURN_LIMIT * np.cross(UP, outward)), self.gripper])
        return False

    def step_to(self, goal: Pose, speed: float = 1.0) -> Array:
        """One action towards `goal`; with something in the hand it changes gently, or the load is flung out."""
        action = servo(self.world.hand(), goal, self.gripper, speed * self.style.speed)
        outward, room = self.world.reach_left()
        room -= STOPPING_S * max(0.0, self.world.elbow_speed())
        excess = float(action[:3] @ outward) - max(room / ELBOW_RAD, SLOWEST)
        if excess > 0.0:  # beyond a straight elbow the arm cannot be pulled back: approach it slowly
            action[:3] -= excess * outward
        if self.held is not None:
            speeding_up = float(action[:3] @ action[:3]) > float(self._last @ self._last)
            action[:3] = self._last + limited(action[:3] - self._last, JERK if speeding_up else 4 * JERK)
        self._last = action[:3].copy()
        return action

    def wait(self, steps: int) -> Motion:
        """Stay; a hand that is only told not to move drifts under load, so this one is told where to be."""
        here = self.world.hand()
        for _ in range(steps):
            yield self.step_to(here)
        return True
