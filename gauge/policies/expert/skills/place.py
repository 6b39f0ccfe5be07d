"""Put a held object somewhere: on a surface or into a region."""

from dataclasses import dataclass

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, axis_rotation
from gauge.policies.expert.motion import Arm, Motion
from gauge.policies.expert.skills.pick import APPROACH_M, hold
from gauge.policies.expert.targets import Target

ABOVE_M = 0.02
SCAN_M = 0.01
LOST_M = 0.08
SETTLE_STEPS = 8
TURNS_RAD = (0.5, -0.5, 1.0, -1.0, 1.57, -1.57)
TILTS_RAD = (0.2, -0.2, 0.35, -0.35, 0.5)
POINTS = 12
UP = np.array([0.0, 0.0, 1.0])
SIDEWAYS = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to let go: the object's origin [3], the hand's rotation [3, 3], and a cost: lower is better."""

    origin: Array
    rotation: Array
    cost: float


def place(arm: Arm, name: str, target: Target) -> Motion:
    """Put the held object down at the best spot of `target` and let go; True once it was let go there."""
    if arm.held is None:
        return arm.fail(f"{name} is not in the hand")
    arm.held = hold(arm, name)
    spot = find_spot(arm, target)
    if spot is None:
        return arm.fail(f"no room to put {name} down")
    yield from arm.travel(_hand_pose(spot.rotation, arm.held.in_hand, spot.origin + ABOVE_M * UP))
    if lost(arm, name):
        return arm.fail(f"lost {name} on the way")
    geoms = arm.world.subtree_geoms(arm.world.root(name))
    now = hold(arm, name).in_hand  # it may have swung: aim with where it hangs now
    goal = _hand_pose(spot.rotation, now, spot.origin)
    yield from arm.move(goal, tolerance_m=0.006, speed=0.5, until=lambda: arm.world.touches(geoms))
    yield from arm.open_fingers(SETTLE_STEPS)
    yield from arm.move(arm.world.hand().along_tool(-APPROACH_M), tolerance_m=0.02)
    return True


def find_spot(arm: Arm, target: Target) -> Spot | None:
    """The spot where the object can be let go lowest, near the middle and with little turning of the hand."""
    best: Spot | None = None
    for rotation, effort in _rotations(arm, target):
        for point in target.points[:POINTS]:
            off = float(np.linalg.norm(point - target.points[0]))
            extra = 0.3 * off + effort
            if best is not None and target.lowest + extra >= best.cost:
                continue
            height = release_height(arm, point, rotation, target)
            if height is not None and (best is None or height + extra < best.cost):
                best = Spot(np.array([*point, height]), rotation, height + extra)
        if best is not None:
            return best
    return best


def _rotations(arm: Arm, target: Target) -> list[tuple[Array, float]]:
    """Hand rotations to try with their cost: as it is, turned about the vertical, and tilted to reach farther."""
    rotation = arm.world.hand().rotation
    turns = [0.0, *_aligning(arm, target), *TURNS_RAD]
    turned = [(target.lean @ axis_rotation(UP, turn) @ rotation, 0.01 * abs(turn)) for turn in turns]
    tilted = [(axis_rotation(SIDEWAYS, -tilt) @ target.lean @ rotation, 0.02) for tilt in TILTS_RAD]
    return [*turned, *tilted]


def _aligning(arm: Arm, target: Target) -> list[float]:
    """Turns (rad) that bring the held object's sides in line with those of the place, the smallest first."""
    if arm.held is None:
        return []
    boxes = arm.world.object_boxes(arm.held.name)
    largest = int(np.argmax(np.prod(boxes.halves, axis=1)))
    axis = boxes.rotations[largest][:, int(np.argmin(np.abs(boxes.rotations[largest][2])))]
    turn = target.angle - float(np.arctan2(axis[1], axis[0]))
    quarters = [(turn + k * np.pi / 2 + np.pi) % (2 * np.pi) - np.pi for k in range(4)]
    return sorted(quarters, key=abs)


def release_height(arm: Arm, point: Array, rotation: Array, target: Target) -> float | None:
    """The lowest height of the object's origin over `point` [2] at which neither it nor the hand hits anything."""
    held = arm.held
    if held is None:
        return None
    arm.imagination.sync()
    angles, best = arm.angles(), None
    for height in np.arange(target.highest, target.lowest - 1e-9, -SCAN_M):
        result = arm.imagination.check(_hand_pose(rotation, held.in_hand, np.array([*point, height])), angles, held)
        if result.free and result.angles is not None:
            best, angles = float(height), result.angles
        elif best is not None:
            break
    return best


def lost(arm: Arm, name: str) -> bool:
    """Whether the object fell out of the hand; one that only swung is still held."""
    if arm.held is None or not arm.world.gripped(arm.world.subtree_geoms(arm.world.root(name))):
        return True
    expected = arm.world.hand() @ arm.held.in_hand
    return float(np.linalg.norm(expected.position - arm.world.pose(name).position)) > LOST_M


def _hand_pose(rotation: Array, in_hand: Pose, origin: Array) -> Pose:
    """Where the hand must be for the held object's origin to be at `origin` [3]."""
    return Pose(origin - rotation @ in_hand.position, rotation)
