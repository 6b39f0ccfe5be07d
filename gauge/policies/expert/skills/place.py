"""Put a held object somewhere: on a surface or into a region."""

import numpy as np

from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.pick import APPROACH_M, hold
from gauge.policies.expert.spots import find_spot
from gauge.policies.expert.targets import Target

LOST_M = 0.08
SETTLE_STEPS = 8
SPEED = 0.5


def place(arm: Arm, name: str, target: Target) -> Motion:
    """Put the held object down at the best spot of `target` and let go; True once it was let go there."""
    if arm.held is None:
        return arm.fail(f"{name} is not in the hand")
    arm.held = hold(arm, name)
    spot = find_spot(arm, target)
    if spot is None:
        return arm.fail(f"no room to put {name} down")
    yield from arm.travel(spot.hand(arm.held.in_hand, 1.0))
    if lost(arm, name):
        return arm.fail(f"lost {name} on the way")
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    now = hold(arm, name).in_hand  # it may have swung: aim with where it hangs now
    lowered = bool(spot.way_in[2] < 0.0)
    touched = (lambda: arm.world.touches(geoms)) if lowered else None
    yield from arm.move(spot.hand(now), tolerance_m=0.006, speed=SPEED, until=touched)
    yield from arm.open_fingers(SETTLE_STEPS)
    away = arm.world.hand().along_tool(-APPROACH_M) if lowered else arm.world.hand().shifted(-spot.way_in)
    yield from arm.move(away, tolerance_m=0.02)
    return True


def lost(arm: Arm, name: str) -> bool:
    """Whether the object fell out of the hand; one that only swung is still held."""
    if arm.held is None or not arm.world.gripped(arm.world.subtree_geoms(arm.world.root(name))):
        return True
    expected = arm.world.hand() @ arm.held.in_hand
    return float(np.linalg.norm(expected.position - arm.world.pose(name).position)) > LOST_M
