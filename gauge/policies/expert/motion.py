"""Movements of the arm as generators: each yields actions [7] and returns whether it got where it wanted."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from gauge.policies.expert.geometry import Array, Pose
from gauge.policies.expert.imagination import OPEN_M, Held, Imagination
from gauge.policies.expert.servo import CLOSE, KEEP, OPEN, TURN_LIMIT, distance, limited, servo
from gauge.policies.expert.style import Style
from gauge.policies.expert.world import Ids, World

Motion = Generator[Array, None, bool]
STALL_STEPS = 12
STALL_M = 0.0005
NEAR_M = 0.03
LEAD_GAIN = 0.2
SLOW_M = 0.002
ELBOW_RAD = 0.6
SLOWEST = 0.02
TRAPPED_RAD, ESCAPED_RAD, TRAPPED_STEPS = -0.1, 0.1, 6
CLEARANCE_M = 0.012
PASSING_M, LINED_UP_M, STILL_M = 0.025, 0.01, 0.004
JERK = 0.2  # largest change of the position command per step with a load
FINGER_STEP_M = 0.005  # how far a command moves a finger per 50 ms
LIFTS_M = (0.0, 0.04, 0.08, 0.12, 0.16, 0.22, 0.28, 0.34)
SIDE_M = 0.16
SIDE_LIFTS_M = (0.0, 0.08)
SIDES = 8
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class Route:
    """A path of straight lines for the hand and how many collisions were met on it."""

    path: list[Pose]
    collisions: int


def paths(start: Pose, goal: Pose, bow: Array | None = None, rise_m: float = 0.0) -> Iterator[list[Pose]]:
    """Ways to try, the most direct first: straight, over something, in from a side, and out to a side first.

    Args:
        start: where the hand is.
        goal: where it should be.
        bow: a way that passes this far [3] beside the middle of the straight one is tried before it.
        rise_m: first way over something: this much higher than both ends.
    """
    if bow is not None:
        yield [start, Pose((start.position + goal.position) / 2 + bow, goal.rotation), goal]
    yield [start, goal]
    for lift in (rise_m, *LIFTS_M):
        height = max(start.position[2], goal.position[2]) + lift
        yield [start, start.raised(height), goal.raised(height), goal]
    around = [SIDE_M * np.array([np.cos(a), np.sin(a), 0.0]) for a in np.linspace(0, 2 * np.pi, SIDES, endpoint=False)]
    for side, lift in product(around, SIDE_LIFTS_M):
        beside = goal.shifted(side + lift * UP)
        height = max(start.position[2], float(beside.position[2])) + SIDE_LIFTS_M[-1]
        yield [start, start.raised(height), beside.raised(height), beside, goal]
    for side, lift in product(around, SIDE_LIFTS_M):
        height = max(start.position[2], goal.position[2]) + lift
        out = start.shifted(side)
        yield [start, out, out.raised(height), goal.raised(height), goal]


class Arm:
    """The robot as the skills see it: a world to read, an imagination to try in, movements to make."""

    def __init__(self, world: World, style: Style) -> None:
        self.world = world
        self.style = style
        self.imagination = Imagination(world)
        self.home = self.imagination.home()
        self.gripper = OPEN
        self.held: Held | None = None
        self.note = ""
        self.skills: list[str] = []
        self._last = np.zeros(3)

    def does(self, skill: str) -> "Arm":
        """This arm, with the skill it carries out now noted down."""
        self.skills.append(skill)
        return self

    def fail(self, reason: str) -> bool:
        """Remember why a skill gave up; always False."""
        self.note = reason
        return False

    def angles(self) -> Array:
        """The arm's joint angles [7]."""
        angles: Array = self.world.data.qpos[self.world.arm].copy()
        return angles

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
            if since >= TRAPPED_STEPS and self.world.reach_left()[1] < TRAPPED_RAD:
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
        excess = float(action[:3] @ outward) - max(room / ELBOW_RAD, SLOWEST)
        if excess > 0.0:  # beyond a straight elbow the arm cannot be pulled back: approach it slowly
            action[:3] -= excess * outward
        if self.held is not None:
            speeding_up = float(action[:3] @ action[:3]) > float(self._last @ self._last)
            action[:3] = self._last + limited(action[:3] - self._last, JERK if speeding_up else 4 * JERK)
        self._last = action[:3].copy()
        return action

    def follow(
        self, path: list[Pose], tolerance_m: float = 0.01, speed: float = 1.0, still_m: float = np.inf
    ) -> Motion:
        """Move along a path, passing the inner points without stopping; a load is lined up before the last stretch."""
        for pose in path[:-2]:
            yield from self.move(pose, PASSING_M, 0.3, speed)
        for pose in path[-2:-1]:
            if self.held is None:
                yield from self.move(pose, PASSING_M, 0.3, speed)
            else:
                yield from self.move(pose, LINED_UP_M, 0.2, speed, still_m=STILL_M)
        return (yield from self.move(path[-1], tolerance_m, 0.1, speed, still_m=still_m))

    def travel(self, goal: Pose, tolerance_m: float = 0.01, speed: float = 1.0, still_m: float = np.inf) -> Motion:
        """Go to `goal` on a path that hits nothing, with whatever is held."""
        return (yield from self.follow(self.route(goal).path[1:], tolerance_m, speed, still_m))

    def route(self, goal: Pose) -> Route:
        """The lowest path to `goal` that hits nothing, else the one that hits least, from the present pose."""
        start = self.world.hand()
        load = None if self.held is None else self.held.lowered(start, CLEARANCE_M)
        best: Route | None = None
        for path in paths(start, goal, self.style.bow if load is None else None, self.style.rise_m):
            self.imagination.sync()
            route = Route(path, self.imagination.sweep(path, self.angles(), load).collisions)
            if route.collisions == 0:
                return route
            best = route if best is None or route.collisions < best.collisions else best
        return best or Route([start, goal], 0)

    def close_fingers(self, geoms: Ids, limit: int = 30) -> Motion:
        """Close on `geoms` where the hand is until both fingers touch, and three steps more to build up force."""
        self.gripper = CLOSE
        here, after, gap, same = self.world.hand(), 0, self.world.finger_gap(), 0
        for _ in range(limit):
            after += self.world.gripped(geoms)
            same = same + 1 if abs(self.world.finger_gap() - gap) < STALL_M else 0
            gap = self.world.finger_gap()
            if after > 3 or same > 5:
                break
            yield self.step_to(here)
        return after > 1 or self.world.gripped(geoms)  # a contact of rigid boxes comes and goes

    def open_fingers(self, steps: int = 8) -> Motion:
        """Open and wait."""
        self.gripper, self.held, self.imagination.opening = OPEN, None, OPEN_M
        return (yield from self.wait(steps))

    def narrow_fingers(self, opening_m: float) -> Motion:
        """Bring both fingers of the open hand to about `opening_m` from the middle, for narrow places."""
        self.gripper = CLOSE
        yield from self.wait(int((OPEN_M - opening_m) / FINGER_STEP_M))
        self.gripper, self.imagination.opening = KEEP, opening_m
        return True

    def wait(self, steps: int) -> Motion:
        """Stay; a hand that is only told not to move drifts under load, so this one is told where to be."""
        here = self.world.hand()
        for _ in range(steps):
            yield self.step_to(here)
        return True
