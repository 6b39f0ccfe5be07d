"""Put a held object somewhere: on a surface or into a region."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose
from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.pick import APPROACH_M, hold

ABOVE_M = 0.02
SCAN_M = 0.01
LOST_M = 0.03
SETTLE_STEPS = 8


def place_at(arm: Arm, name: str, xy: Array, lowest_m: float, highest_m: float) -> Motion:
    """Put the held object's origin over `xy` [2] as low as nothing is hit, between two heights, and let go."""
    if arm.held is None:
        return arm.fail(f"{name} is not in the hand")
    arm.held = hold(arm, name)
    in_hand = arm.held.in_hand
    height = release_height(arm, xy, lowest_m, highest_m)
    if height is None:
        return arm.fail(f"no room to put {name} down")
    hand = arm.world.hand()
    target = _hand_pose(hand.rotation, in_hand, np.array([*xy, height]))
    yield from arm.travel(target.shifted(np.array([0.0, 0.0, ABOVE_M])))
    if lost(arm, name):
        return arm.fail(f"lost {name} on the way")
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    now = hold(arm, name).in_hand  # it may have swung: aim with where it hangs now
    target = _hand_pose(arm.world.hand().rotation, now, np.array([*xy, height]))
    yield from arm.move(target, tolerance_m=0.006, speed=0.5, until=lambda: arm.world.touches(geoms))
    yield from arm.open_fingers(SETTLE_STEPS)
    yield from arm.move(arm.world.hand().along_tool(-APPROACH_M), tolerance_m=0.02)
    return True


def release_height(arm: Arm, xy: Array, lowest_m: float, highest_m: float) -> float | None:
    """The lowest height of the object's origin at which neither it nor the hand hits anything."""
    held = arm.held
    if held is None:
        return None
    arm.imagination.sync()
    angles, best = arm.angles(), None
    rotation = arm.world.hand().rotation
    for height in np.arange(highest_m, lowest_m - 1e-9, -SCAN_M):
        result = arm.imagination.check(_hand_pose(rotation, held.in_hand, np.array([*xy, height])), angles, held)
        if result.free and result.angles is not None:
            best, angles = float(height), result.angles
        elif best is not None:
            break
    return best


def lost(arm: Arm, name: str) -> bool:
    """Whether the object is no longer where the hand took it."""
    if arm.held is None:
        return True
    expected = arm.world.hand() @ arm.held.in_hand
    return float(np.linalg.norm(expected.position - arm.world.pose(name).position)) > LOST_M


def _hand_pose(rotation: Array, in_hand: Pose, origin: Array) -> Pose:
    """Where the hand must be for the held object's origin to be at `origin` [3]."""
    return Pose(origin - rotation @ in_hand.position, rotation)
