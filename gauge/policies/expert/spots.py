"""Where and how to let a held object go, tried out in imagination: lowered from above or slid in from a side."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, axis_rotation, tool_rotation
from gauge.policies.expert.imagination import Held
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.targets import Target

COARSE_M, FINE_M = 0.02, 0.005
LOW_ENOUGH_M = 0.15  # from there things fall gently enough
TURNS_RAD = (0.5, -0.5, 1.0, -1.0)
TILTS_RAD = (0.2, -0.2, 0.35, -0.35, 0.5)
ABOVE_M = 0.02
ENTRY_M = 0.22
AZIMUTHS = 8
DIPS_RAD = (0.0, 0.35, 0.7)
CENTRAL, POINTS_INSIDE = 5, 24
TURNS_IN = 16
STICKS_OUT_M = 0.05
HEIGHT_STEP_M = 0.015
SLIDE_CHECKS = 400
LEANS_RAD = (0.3, 0.6, 0.9)
FALLING_OVER_M = 0.03  # so much lower it comes to lie
SPOTS, SLIDES = 12, 3
UP = np.array([0.0, 0.0, 1.0])
SIDEWAYS = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to let go: the object's origin [3], the hand's rotation [3, 3], and the way in [3] before it (m).

    `cost` compares spots: the height of the origin plus what a farther point and turning the hand are worth.
    """

    origin: Array
    rotation: Array
    way_in: Array
    cost: float

    def hand(self, in_hand: Pose, back: float = 0.0) -> Pose:
        """Where the hand must be when the object hangs at `in_hand`, `back` of the way in short of the spot."""
        return Pose(self.origin - back * self.way_in - self.rotation @ in_hand.position, self.rotation)


def find_spot(arm: Arm, target: Target) -> Spot | None:
    """The first spot with a free way to it where the object, let go in imagination, comes to rest as it should.

    Failing that, the one that is nearest to it: rest before way, and then the first.
    """
    held, best = arm.held, None
    if held is None:
        return None
    for spot in islice(_spots(arm, target), SPOTS):
        rests = target.accepts(arm.imagination.dropped(held, spot.hand(held.in_hand)).position)
        hits = arm.route(spot.hand(held.in_hand, 1.0)).collisions if rests else 0
        if rests and hits == 0:
            return spot
        if best is None or (not rests, hits) < best[:2]:
            best = (not rests, hits, spot)
    return None if best is None else best[2]


def _spots(arm: Arm, target: Target) -> Iterator[Spot]:
    """Spots in the order to try: lowered from above with little turning, slid in from a side, leaning over."""
    hand = arm.world.hand().rotation
    last, stands = None, False
    for spot, low in _upright(arm, target, hand):
        inside = _falls_in(arm, target, spot)
        stands = stands or inside
        if low and inside:
            yield spot
        elif last is None or spot.cost < last.cost:
            last = spot
    if last is not None and _falls_in(arm, target, last):
        yield last
    yield from islice(_slid_in(arm, target, hand), SLIDES)
    if not stands:
        yield from _leaning(arm, target, hand)
    if last is not None:
        yield last


def _upright(arm: Arm, target: Target, hand: Array) -> Iterator[tuple[Spot, bool]]:
    """The best spot lowered from above for each group of hand rotations, and whether it ends low."""
    if arm.held is None:
        return
    bottom = float(arm.world.object_boxes(arm.held.name).bounds()[0][2] - arm.world.pose(arm.held.name).position[2])
    for rotations in _rotation_groups(arm, target, hand):
        best: Spot | None = None
        for rotation, effort in rotations:
            best = _lowered(arm, target, rotation, effort, best)
        if best is not None:
            yield best, bool(best.origin[2] + bottom < target.lowest + LOW_ENOUGH_M)


def _falls_in(arm: Arm, target: Target, spot: Spot) -> bool:
    """Whether an object let go at `spot` is where the predicate holds or has nothing under it before it gets there."""
    return spot.origin[2] <= target.inside or _fits(arm, spot, target.inside)


def _fits(arm: Arm, spot: Spot, height: float) -> bool:
    """Whether the object alone, wherever the hand may be, has room at `spot` with its origin at `height`."""
    if arm.held is None:
        return False
    arm.imagination.sync()
    origin = np.array([*spot.origin[:2], height])
    arm.imagination.put(arm.held, Pose(origin - spot.rotation @ arm.held.in_hand.position, spot.rotation))
    return arm.imagination.collisions(arm.held, arm.world.robot_geoms) == 0


def _leaning(arm: Arm, target: Target, hand: Array) -> Iterator[Spot]:
    """Spots for something that would stand too high: leaning over, so that it comes to lie when it is let go."""
    if not np.isfinite(target.inside):
        return
    for tilt, azimuth in product(LEANS_RAD, np.linspace(-np.pi, np.pi, AZIMUTHS, endpoint=False)):
        rotation = axis_rotation(np.array([np.cos(azimuth), np.sin(azimuth), 0.0]), tilt) @ hand
        spots = [Spot(np.array([*point, 0.0]), rotation, UP, 0.0) for point in target.points[: target.tries]]
        if not any(_fits(arm, spot, target.inside + FALLING_OVER_M) for spot in spots):
            continue
        spot = _lowered(arm, target, rotation, 0.0, None)
        if spot is not None:
            yield spot


