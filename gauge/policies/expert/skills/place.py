"""Put a held object somewhere: on a surface or into a region."""

import numpy as np

from gauge.policies.expert.geometry import Pose, between, rotation_vector
from gauge.policies.expert.motion import STILL_M, Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.skills.pick import APPROACH_M, hold
from gauge.policies.expert.spots import find_spot
from gauge.policies.expert.targets import Target

LOST_M = 0.08
SETTLE_STEPS = 8
SPEED = 0.5
ENTRY_M = 0.004
COMES_ALONG_M = 0.015
LEAVE_LIMIT = 25  # a stretched arm gets away slowly, and a part of the way is enough
SHAKES, SHAKE_TIMES, SHAKE_M = 2, 3, 0.03  # as fast as the arm can, about a centimetre to and fro
LEAN_PARTS, LEAN_LIMIT = (0.2, 0.4, 0.6, 0.8), 12


def place(arm: Arm, name: str, target: Target) -> Motion:
    """Put the held object down at the best spot of `target` and let go; True once it was let go there."""
    if arm.held is None:
        return arm.fail(f"{name} is not in the hand")
    arm.held = hold(arm, name)
    spot = find_spot(arm, target)
    if spot is None:
        return arm.fail(f"no room to put {name} down")
    yield from arm.travel(spot.way(arm.held.in_hand)[0])
    if lost(arm, name):
        return arm.fail(f"lost {name} on the way")
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    now = hold(arm, name).in_hand  # it may have swung: aim with where it hangs now
    lowered = bool(spot.way_in[2] < 0.0)
    for entry in spot.way(now)[1:]:
        yield from arm.move(entry, tolerance_m=ENTRY_M, speed=SPEED, still_m=STILL_M)
        yield from _lean_over(arm, entry, spot.hand(now))
    touched = (lambda: arm.world.touches(geoms)) if lowered and spot.entry is None else None
    yield from arm.move(spot.hand(now), tolerance_m=0.006, speed=SPEED, until=touched)
    yield from arm.open_fingers(SETTLE_STEPS)
    if lowered:
        return (yield from _leave(arm, name, arm.world.hand().along_tool(-APPROACH_M)))
    yield from arm.move(arm.world.hand().shifted(-spot.way_in), tolerance_m=0.02)
    return True


def _leave(arm: Arm, name: str, away: Pose) -> Motion:
    """Back off to `away`; an object that hangs on a finger and comes along is brought back and shaken off."""
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    here, there = arm.world.hand(), arm.world.pose(name).position
    way = away.position - here.position
    way = way / np.linalg.norm(way)

    def comes_along() -> bool:
        along = float((arm.world.pose(name).position - there) @ way)
        return along > COMES_ALONG_M and any(arm.world.touches(finger, geoms) for finger in arm.world.finger_geoms)

    for _ in range(SHAKES):
        yield from arm.move(away, tolerance_m=0.02, limit=LEAVE_LIMIT, until=comes_along)
        if not comes_along():
            return True
        yield from arm.move(here, tolerance_m=ENTRY_M)
        for part in (-1.0, 1.0) * SHAKE_TIMES:
            yield arm.step_to(arm.world.hand().shifted(part * SHAKE_M * way))
    yield from arm.move(away, tolerance_m=0.02, limit=LEAVE_LIMIT)
    return True


def _lean_over(arm: Arm, entry: Pose, leaning: Pose) -> Motion:
    """Turn a load that hangs upright at `entry` into its place a little at a time: turned at once it swings out."""
    turn = rotation_vector(leaning.rotation @ entry.rotation.T)
    for part in LEAN_PARTS:
        yield from arm.move(between(entry, leaning, turn, part), tolerance_m=ENTRY_M, speed=SPEED, limit=LEAN_LIMIT)
    return True


def lost(arm: Arm, name: str) -> bool:
    """Whether the object fell out of the hand; one that only swung is still held."""
    if arm.held is None or not arm.world.gripped(arm.world.subtree_geoms(arm.world.root(name))):
        return True
    expected = arm.world.hand() @ arm.held.in_hand
    return float(np.linalg.norm(expected.position - arm.world.pose(name).position)) > LOST_M
