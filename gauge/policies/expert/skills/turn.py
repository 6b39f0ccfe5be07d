"""Turn a knob: pinch it and turn the hand about its axis; a door or drawer is taken along in the same way."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn
from gauge.policies.expert.grasp import DOWN, Grasp, candidates, tilted_tools
from gauge.policies.expert.joints import Joint, joint_for
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.servo import OPEN
from gauge.policies.expert.skills.drive import ahead, calm, drive

TRIES = 4
CHECKED, APART_M = 60, 0.02
WIDTH_COST = 20.0
TURN_PARTS, MAX_JUMP_RAD = 6, 0.8
EASY_RAD = 2.2  # of both joints that turn the wrist together
TWIN = np.array([-1.0, -1.0, 1.0])  # the same pinch with the fingers exchanged
LEAD_RAD, LEAD_M = 0.8, 0.05  # the ridge gives a little between the fingers, a door does not
SPEED = 0.6  # knobs are where the arm must fold: its posture needs time to follow
APPROACHES_M = (0.08, 0.06, 0.045, 0.03)  # near the robot's base the arm cannot fold far enough to come from high up


def turn(arm: Arm, kind: str, name: str) -> Motion:
    """Pinch what moves of `name` and take it along to where `kind` (`turnon`, `turnleft`, `open`, ...) holds."""
    for attempt in range(TRIES):
        joint = joint_for(arm.world, kind, name)
        found = _pinch(arm, joint, attempt)
        if found is None:
            return arm.fail(f"cannot pinch {name} to move it")
        pose, above = found
        arm.gripper = OPEN
        yield from arm.travel(above, speed=SPEED)
        yield from arm.move(above, tolerance_m=0.005, speed=SPEED)
        yield from arm.move(pose, tolerance_m=0.005, speed=SPEED)
        if (yield from arm.close_fingers(joint.geoms())):
            yield from drive(arm, joint, ahead(joint, kind, name), lead_rad=min(LEAD_RAD, LEAD_M / joint.arm(pose)))
            yield from calm(arm, joint)
        yield from arm.open_fingers()
        yield from arm.move(Pose(above.position, arm.world.hand().rotation), tolerance_m=0.02, limit=12)
        if arm.world.holds((kind, name)):
            return True
    return arm.fail(f"could not turn {name} far enough")


def _pinch(arm: Arm, joint: Joint, skip: int) -> tuple[Pose, Pose] | None:
    """A hand pose across the knob from which the whole turn can be made, and one above it to come from."""
    return next(islice(_pinches(arm, joint), skip, None), None)


def _pinches(arm: Arm, joint: Joint) -> Iterator[tuple[Pose, Pose]]:
    """Narrow pinches first: across a ridge the fingers hold it, along it they slip.

    Before them those from above that leave the wrist near its middle: near its stops it turns over.
    """
    hand, boxes = arm.world.hand(), arm.world.boxes(joint.geoms())
    upright = sorted(candidates(boxes, hand.rotation, [DOWN]), key=_slips)
    tilted = sorted(candidates(boxes, hand.rotation, tilted_tools(), 4), key=_slips)
    strained = []
    for grasp in upright[:CHECKED]:
        for found, strain in _ways(arm, joint, grasp):
            if strain < EASY_RAD:
                yield found
            else:
                strained.append(found)
    yield from strained
    for grasp in [*tilted[: 2 * CHECKED], *_apart(upright), *_apart(tilted)]:
        yield from (found for found, _ in _ways(arm, joint, grasp))


def _apart(grasps: list[Grasp]) -> list[Grasp]:
    """The best at each of some places: a door is large, and the best ones may all be where a fixture is beside it."""
    kept: list[Grasp] = []
    for grasp in grasps:
        if all(np.linalg.norm(grasp.pose.position - other.pose.position) > APART_M for other in kept):
            kept.append(grasp)
    return kept[:CHECKED]


def _ways(arm: Arm, joint: Joint, grasp: Grasp) -> Iterator[tuple[tuple[Pose, Pose], float]]:
    """A grasp and its twin, each with a pose above it to come from, and how far the turn takes the wrist."""
    pose = Pose(grasp.pose.position, nearest_turn(grasp.pose.rotation, arm.home))
    for twin in (pose, Pose(pose.position, pose.rotation * TWIN)):
        found = _way_in(arm, joint, twin)
        if found is not None:
            yield (twin, found[0]), found[1]


def _slips(grasp: Grasp) -> float:
    """Cost of a pinch that has to carry a torque."""
    return grasp.cost + WIDTH_COST * grasp.width


def _way_in(arm: Arm, joint: Joint, pose: Pose) -> tuple[Pose, float] | None:
    """A pose above `pose` to come from, and the wrist's strain, if the hand can make the whole turn from there."""
    arm.imagination.sync()
    there = arm.imagination.check(pose, arm.angles())
    if not there.free or there.angles is None:
        return None
    ways = [pose.along_tool(-away) for away in APPROACHES_M]
    above = next((way for way in ways if arm.imagination.check(way, there.angles).free), None)
    strain = _strain(arm, joint, pose, there.angles) if above is not None else None
    return None if above is None or strain is None else (above, strain)


def _strain(arm: Arm, joint: Joint, pose: Pose, angles: Array) -> float | None:
    """How far from its middle the turn takes the wrist, rad; None if the arm would have to change its posture on it."""
    strain = arm.imagination.strain(angles)
    for part in np.linspace(0.0, 1.0, TURN_PARTS)[1:]:
        now = joint.moved(pose, float(part) * (joint.wanted - joint.value))
        there = arm.imagination.check(now, angles, ignore=joint.geoms())
        if not there.free or there.angles is None or float(np.abs(there.angles - angles).max()) > MAX_JUMP_RAD:
            return None
        angles = there.angles
        strain = max(strain, arm.imagination.strain(angles))
    return strain
