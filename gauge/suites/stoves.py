"""Whether something may start on a stove, which is so flat that things come to rest on it as if they belonged there."""

import math
from collections.abc import Iterator

from gauge.suites.rules import Group

STOVE = "flat_stove"
MIDDLE_M = 0.095  # from its origin to the middle of its colliding geometry, along its own x
HALF_M = (0.15, 0.095)  # of that geometry


def faults(group: Group) -> Iterator[str]:
    """Things whose regions reach over a stove."""
    for stove in (name for name in group.fixtures if name.partition(".")[0] == STOVE):
        for name, at in group.objects.items():
            if not isinstance(at, str) and _over(group, stove, name, at[0], at[1]):
                yield f"{group.layout}: {name} may start on the {stove}; move one of them"


def _over(group: Group, stove: str, name: str, x: float, y: float) -> bool:
    """Whether the middle of a thing's place may come to lie over the stove, wherever that may be turned to."""
    at_x, at_y, yaw, *turn = group.fixtures[stove]
    jitter = group.halves(name)
    for angle in (yaw - sum(turn), yaw, yaw + sum(turn)):
        c, s = math.cos(angle), math.sin(angle)
        reach = (abs(c) * HALF_M[0] + abs(s) * HALF_M[1], abs(s) * HALF_M[0] + abs(c) * HALF_M[1])
        apart = (abs(x - at_x - c * MIDDLE_M), abs(y - at_y - s * MIDDLE_M))
        if all(apart[axis] < reach[axis] + jitter[axis] for axis in (0, 1)):
            return True
    return False
