"""Spots under a roof that a held object is slid into from a side."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from gauge.policies.expert.geometry import UP, Array, Pose, axis_rotation, tool_rotation
from gauge.policies.expert.imagination import Held
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.spot import Spot, fits
from gauge.policies.expert.targets import Target

ENTRY_M = 0.22
AZIMUTHS = 8
DIPS_RAD = (0.0, 0.35, 0.7)
CENTRAL, POINTS_INSIDE = 5, 24
TURNS_IN = 16
STICKS_OUT_M = 0.05
HEIGHT_STEP_M, SINK_M = 0.015, 0.0025
ROOM_M = 0.01  # to each side: a load never hangs quite as it was picked up
SLIDE_CHECKS = 400


def slid_in(arm: Arm, target: Target, hand: Array) -> Iterator[Spot]:
    """Spots under a roof, reached level or nearly so from a side that is open; near the middle first."""
    held = arm.held
    if held is None or not np.isfinite(target.inside):
        return
    heights = np.arange(target.lowest, target.inside, HEIGHT_STEP_M)
    spread = target.points[:: 1 + len(target.points) // POINTS_INSIDE]
    for room, points in product((ROOM_M, 0.0), (target.points[:CENTRAL], spread)):
        left = SLIDE_CHECKS
        for (rotation, level), point, height in product(_entries(held.in_hand, hand), points, heights):
            spot = Spot(np.array([*point, height]), rotation, ENTRY_M * level, 0.0)
            if not _has_room(arm, spot, room):
                continue
            left -= 1
            if left < 0:
                break
            if _enters(arm, spot, held):
                yield _sunk(arm, spot, held)


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


def _has_room(arm: Arm, spot: Spot, room_m: float) -> bool:
    """Whether the object fits at the spot and so far to both sides of it."""
    side = room_m * np.cross(UP, spot.way_in / np.linalg.norm(spot.way_in))
    beside = [replace(spot, origin=spot.origin + way) for way in (side, -side)] if room_m > 0.0 else []
    return all(fits(arm, there, float(spot.origin[2])) for there in (spot, *beside))


def _sunk(arm: Arm, spot: Spot, held: Held) -> Spot:
    """The same spot as much lower as fits, within a step of the search: what falls far catches on the fingers."""
    for down in np.arange(HEIGHT_STEP_M - SINK_M, 0.0, -SINK_M):
        lower = replace(spot, origin=spot.origin - down * UP)
        if fits(arm, lower, float(lower.origin[2])) and _enters(arm, lower, held):
            return lower
    return spot


def _enters(arm: Arm, spot: Spot, held: Held) -> bool:
    """Whether hand and object are free at the spot and on the way in."""
    arm.imagination.sync()
    there = arm.imagination.check(spot.hand(held.in_hand), arm.angles(), held)
    if there.angles is None or not there.free:
        return False
    way = [spot.hand(held.in_hand), spot.hand(held.in_hand, 1.0)]
    return arm.imagination.sweep(way, there.angles, held).free
