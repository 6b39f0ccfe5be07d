"""Choose a grasp of an object: the best to which there is a free way."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn
from gauge.policies.expert.grasp import DOWN, Grasp, candidates, tilted_tools
from gauge.policies.expert.imagination import OPEN_M, Held
from gauge.policies.expert.motion import Arm

WAYS = 5
CHECKED = 100
SLACK_M = 0.004
NARROW_M = 0.014


def find_grasp(arm: Arm, name: str, tried: list[Pose]) -> Grasp | None:
    """The best grasp to which there is a free way; failing that, the one with the freest way."""
    refused = list(tried)
    best: tuple[int, Grasp] | None = None
    for _ in range(WAYS):
        grasp = next_grasp(arm, name, refused)
        if grasp is None:
            break
        arm.imagination.opening = grasp.opening
        collisions = arm.route(grasp.pose.along_tool(-arm.style.approach_m)).collisions
        if best is None or collisions < best[0]:
            best = collisions, grasp
        if collisions == 0:
            break
        refused.append(grasp.pose)
    if best is None:
        return None
    arm.imagination.opening = best[1].opening
    return best[1]


def next_grasp(arm: Arm, name: str, tried: list[Pose]) -> Grasp | None:
    """The best grasp that can be carried out without touching anything, away from those already tried.

    From above, then from above without looking at the lift, then tilted, then with the wrist near its limit.
    """
    rotation, boxes = arm.world.hand().rotation, arm.world.object_boxes(name)
    upright = varied(arm, candidates(boxes, rotation, [DOWN]))
    found = _first(arm, name, upright, tried, lifted=True) or _first(arm, name, upright, tried, lifted=False)
    if found is None:
        tilted = varied(arm, candidates(boxes, rotation, tilted_tools(), 4))
        found = _first(arm, name, tilted, tried, lifted=False)
    if found is None:
        arm.imagination.relax(True)
        found = _first(arm, name, upright, tried, lifted=False)
        arm.imagination.relax(False)
    return found


def varied(arm: Arm, found: list[Grasp]) -> list[Grasp]:
    """Grasps in the order of this episode's style."""
    return [found[index] for index in arm.style.shuffled([grasp.cost for grasp in found])]


def _first(arm: Arm, name: str, found: list[Grasp], tried: list[Pose], lifted: bool) -> Grasp | None:
    """The first of `found` that is possible, with open fingers or else narrowed ones."""
    checked: list[Pose] = []
    for grasp in found:
        pose = Pose(grasp.pose.position, nearest_turn(grasp.pose.rotation, arm.home))
        if _near(pose, tried, 0.012, 0.2) or _near(pose, checked, 0.006, 0.1):
            continue
        if len(checked) >= CHECKED:
            return None
        checked.append(pose)
        for opening in (OPEN_M, min(OPEN_M, grasp.width / 2 + NARROW_M)):
            option = Grasp(pose, grasp.width, grasp.cost, opening)
            if possible(arm, name, option, lifted):
                return option
    return None


def possible(arm: Arm, name: str, grasp: Grasp, lifted: bool) -> bool:
    """Whether the hand can come in with a little room, close on nothing else and, if `lifted`, lift the object free."""
    imagination, pose = arm.imagination, grasp.pose
    imagination.sync()
    imagination.opening = grasp.opening
    there = imagination.check(pose, arm.angles())
    if not there.free or there.angles is None:
        return False
    side: Array = SLACK_M * pose.rotation[:, 0]
    ways = [pose.along_tool(-arm.style.approach_m * part) for part in (0.25, 0.5, 1.0)]
    if not all(imagination.check(way, there.angles).free for way in (pose.shifted(side), pose.shifted(-side), *ways)):
        return False
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    closed = min(grasp.width / 2 + 0.003, grasp.opening)
    for imagination.opening in np.linspace(closed, grasp.opening, 3):
        if not imagination.check(pose, there.angles, ignore=geoms).free:
            return False
    if not lifted:
        return True
    held = Held(name, pose.inverse() @ arm.world.pose(name), closed * np.array([1.0, -1.0]))
    lifts = [pose.shifted(np.array([0.0, 0.0, arm.style.lift_m * part])) for part in (0.5, 1.0)]
    free = all(imagination.check(lift, there.angles, held).free for lift in lifts)
    imagination.sync()
    return free


def _near(pose: Pose, others: list[Pose], metres: float, radians: float) -> bool:
    """Whether `pose` is nearly one of `others`."""
    return any(
        np.linalg.norm(pose.position - other.position) < metres
        and np.arccos(np.clip(abs(pose.rotation[:, 0] @ other.rotation[:, 0]), 0.0, 1.0)) < radians
        for other in others
    )
