"""Slide something flat that cannot be grasped: both open fingers behind it, then push."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn, tool_rotation
from gauge.policies.expert.grasp import DOWN
from gauge.policies.expert.imagination import OPEN_M
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.targets import Target

ABOVE_M = 0.08
TRIES = 4
LIMIT = 120
LEAD_M = 0.04
TIP_BELOW_SITE_M = 0.014
FINGER_M = 0.012
GAP_M = 0.01
TILTS_RAD = (0.0, 0.3, 0.6, 0.9)
NEAR_M = 0.006
SPEED = 0.6


def push(arm: Arm, name: str, target: Target, state: tuple[str, ...]) -> Motion:
    """Push `name` until its origin is over the target's middle."""
    goal = target.points[0]
    for _ in range(TRIES):
        start = arm.world.pose(name).position
        way = goal - start[:2]
        length = float(np.linalg.norm(way))
        if length < NEAR_M or arm.world.holds(state):
            break
        contact = _behind(arm, name, way / length)
        yield from arm.travel(contact.along_tool(-ABOVE_M))
        yield from arm.move(contact, tolerance_m=0.006, speed=SPEED)
        yield from _slide(arm, name, goal)
        yield from arm.move(arm.world.hand().along_tool(-ABOVE_M), tolerance_m=0.02)
    return arm.world.holds(state) or arm.fail(f"could not push {name} far enough")


def _slide(arm: Arm, name: str, goal: Array) -> Motion:
    """Move the hand the way the object still has to go until it is there or no longer follows."""
    height, rotation = float(arm.world.hand().position[2]), arm.world.hand().rotation
    first = goal - arm.world.pose(name).position[:2]
    direction = first / np.linalg.norm(first)
    best, since = np.inf, 0
    for _ in range(LIMIT):
        left = goal - arm.world.pose(name).position[:2]
        if float(left @ direction) < NEAR_M:
            return True
        best, since = (float(left @ direction), 0) if float(left @ direction) < best - 0.0005 else (best, since + 1)
        if since > 20:
            return False
        lead = LEAD_M * left / max(float(np.linalg.norm(left)), LEAD_M / 2)
        here = arm.world.hand().position
        sink = height - float(here[2])  # a finger that rises slides over the rim
        yield arm.step_to(Pose(np.array([*(here[:2] + lead), height + 2.0 * sink]), rotation), SPEED)
    return False


def _behind(arm: Arm, name: str, way: Array) -> Pose:
    """Open fingers low on both sides behind the object, as seen along `way` [2]: a cradle it cannot roll out of."""
    low, _ = arm.world.object_boxes(name).bounds()
    across = np.array([-way[1], way[0]])
    flat = arm.world.object_boxes(name).points(0.004)[:, :2] - arm.world.pose(name).position[:2]
    beside = np.abs(np.abs(flat @ across) - OPEN_M) < FINGER_M
    back = float((flat[beside] @ way).min()) if beside.any() else float((flat @ way).min())
    point = arm.world.pose(name).position[:2] + (back - FINGER_M - GAP_M) * way
    site = np.array([*point, float(low[2]) + TIP_BELOW_SITE_M])
    arm.imagination.sync()
    best: tuple[int, Pose] | None = None
    for tilt in TILTS_RAD:  # lean the hand over the object where something stands behind it
        tool = np.cos(tilt) * DOWN - np.sin(tilt) * np.array([*way, 0.0])
        rotation = nearest_turn(tool_rotation(np.array([*across, 0.0]), tool), arm.home)
        pose = Pose(site, rotation)
        hits = arm.imagination.sweep([pose.along_tool(-ABOVE_M), pose], arm.angles()).collisions
        if best is None or hits < best[0]:
            best = hits, pose
    return best[1] if best is not None else Pose(site, arm.world.hand().rotation)