def _rotation_groups(arm: Arm, target: Target, hand: Array) -> Iterator[list[tuple[Array, float]]]:
    """Hand rotations to try with their cost: as it is, in line with the place, turned, and tilted to reach farther."""
    turns = [[0.0], _aligning(arm, target), list(TURNS_RAD)]
    for group in turns:
        yield [(target.lean @ axis_rotation(UP, turn) @ hand, 0.01 * abs(turn)) for turn in group]
    yield [(axis_rotation(SIDEWAYS, -tilt) @ target.lean @ hand, 0.02) for tilt in TILTS_RAD]


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


def _lowered(arm: Arm, target: Target, rotation: Array, effort: float, best: Spot | None) -> Spot | None:
    """The best spot for one hand rotation, or `best` where none is better."""
    for point in target.points[: target.tries]:
        extra = effort + 0.3 * float(np.linalg.norm(point - target.points[0]))
        if best is not None and target.lowest + extra >= best.cost:
            continue
        spot = Spot(np.array([*point, target.highest]), rotation, -ABOVE_M * UP, 0.0)
        if not _fits(arm, spot, target.highest):
            continue
        height = _release_height(arm, target, spot)
        if height is not None and (best is None or height + extra < best.cost):
            best = Spot(np.array([*point, height]), rotation, -ABOVE_M * UP, height + extra)
        if best is not None and best.origin[2] < target.lowest + COARSE_M:
            break
    return best


def _release_height(arm: Arm, target: Target, spot: Spot) -> float | None:
    """How low the object's origin can come from above before it or the hand hits anything, metres."""
    arm.imagination.sync()
    angles, best, height, step = arm.angles(), None, target.highest, COARSE_M
    while height > target.lowest - 1e-9:
        free, reached = _free_at(arm, spot, height, angles)
        if free:
            best, angles, height = height, reached, height - step
        elif best is None:
            height -= step
        elif step == FINE_M:
            break
        else:
            step, height = FINE_M, best - FINE_M
    return best


def _free_at(arm: Arm, spot: Spot, height: float, angles: Array) -> tuple[bool, Array]:
    """Whether nothing is hit with the origin at `height`, and the joint angles there."""
    if arm.held is None:
        return False, angles
    pose = spot.hand(arm.held.in_hand).shifted((height - spot.origin[2]) * UP)
    result = arm.imagination.check(pose, angles, arm.held)
    return result.free, angles if result.angles is None else result.angles


def _slid_in(arm: Arm, target: Target, hand: Array) -> Iterator[Spot]:
    """Spots under a roof, reached level or nearly so from a side that is open; near the middle first."""
    held = arm.held
    if held is None or not np.isfinite(target.inside):
        return
    heights = np.arange(target.lowest, target.inside, HEIGHT_STEP_M)
    spread = target.points[:: 1 + len(target.points) // POINTS_INSIDE]
    for points in (target.points[:CENTRAL], spread):
        left = SLIDE_CHECKS
        for (rotation, level), point, height in product(_entries(held.in_hand, hand), points, heights):
            spot = Spot(np.array([*point, height]), rotation, ENTRY_M * level, 0.0)
            if not _fits(arm, spot, height):
                continue
            left -= 1
            if left < 0:
                break
            if _enters(arm, spot, held):
                yield spot


def _entries(in_hand: Pose, hand: Array) -> Iterator[tuple[Array, Array]]:
    """Hand rotations [3, 3] with the level way in [3]: a load that sticks out goes first, then a level hand."""
    for turn in sorted(np.linspace(-np.pi, np.pi, TURNS_IN, endpoint=False), key=abs):
        rotation = axis_rotation(UP, turn) @ hand
        ahead = rotation @ in_hand.position * np.array([1.0, 1.0, 0.0])
        if np.linalg.norm(ahead) > STICKS_OUT_M:
            yield rotation, ahead / np.linalg.norm(ahead)
    azimuths = sorted(np.linspace(-np.pi, np.pi, AZIMUTHS, endpoint=False), key=abs)
    for dip, azimuth in product(DIPS_RAD, azimuths):
        level = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        tool = np.cos(dip) * level - np.sin(dip) * UP
        for finger in (np.cross(level, UP), UP):
            rotation = tool_rotation(finger, tool)
            upright = float(rotation[:, 0] @ hand[:, 0]) >= 0.0
            yield rotation if upright else rotation * np.array([-1.0, -1.0, 1.0]), level


def _enters(arm: Arm, spot: Spot, held: Held) -> bool:
    """Whether hand and object are free at the spot and on the way in."""
    arm.imagination.sync()
    there = arm.imagination.check(spot.hand(held.in_hand), arm.angles(), held)
    if there.angles is None or not there.free:
        return False
    way = [spot.hand(held.in_hand), spot.hand(held.in_hand, 1.0)]
    return arm.imagination.sweep(way, there.angles, held).free
