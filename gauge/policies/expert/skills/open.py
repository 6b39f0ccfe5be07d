"""Open a drawer or a door: take the handle and pull; a door is then pushed on from inside."""

from dataclasses import replace
from itertools import product

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn, tool_rotation
from gauge.policies.expert.imagination import OPEN_M
from gauge.policies.expert.joints import Joint, joint_for
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.servo import OPEN
from gauge.policies.expert.skills.drive import ahead, drive
from gauge.policies.expert.skills.shove import shove
from gauge.policies.expert.world import Ids, World

TILTS_RAD = (0.0, 0.3, 0.6, 0.85, 1.1)
SWINGS_RAD = (0.0, 0.35, -0.35, 0.7, -0.7)
AJAR_RAD = 0.45
FOLLOWS = (1.0, 0.5, 0.0)
PULL_RAD = 0.15
APPROACH_M = 0.07
TRIES = 3
NARROW_M = 0.014


def open_(arm: Arm, name: str) -> Motion:
    """Open the drawer or door that `name` (a region or a fixture) belongs to."""
    for _ in range(TRIES):
        joint = joint_for(arm.world, "open", name)
        if not joint.slides:
            joint = replace(joint, wanted=joint.value + AJAR_RAD * np.sign(joint.wanted - joint.value))
        handle = handle_geom(arm.world, joint)
        found = _grip(arm, joint, handle)
        if found is None:
            return arm.fail(f"cannot reach the handle of {name}")
        pose, follow = found
        arm.gripper = OPEN
        if arm.imagination.opening < OPEN_M:
            yield from arm.narrow_fingers(arm.imagination.opening)
        yield from arm.travel(pose.along_tool(-APPROACH_M))
        yield from arm.move(pose, tolerance_m=0.005)
        done = ahead(joint, "open", name) if joint.slides else ahead(joint)
        if (yield from arm.close_fingers(joint.geoms())):
            yield from drive(arm, joint, done, follow, PULL_RAD)
        yield from arm.open_fingers()
        yield from arm.move(arm.world.hand().along_tool(-APPROACH_M), tolerance_m=0.02)
        if arm.world.holds(("open", name)):
            return True
        if not joint.slides and done() and (yield from shove(arm, "open", name)):
            return True
    return arm.fail(f"could not open {name}")


def handle_geom(world: World, joint: Joint) -> int:
    """The handle: what sticks out farthest the way the part opens, on the side that is gripped from outside."""
    geoms = joint.geoms()
    boxes = world.boxes(geoms)
    reach = [
        float(centre @ joint.direction(centre)) if joint.slides else _out(joint, centre) for centre in boxes.centres
    ]
    sizes = np.sort(boxes.halves, axis=1)
    score = np.array(reach) + 0.1 * sizes[:, 2] - np.where(sizes[:, 1] > 0.03, 1.0, 0.0)
    return int(geoms[int(np.argmax(score))])


def _out(joint: Joint, centre: Array) -> float:
    """How far a point of a door is in front of the plane through its hinge, metres."""
    world = joint.world
    panel = world.boxes(joint.geoms())
    largest = int(np.argmax(np.prod(panel.halves, axis=1)))
    middle = panel.centres[largest]
    return float((centre - middle) @ joint.direction(middle))


def long_axis(world: World, geom: int) -> Array:
    """The longest direction [3] of a geom."""
    boxes = world.boxes(np.array([geom]))
    axis: Array = boxes.rotations[0][:, int(np.argmax(boxes.halves[0]))]
    return axis


def _grip(arm: Arm, joint: Joint, handle: int) -> tuple[Pose, float] | None:
    """A hand pose around the handle and how far the hand turns with a door.

    The hand comes as straight and as level as the surroundings and the arm's joints allow.
    """
    world, geoms = arm.world, np.array([handle], dtype=np.intp)
    bar: Ids = joint.geoms()
    centre, along = world.boxes(geoms).centres[0], long_axis(world, handle)
    inwards = -joint.direction(centre)
    narrow = float(world.boxes(geoms).halves[0].min()) + NARROW_M
    for swing, tilt, arm.imagination.opening in product(SWINGS_RAD, TILTS_RAD, (OPEN_M, narrow)):
        level = np.cos(swing) * inwards + np.sin(swing) * along
        tool = np.cos(tilt) * level + np.sin(tilt) * np.array([0.0, 0.0, -1.0])
        pose = Pose(centre, nearest_turn(tool_rotation(np.cross(along, tool), tool), arm.home))
        arm.imagination.sync()
        there = arm.imagination.check(pose, arm.angles(), ignore=geoms)
        if not there.free or there.angles is None:
            continue
        ways = [pose.along_tool(-APPROACH_M * part) for part in (0.5, 1.0)]
        if not all(arm.imagination.check(way, there.angles, ignore=geoms).free for way in ways):
            continue
        for follow in FOLLOWS:
            end = joint.moved(pose, joint.wanted - joint.value, follow)
            if arm.imagination.check(end, there.angles, ignore=bar).angles is not None:
                return pose, follow
    return None
