"""Movements of the arm as generators: each yields actions [7] and returns whether it got where it wanted."""

from collections.abc import Callable, Generator

import numpy as np

from gauge.policies.expert.geometry import Array, Pose
from gauge.policies.expert.imagination import Held, Imagination
from gauge.policies.expert.servo import CLOSE, OPEN, distance, servo
from gauge.policies.expert.world import Ids, World

Motion = Generator[Array, None, bool]
STALL_STEPS = 12
STALL_M = 0.0005
LIFTS_M = (0.0, 0.04, 0.08, 0.12, 0.16, 0.22, 0.28, 0.34)


class Arm:
    """The robot as the skills see it: a world to read, an imagination to try in, movements to make."""

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self.world = world
        self.imagination = Imagination(world)
        self.rng = rng
        self.gripper = OPEN
        self.held: Held | None = None
        self.note = ""

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
    ) -> Motion:
        """Servo to `goal` until near, stalled or out of steps; `until` may end it early, as a success."""
        best, since = np.inf, 0
        for _ in range(limit):
            metres, radians = distance(self.world.hand(), goal)
            if (metres < tolerance_m and radians < tolerance_rad) or (until is not None and until()):
                return True
            error = metres + 0.05 * radians
            best, since = (error, 0) if error < best - STALL_M else (best, since + 1)
            if since >= STALL_STEPS:
                return False
            yield servo(self.world.hand(), goal, self.gripper, speed)
        return False

    def follow(self, path: list[Pose], tolerance_m: float = 0.01, speed: float = 1.0) -> Motion:
        """Move along a path, passing the inner points without stopping."""
        for pose in path[:-1]:
            yield from self.move(pose, 0.025, 0.3, speed)
        return (yield from self.move(path[-1], tolerance_m, 0.1, speed))

    def travel(self, goal: Pose, tolerance_m: float = 0.01, speed: float = 1.0) -> Motion:
        """Go to `goal` on a path that hits nothing, with whatever is held."""
        return (yield from self.follow(self.route(goal)[1:], tolerance_m, speed))

    def route(self, goal: Pose, ignore: Ids | None = None) -> list[Pose]:
        """The lowest path to `goal` that hits nothing, else the one that hits least, from the present pose."""
        start = self.world.hand()
        self.imagination.sync()
        options: list[tuple[int, int, list[Pose]]] = []
        for lift in LIFTS_M:
            path = [start, goal]
            if lift:
                height = max(start.position[2], goal.position[2]) + lift
                up = Pose(np.array([*start.position[:2], height]), start.rotation)
                over = Pose(np.array([*goal.position[:2], height]), goal.rotation)
                path = [start, up, over, goal]
            self.imagination.sync()
            result = self.imagination.sweep(path, self.angles(), self.held, ignore)
            if result.free:
                return path
            options.append((result.collisions, len(options), path))
        return min(options)[2]

    def close_fingers(self, geoms: Ids, limit: int = 14) -> Motion:
        """Close until both pads touch `geoms`, and three steps more to build up force."""
        self.gripper = CLOSE
        after = 0
        for _ in range(limit):
            after += self.world.gripped(geoms)
            if after > 3:
                return True
            yield self.still()
        return self.world.gripped(geoms)

    def open_fingers(self, steps: int = 8) -> Motion:
        """Open and wait."""
        self.gripper, self.held = OPEN, None
        yield from self.wait(steps)
        return True

    def wait(self, steps: int) -> Motion:
        """Stay."""
        for _ in range(steps):
            yield self.still()
        return True

    def still(self) -> Array:
        """The action that moves nothing and keeps closing, opening or keeping the fingers."""
        return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, self.gripper])
