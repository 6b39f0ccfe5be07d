"""Grasp candidates from an object's boxes: places where material fits between the open fingers."""

from dataclasses import dataclass

import numpy as np

from gauge.policies.expert.geometry import Array, Boxes, Pose, tool_rotation

MAX_WIDTH_M = 0.072
PAD_HALF_M = 0.008
PAD_BEHIND_SITE_M = 0.004
GAP_M = 0.012
BEST_DEPTH_M = 0.018
STEP_M = 0.008
MAX_WEDGE_M = 0.007
DOWN = np.array([0.0, 0.0, -1.0])
TILTS_RAD = (0.3, 0.65)
AZIMUTHS = 6


def tilted_tools() -> list[Array]:
    """Approach directions [3] around straight down, for places that cannot be entered from above."""
    turns = np.linspace(0.0, 2 * np.pi, AZIMUTHS, endpoint=False)
    return [
        np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), -np.cos(tilt)])
        for tilt in TILTS_RAD
        for turn in turns
    ]


@dataclass(frozen=True, slots=True)
class Grasp:
    """Where the grip site should be, how wide the material is there (m), and a cost: lower is better.

    `opening` is how far each finger is from the middle on the way in, metres.
    """

    pose: Pose
    width: float
    cost: float
    opening: float = 0.04


def candidates(boxes: Boxes, hand_rotation: Array, tools: list[Array], yaws: int = 12) -> list[Grasp]:
    """All grasps of an object, best first.

    For every approach and finger direction the material is cut into slices along the tool, each slice into
    strips along the fingers, and each strip into runs of connected material. A run that fits between the
    fingers is a candidate, centred by construction.

    Args:
        boxes: the object.
        hand_rotation: the hand's present rotation [3, 3]; small turns are preferred.
        tools: approach directions [3], e.g. straight down.
        yaws: finger directions per approach, over half a turn.
    """
    points = boxes.points(0.006)
    centre = boxes.volume_centre()
    found: list[Grasp] = []
    for tool in tools:
        side = hand_rotation[:, 0]
        if abs(float(side @ tool)) > 0.9:
            side = hand_rotation[:, 2]
        base = tool_rotation(side, tool)
        for yaw in np.linspace(-np.pi / 2, np.pi / 2, yaws, endpoint=False):
            turn = np.array([[np.cos(yaw), -np.sin(yaw), 0.0], [np.sin(yaw), np.cos(yaw), 0.0], [0.0, 0.0, 1.0]])
            found += _runs(points, centre, base @ turn, abs(float(yaw)))
    return sorted(found, key=lambda grasp: grasp.cost)


def _runs(points: Array, centre: Array, rotation: Array, yaw: float) -> list[Grasp]:
    """Candidates for one hand rotation [3, 3]."""
    local = points @ rotation
    middle = centre @ rotation
    top = float(local[:, 2].min())  # the tool points along +z, so the near side is lowest
    found = []
    for depth in np.arange(0.006, min(float(local[:, 2].max()) - top, 0.2) + 0.004, STEP_M):
        z = top + depth
        slab = local[np.abs(local[:, 2] - (z - PAD_BEHIND_SITE_M)) < PAD_HALF_M]
        if not len(slab):
            continue
        for y in np.arange(slab[:, 1].min(), slab[:, 1].max() + 1e-6, STEP_M):
            strip = slab[np.abs(slab[:, 1] - y) < PAD_HALF_M, :2] - np.array([0.0, y])
            for low, high in _connected(np.sort(strip[:, 0])):
                width = high - low
                wedge, slant = _shape(strip[(strip[:, 0] >= low) & (strip[:, 0] <= high)])
                if width > MAX_WIDTH_M or wedge > MAX_WEDGE_M:
                    continue
                site = np.array([(low + high) / 2, y, z])
                off = site[:2] - middle[:2]
                near_top = float(local[_under(local, site), 2].min(initial=z))
                cost = (
                    6.0 * float(np.linalg.norm(off))
                    + 3.0 * width
                    + 5.0 * abs(z - near_top - BEST_DEPTH_M)
                    + 2.0 * max(0.0, z - middle[2])
                    + 40.0 * slant
                    + 0.25 * yaw
                    + 15.0 * abs(float(off[1]))
                )
                found.append(Grasp(Pose(rotation @ site, rotation), width, cost))
    return found


def _shape(strip: Array) -> tuple[float, float]:
    """How much a run [N, 2] differs between the two halves of the pads: in width, and at its worse edge, metres."""
    left, right = strip[strip[:, 1] < 0.0, 0], strip[strip[:, 1] >= 0.0, 0]
    if not len(left) or not len(right):
        return np.inf, np.inf
    low, high = float(left.min() - right.min()), float(left.max() - right.max())
    return abs(high - low), max(abs(high), abs(low))


def _under(local: Array, site: Array) -> Array:
    """Which points lie between the hand and the site, within the palm's reach."""
    near: Array = (np.abs(local[:, 0] - site[0]) < 0.045) & (np.abs(local[:, 1] - site[1]) < 0.02)
    return near


def _connected(values: Array) -> list[tuple[float, float]]:
    """First and last value of every run of sorted `values` without a gap wider than the limit."""
    if not len(values):
        return []
    breaks = np.flatnonzero(np.diff(values) > GAP_M)
    starts = np.concatenate([[0], breaks + 1])
    ends = np.concatenate([breaks, [len(values) - 1]])
    return [(float(values[a]), float(values[b])) for a, b in zip(starts, ends, strict=True)]
