"""Spots for something that would stand too low: propped against a side of the place, on one of its lower edges."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from gauge.policies.expert.from_above import ABOVE_M, aligning, release_height
from gauge.policies.expert.geometry import UP, Array, Pose, axis_rotation
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.spot import Spot, fits
from gauge.policies.expert.targets import Target

LEANS_RAD = (0.35, 0.3, 0.25, 0.4)
ALONG_M, ACROSS_M = np.arange(-0.03, 0.0301, 0.0025), np.arange(-0.02, 0.0201, 0.01)
SEATED_M = 0.004  # so high above the lowest that counts
ROOM_M = 0.015  # above the lowest the hand gets upright: fingers must not sit on a wall


def propped(arm: Arm, target: Target, hand: Array) -> Iterator[Spot]:
    """Spots where the object leans on a side; it is lowered upright as far as it goes and leaned over last."""
    held = arm.held
    if held is None or not np.isfinite(target.inside):
        return
    for turn, tilt, quarter in product(aligning(arm, target), LEANS_RAD, range(4)):
        azimuth = target.angle + quarter * np.pi / 2
        upright = axis_rotation(UP, turn) @ hand
        lean = axis_rotation(np.array([-np.sin(azimuth), np.cos(azimuth), 0.0]), tilt)
        origin, base = _seat(arm, target, lean @ upright, azimuth), _seat(arm, target, upright, azimuth)
        if origin is None or base is None:
            continue
        above = Spot(np.array([*base[:2], target.highest]), upright, -ABOVE_M * UP, 0.0)
        height = release_height(arm, target, above) if fits(arm, above, target.highest) else None
        if height is None:
            continue
        entry = Pose(above.origin, upright).raised(height + ROOM_M)
        spot = Spot(origin, lean @ upright, -ABOVE_M * UP, float(origin[2]), entry)
        arm.imagination.sync()
        way = [*spot.way(held.in_hand), spot.hand(held.in_hand)]
        if arm.imagination.sweep(way, arm.angles(), held).free:
            yield spot


def _seat(arm: Arm, target: Target, rotation: Array, azimuth: float) -> Array | None:
    """Where the object's origin [3] is when it leans low in the place, as far from touching anything as possible."""
    along, across = np.array([np.cos(azimuth), np.sin(azimuth)]), np.array([-np.sin(azimuth), np.cos(azimuth)])
    height = target.low[2] + SEATED_M
    free = []
    for forth, aside in product(ALONG_M, ACROSS_M):
        point = target.points[0] + forth * along + aside * across
        if fits(arm, Spot(np.array([*point, height]), rotation, UP, 0.0), height):
            free.append(point)
    if not free:
        return None
    middle = np.mean(free, axis=0)
    best = min(free, key=lambda point: float(np.linalg.norm(point - middle)))
    return np.array([*best, height])
