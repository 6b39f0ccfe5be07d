"""Turn a knob: pinch it from above and turn the hand about the knob's axis."""

from gauge.policies.expert.geometry import Pose, nearest_turn
from gauge.policies.expert.grasp import DOWN, candidates, tilted_tools
from gauge.policies.expert.joints import Joint, joint_for
from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.servo import OPEN
from gauge.policies.expert.skills.drive import ahead, drive

TRIES = 4
CHECKED = 60
LEAD_RAD = 0.8  # the ridge gives a little between the fingers
SPEED = 0.6  # knobs are where the arm must fold: its posture needs time to follow
APPROACHES_M = (0.08, 0.06, 0.045, 0.03)  # near the robot's base the arm cannot fold far enough to come from high up


def turn(arm: Arm, kind: str, name: str) -> Motion:
    """Bring the knob of `name` to where `kind` (`turnon` or `turnoff`) holds."""
    for attempt in range(TRIES):
        joint = joint_for(arm.world, kind, name)
        found = _pinch(arm, joint, attempt)
        if found is None:
            return arm.fail(f"cannot pinch the knob of {name}")
        pose, above = found
        arm.gripper = OPEN
        yield from arm.travel(above, speed=SPEED)
        yield from arm.move(above, tolerance_m=0.005, speed=SPEED)
        yield from arm.move(pose, tolerance_m=0.005, speed=SPEED)
        if (yield from arm.close_fingers(joint.geoms())):
            yield from drive(arm, joint, ahead(joint, kind, name), lead_rad=LEAD_RAD)
        yield from arm.open_fingers()
        yield from arm.move(Pose(above.position, arm.world.hand().rotation), tolerance_m=0.02, limit=12)
        if arm.world.holds((kind, name)):
            return True
    return arm.fail(f"could not turn the knob of {name}")


def _pinch(arm: Arm, joint: Joint, skip: int) -> tuple[Pose, Pose] | None:
    """A hand pose across the knob from which the whole turn can be made, and one above it to come from."""
    hand, geoms = arm.world.hand(), joint.geoms()
    free = 0
    boxes = arm.world.boxes(geoms)
    upright = candidates(boxes, hand.rotation, [DOWN])[:CHECKED]
    for grasp in [*upright, *candidates(boxes, hand.rotation, tilted_tools(), 4)[: 2 * CHECKED]]:
        pose = Pose(grasp.pose.position, nearest_turn(grasp.pose.rotation, arm.home))
        arm.imagination.sync()
        there = arm.imagination.check(pose, arm.angles())
        if not there.free or there.angles is None:
            continue
        ways = [pose.along_tool(-away) for away in APPROACHES_M]
        above = next((way for way in ways if arm.imagination.check(way, there.angles).free), None)
        if above is None:
            continue
        end = joint.moved(pose, joint.wanted - joint.value)
        if arm.imagination.check(end, there.angles, ignore=geoms).free:
            free += 1
            if free > skip:
                return pose, above
    return None
