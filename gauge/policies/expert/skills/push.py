"""Slide something flat that cannot be grasped: fingertips inside its rim, then drag."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn, tool_rotation
from gauge.policies.expert.grasp import DOWN
from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.servo import CLOSE
from gauge.policies.expert.targets import Target

ABOVE_M = 0.08
TRIES = 4
LIMIT = 120
LEAD_M = 0.04
TIP_BELOW_SITE_M = 0.012
FINGER_M = 0.014
NEAR_M = 0.006
SPEED = 0.6


def push(arm: Arm, name: str, target: Target, state: tuple[str, ...]) -> Motion:
    """Drag `name` until its origin is over the target's middle."""
    goal = target.points[0]
    for _ in range(TRIES):
        start = arm.world.pose(name).position
        way = goal - start[:2]
        length = float(np.linalg.norm(way))
        if length < NEAR_M or arm.world.holds(state):
            break
        contact = _inside_rim(arm, name, way / length)
        arm.gripper, arm.imagination.opening = CLOSE, 0.0
        yield from arm.travel(contact.along_tool(-ABOVE_M))
        yield from arm.move(contact, tolerance_m=0.006, speed=SPEED)
        yield from _drag(arm, name, goal)
        yield from arm.move(arm.world.hand().along_tool(-ABOVE_M), tolerance_m=0.02)
    yield from arm.open_fingers()
    return arm.world.holds(state) or arm.fail(f"could not push {name} far enough")


def _drag(arm: Arm, name: str, goal: Array) -> Motion:
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
        yield arm.step_to(Pose(np.array([*(here[:2] + lead), height]), rotation), SPEED)
    return False


def _inside_rim(arm: Arm, name: str, way: Array) -> Pose:
    """Closed fingertips just above the floor of a dish, against its rim on the side it will go, `way` [2]."""
    boxes = arm.world.object_boxes(name)
    cloud = boxes.points(0.004)
    origin = arm.world.pose(name).position
    along = (cloud[:, :2] - origin[:2]) @ way
    strip = np.abs((cloud[:, :2] - origin[:2]) @ np.array([-way[1], way[0]])) < 0.012
    ahead = cloud[strip & (along > 0.0)]
    tip = float(cloud[strip & (np.abs(along) < 0.02), 2].max()) + 0.003
    rim = (ahead[ahead[:, 2] > tip + 0.002] - [*origin[:2], 0.0])[:, :2] @ way
    reach = float(rim.min()) if len(rim) else float(along.max())
    point = np.array([*(origin[:2] + (reach - FINGER_M) * way), tip + TIP_BELOW_SITE_M])
    finger = np.array([-way[1], way[0], 0.0])
    return Pose(point, nearest_turn(tool_rotation(finger, DOWN), arm.world.hand().rotation))
