"""Movements of the arm as generators: each yields actions [7] and returns whether it got where it wanted."""

import numpy as np

from gauge.policies.expert.geometry import UP, Array, Pose
from gauge.policies.expert.imagination import OPEN_M, Imagination
from gauge.policies.expert.mover import STALL_M, Motion, Mover
from gauge.policies.expert.routes import Route, paths
from gauge.policies.expert.servo import CLOSE, KEEP, OPEN
from gauge.policies.expert.style import Style
from gauge.policies.expert.world import Ids, World

CLEARANCE_M = 0.012
PASSING_M, LINED_UP_M, STILL_M = 0.025, 0.01, 0.004
BEND, OVER_RAD, OVER_STEPS = 5, 0.8, 60  # the joint that bends the wrist
TURN_PARTS = np.linspace(0.0, 1.0, 7)[1:]
FINGER_STEP_M = 0.005  # how far a command moves a finger per 50 ms


class Arm(Mover):
    """The robot as the skills see it: a world to read, an imagination to try in, movements to make."""

    def __init__(self, world: World, style: Style) -> None:
        super().__init__(world, style)
        self.imagination = Imagination(world)
        self.home = self.imagination.home()
        self.note = ""
        self.skills: list[str] = []

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
        """Go to `goal` on a path that hits nothing, with whatever is held; elbow and wrist are freed first."""
        if self.trapped():
            yield from self.escape()
        yield from self.unwind(goal)
        return (yield from self.follow(self.route(goal).path[1:], tolerance_m, speed, still_m))

    def unwind(self, goal: Pose) -> Motion:
        """Turn the wrist back where it is if `goal` is the long way round: the short way ends at the joints' stops."""
        now = self.angles()
        there = self.imagination.unwound(Pose(self.world.hand().position, goal.rotation), now)
        if there is None:
            return True
        if now[BEND] > np.pi:  # turned over: where both its axes coincide, the arm's own pull home turns it back
            now[BEND] = np.pi
            middle = self.imagination.hand_at(now)
            for _ in range(OVER_STEPS):
                if abs(self.angles()[BEND - 1]) < OVER_RAD:
                    break
                yield self.step_to(middle)
            now = self.angles()
        for part in TURN_PARTS:
            yield from self.move(self.imagination.hand_at(now + part * (there - now)), PASSING_M, 0.3)
        return True

    def route(self, goal: Pose) -> Route:
        """The lowest path to `goal` that hits nothing, else the one that hits least, from the present pose."""
        start = self.world.hand()
        load = None if self.held is None else self.held.beside(start, -CLEARANCE_M * UP)
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
