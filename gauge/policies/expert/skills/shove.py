"""Push a drawer or a door with closed fingers: shut, or a door that is ajar open."""

from itertools import product

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, nearest_turn, tool_rotation
from gauge.policies.expert.joints import Joint, joint_for
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.servo import CLOSE
from gauge.policies.expert.skills.drive import ahead, drive

DRAWER_TILTS_RAD = (0.7, 0.9, 0.45, 1.1, 0.2, 0.0)
DOOR_TILTS_RAD = (1.3, 1.1, 1.5, 0.9, 0.7)  # a door is pushed round with the sides of upright fingers
FOLLOWS = (1.0, 0.5, 0.0)
BELOW_TOP_M = 0.03
SIDES = (0.0, 0.35, -0.35)
BEFORE_M = 0.05
TOUCH_M = 0.012
FACE_M = 0.004
TRIES = 3
DOWN = np.array([0.0, 0.0, -1.0])


def shove(arm: Arm, kind: str, name: str) -> Motion:
    """Push the drawer or door that `name` (a region or a fixture) belongs to until `open` or `close` holds."""
    for attempt in range(TRIES):
        joint = joint_for(arm.world, kind, name)
        found = _contact(arm, joint, attempt)
        if found is None:
            return arm.fail(f"cannot reach {name} to push it")
        pose, follow = found
        arm.gripper, arm.imagination.opening = CLOSE, 0.0
        yield from arm.wait(4)
        yield from arm.travel(pose.along_tool(-BEFORE_M))
        yield from arm.move(pose, tolerance_m=0.008)
        yield from drive(arm, joint, ahead(joint, kind, name), follow, gentle=joint.slides)
        yield from arm.move(arm.world.hand().along_tool(-BEFORE_M), tolerance_m=0.02)
        yield from arm.open_fingers()
        if arm.world.holds((kind, name)):
            return True
    return arm.fail(f"could not push {name} far enough")


def _contact(arm: Arm, joint: Joint, skip: int) -> tuple[Pose, float] | None:
    """Where closed fingers should be to push: in front of the part's outermost surface, tilted down.

    With it how far the hand turns with a door: all the way if it can.
    """
    arm.imagination.sync()
    arm.imagination.opening = 0.0
    hand = arm.world.hand().rotation  # a wrist that is already turned goes on to the nearer side, not into its stop
    found = []
    for follow, tilt in product(FOLLOWS[:1] if joint.slides else FOLLOWS, _tilts(joint)):
        for point, way in _points(arm, joint):
            tool = np.cos(tilt) * way + np.sin(tilt) * DOWN
            rotation = nearest_turn(tool_rotation(np.cross(way, DOWN), tool), hand)
            pose = Pose(point - TOUCH_M * way, rotation)
            there = arm.imagination.check(pose, arm.angles())
            if not there.free or there.angles is None:
                continue
            if not arm.imagination.check(pose.along_tool(-BEFORE_M), there.angles).free:
                continue
            if _can_follow(arm, joint, pose, there.angles, follow):
                found.append((pose, follow))
                if len(found) > skip:
                    return found[-1]
    return found[-1] if found else None


def _tilts(joint: Joint) -> tuple[float, ...]:
    return DRAWER_TILTS_RAD if joint.slides else DOOR_TILTS_RAD


def _can_follow(arm: Arm, joint: Joint, pose: Pose, angles: Array, follow: float) -> bool:
    """Whether the arm can go along until the joint is where it should be; what lies in a drawer goes along as well."""
    world, imagination = arm.world, arm.imagination
    loose = np.concatenate([joint.geoms(), *(world.subtree_geoms(world.root(name)) for name in world.env.objects_dict)])
    imagination.data.qpos[world.model.jnt_qposadr[joint.index]] = joint.wanted
    free = imagination.check(joint.moved(pose, joint.wanted - joint.value, follow), angles, ignore=loose).free
    imagination.sync()
    return free


def _points(arm: Arm, joint: Joint) -> list[tuple[Array, Array]]:
    """Points [3] on the face that is pushed, with the way [3] it will go there: the middle first, then its sides."""
    boxes = arm.world.boxes(joint.geoms())
    cloud = boxes.points(0.01)
    middle = boxes.centres[int(np.argmax(np.prod(boxes.halves, axis=1)))]
    if not joint.slides:  # push far from the hinge
        anchor = arm.world.data.xanchor[joint.index]
        distances = np.linalg.norm((cloud - anchor)[:, :2], axis=1)
        cloud = cloud[distances > 0.6 * distances.max()]
        middle = cloud.mean(axis=0)
    way = joint.direction(middle)
    side = np.cross(way, DOWN)
    spread = float(np.ptp(cloud @ side))
    points = []
    for part in SIDES:
        near = cloud[np.abs((cloud - middle) @ side - part * spread) < 0.02]
        if len(near):
            face = near[near @ way < (near @ way).min() + FACE_M]
            wanted = float(face[:, 2].max()) - BELOW_TOP_M
            points.append((face[int(np.argmin(np.abs(face[:, 2] - wanted)))], way))
    return points
