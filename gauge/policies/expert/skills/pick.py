"""Pick an object up."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn
from gauge.policies.expert.grasp import DOWN, Grasp, candidates
from gauge.policies.expert.imagination import Held
from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.servo import OPEN

APPROACH_M = 0.08
LIFT_M = 0.08
TRIES = 4
CHECKED = 200
SLACK_M = 0.004


def pick(arm: Arm, name: str) -> Motion:
    """Grasp `name` from above and lift it clear; True when it is in the hand."""
    tried: list[Pose] = []
    for _ in range(TRIES):
        grasp = find_grasp(arm, name, tried)
        if grasp is None:
            return arm.fail(f"no grasp of {name}")
        tried.append(grasp.pose)
        if (yield from take(arm, name, grasp)):
            return True
        yield from let_go(arm)
    return arm.fail(f"could not hold {name}")


def take(arm: Arm, name: str, grasp: Grasp) -> Motion:
    """Carry out one grasp: approach, close, lift, and check that the object came along."""
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    arm.gripper = OPEN
    yield from arm.travel(grasp.pose.along_tool(-APPROACH_M), tolerance_m=0.012)
    yield from arm.move(grasp.pose, tolerance_m=0.005)
    if not (yield from arm.close_fingers(geoms)):
        return False
    before = arm.world.pose(name).position[2]
    arm.held = hold(arm, name)
    yield from arm.move(arm.world.hand().shifted(np.array([0.0, 0.0, LIFT_M])), tolerance_m=0.015)
    arm.held = hold(arm, name)
    return arm.world.gripped(geoms) and arm.world.pose(name).position[2] > before + 0.4 * LIFT_M


def let_go(arm: Arm) -> Motion:
    """Open and back off along the fingers."""
    yield from arm.open_fingers()
    yield from arm.move(arm.world.hand().along_tool(-APPROACH_M), tolerance_m=0.015)
    return True


def hold(arm: Arm, name: str) -> Held:
    """What the hand holds right now."""
    in_hand = arm.world.hand().inverse() @ arm.world.pose(name)
    return Held(name, in_hand, arm.world.data.qpos[arm.world.fingers].copy())


def find_grasp(arm: Arm, name: str, tried: list[Pose]) -> Grasp | None:
    """The best grasp that can be reached without touching anything, away from those already tried."""
    hand = arm.world.hand()
    found = candidates(arm.world.object_boxes(name), hand.rotation, [DOWN])
    checked: list[Pose] = []
    for grasp in found:
        pose = Pose(grasp.pose.position, nearest_turn(grasp.pose.rotation, hand.rotation))
        if _near(pose, tried, 0.012, 0.2) or _near(pose, checked, 0.006, 0.1):
            continue
        if len(checked) >= CHECKED:
            return None
        checked.append(pose)
        if reachable(arm, pose):
            return Grasp(pose, grasp.width, grasp.cost)
    return None


def reachable(arm: Arm, pose: Pose) -> bool:
    """Whether the open hand can come down to `pose` with a little room on both sides of the fingers."""
    arm.imagination.sync()
    above = arm.imagination.check(pose.along_tool(-APPROACH_M), arm.angles())
    if not above.free or above.angles is None:
        return False
    side: Array = SLACK_M * pose.rotation[:, 0]
    for goal in (pose, pose.shifted(side), pose.shifted(-side), pose.along_tool(-APPROACH_M / 2)):
        if not arm.imagination.check(goal, above.angles).free:
            return False
    return True


def _near(pose: Pose, others: list[Pose], metres: float, radians: float) -> bool:
    """Whether `pose` is nearly one of `others`."""
    return any(
        np.linalg.norm(pose.position - other.position) < metres
        and np.arccos(np.clip(abs(pose.rotation[:, 0] @ other.rotation[:, 0]), 0.0, 1.0)) < radians
        for other in others
    )
