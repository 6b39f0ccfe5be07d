"""Pick an object up."""

import numpy as np

from gauge.policies.expert.geometry import UP, Pose
from gauge.policies.expert.grasp import Grasp
from gauge.policies.expert.imagination import OPEN_M, Held
from gauge.policies.expert.motion import STILL_M, Arm
from gauge.policies.expert.mover import Motion
from gauge.policies.expert.servo import OPEN
from gauge.policies.expert.skills.choose import find_grasp

APPROACH_M = 0.08
TRIES = 4
LINED_UP_M = (0.004, 0.012)
DRAWN_M, AZIMUTHS = (0.02, 0.04, 0.06), 8
OFF_M = 0.008  # what is drawn out level is lifted that much off what it stands on
ROOM_M = 0.01  # a load tilts and swings while it is lifted
SIDES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])


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
    if grasp.opening < OPEN_M:
        yield from arm.narrow_fingers(grasp.opening)
    room = (2 * grasp.opening - grasp.width) / 4  # half of what each finger has on its side of the object
    above = float(np.clip(room, *LINED_UP_M))
    yield from arm.travel(grasp.pose.along_tool(-arm.style.approach_m), tolerance_m=above, still_m=STILL_M)
    yield from arm.move(grasp.pose, tolerance_m=0.005)
    if not (yield from arm.close_fingers(geoms)):
        return False
    before = arm.world.pose(name).position[2]
    arm.held = hold(arm, name)
    for pose in _way_up(arm, arm.held):
        yield from arm.move(pose, tolerance_m=0.015)
    arm.held = hold(arm, name)
    return arm.world.gripped(geoms) and arm.world.pose(name).position[2] > before + 0.4 * arm.style.lift_m


def _way_up(arm: Arm, held: Held) -> list[Pose]:
    """How to lift a load: straight, or drawn out level first from below what it would brush against."""
    hand, lift = arm.world.hand(), arm.style.lift_m * UP
    turns = np.linspace(0.0, 2 * np.pi, AZIMUTHS, endpoint=False)
    asides = [metres * np.array([np.cos(turn), np.sin(turn), 0.0]) for metres in DRAWN_M for turn in turns]
    outs = [[hand.shifted(OFF_M * UP), hand.shifted(OFF_M * UP + aside)] for aside in asides]
    ways = [[hand.shifted(lift)], *([*out, out[-1].shifted(lift)] for out in outs)]
    return next((way for way in ways if _is_free(arm, held, way)), ways[0])


def _is_free(arm: Arm, held: Held, way: list[Pose]) -> bool:
    """Whether nothing is hit on the way, on its last stretch even where the load hangs to any side."""
    path = [arm.world.hand(), *way]
    arm.imagination.sync()
    before = arm.imagination.sweep(path[:-1], arm.angles(), held)
    if before.angles is None or not before.free:
        return False
    beside = [held.beside(path[-1], ROOM_M * side) for side in SIDES]
    return all(arm.imagination.sweep(path[-2:], before.angles, load).free for load in beside)


def let_go(arm: Arm) -> Motion:
    """Open and back off along the fingers."""
    yield from arm.open_fingers()
    yield from arm.move(arm.world.hand().along_tool(-APPROACH_M), tolerance_m=0.015)
    return True


def hold(arm: Arm, name: str) -> Held:
    """What the hand holds right now."""
    in_hand = arm.world.hand().inverse() @ arm.world.pose(name)
    return Held(name, in_hand, arm.world.data.qpos[arm.world.fingers].copy())
