"""Spots a held object is lowered to from above: upright, turned, tilted, or leaning over."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from gauge.policies.expert.geometry import UP, Array, axis_rotation
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.spot import Spot, fits
from gauge.policies.expert.targets import Target

COARSE_M, FINE_M = 0.02, 0.005
LOW_ENOUGH_M = 0.15  # from there things fall gently enough
TURNS_RAD = (0.5, -0.5, 1.0, -1.0)
ROUND_RAD = (1.5, -1.5, 2.0, -2.0, 2.5, -2.5, 3.1)
TILTS_RAD = (0.2, -0.2, 0.35, -0.35, 0.5)
ABOVE_M = 0.02
AZIMUTHS = 8
LEANS_RAD = (0.3, 0.6, 0.9)
FALLING_OVER_M = 0.03  # so much lower it comes to lie
SIDEWAYS = np.array([0.0, 1.0, 0.0])


def upright(arm: Arm, target: Target, hand: Array) -> Iterator[tuple[Spot, bool]]:
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


def leaning(arm: Arm, target: Target, hand: Array) -> Iterator[Spot]:
    """Spots for something that would stand too high: leaning over, so that it comes to lie when it is let go."""
    if not np.isfinite(target.inside):
        return
    for tilt, azimuth in product(LEANS_RAD, np.linspace(-np.pi, np.pi, AZIMUTHS, endpoint=False)):
        rotation = axis_rotation(np.array([np.cos(azimuth), np.sin(azimuth), 0.0]), tilt) @ hand
        spots = [Spot(np.array([*point, 0.0]), rotation, UP, 0.0) for point in target.points[: target.tries]]
        if not any(fits(arm, spot, target.inside + FALLING_OVER_M) for spot in spots):
            continue
        spot = _lowered(arm, target, rotation, 0.0, None)
        if spot is not None:
            yield spot


def _rotation_groups(arm: Arm, target: Target, hand: Array) -> Iterator[list[tuple[Array, float]]]:
    """Hand rotations to try with their cost: as it is, in line with the place, turned, and tilted to reach farther."""
    turns = [[0.0], aligning(arm, target), list(TURNS_RAD)]
    if not np.array_equal(target.stand, np.eye(3)):  # a hand that points level may have to reach round
        turns.append(list(ROUND_RAD))
    for group in turns:
        yield [(target.lean @ axis_rotation(UP, turn) @ target.stand @ hand, 0.01 * abs(turn)) for turn in group]
    yield [(axis_rotation(SIDEWAYS, -tilt) @ target.lean @ target.stand @ hand, 0.02) for tilt in TILTS_RAD]


def aligning(arm: Arm, target: Target) -> list[float]:
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
        if not fits(arm, spot, target.highest):
            continue
        height = release_height(arm, target, spot)
        if height is not None and (best is None or height + extra < best.cost):
            best = Spot(np.array([*point, height]), rotation, -ABOVE_M * UP, height + extra)
        if best is not None and best.origin[2] < target.lowest + COARSE_M:
            break
    return best


def release_height(arm: Arm, target: Target, spot: Spot) -> float | None:
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
