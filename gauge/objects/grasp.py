"""Where a parallel gripper takes hold from above: read off the collision shapes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.shapes.mesh import Array
from gauge.objects.shapes.solid import Solid

WIDEST_M = 0.076  # the Panda opens to 80 mm
PAD_HALF_M = 0.008
WIDEST_RIM_M = 0.02
REACH_M = 0.035  # how far below the top the pads go


@dataclass(frozen=True, slots=True)
class Grasp:
    """One grasp from above.

    Attributes:
        kind: body or rim.
        point: middle between the pads in the object's frame, m.
        yaw_rad: direction in which the fingers close; 0 is along y.
        width_m: distance of the pads when they touch.
    """

    kind: str
    point: tuple[float, float, float]
    yaw_rad: float
    width_m: float


def candidates(kind: str, solids: Sequence[Solid], masses: Sequence[float]) -> list[Grasp]:
    """Grasps to try, the best first; none if it is too wide.

    Args:
        kind: body (across it), rim (of a vessel, else across it), or any (across it, else its rim).
        solids: the collision shapes in the upright frame.
        masses: theirs, kg.
    """
    points = np.concatenate([_inside(one) for one in solids])
    middle = np.average([one.centre for one in solids], axis=0, weights=np.asarray(masses))
    rims = [one for one in (_rim(points, yaw) for yaw in (0.0, np.pi)) if one][:1]
    bodies = _body(points, middle)
    found = {"rim": [*rims, *bodies], "body": bodies, "any": [*bodies, *rims]}[kind]
    return [_rounded(one) for one in found]


def _rounded(one: Grasp) -> Grasp:
    """To what the table keeps, so that what is tried is what is stored."""
    x, y, z = (round(number, 4) for number in one.point)
    return Grasp(one.kind, (x, y, z), round(one.yaw_rad, 4), round(one.width_m, 4))


def _rim(points: Array, yaw: float) -> Grasp | None:
    """Both fingers on the wall, one inside and one outside, at the rim on the y axis."""
    top = float(points[:, 2].max())
    side = 1.0 if yaw == 0 else -1.0
    near = (np.abs(points[:, 0]) < PAD_HALF_M) & (points[:, 1] * side > 0) & (points[:, 2] > top - PAD_HALF_M)
    if near.sum() < 4:
        return None
    low, high = float(points[near, 1].min()), float(points[near, 1].max())
    if high - low > WIDEST_RIM_M:
        return None
    return Grasp("rim", (0.0, (low + high) / 2, top - 0.75 * PAD_HALF_M), 0.0, high - low)


def _body(points: Array, middle: Array) -> list[Grasp]:
    top, low = float(points[:, 2].max()), float(points[:, 2].min())
    heights = np.arange(top - min(0.012, (top - low) / 2), max(top - REACH_M, low + 0.004), -0.004)
    if not len(heights):
        heights = np.array([(top + low) / 2])
    found = [one for yaw in (0.0, np.pi / 2) for z in heights if (one := _across(points, middle, float(z), yaw))]
    return [grasp for _, grasp in sorted(found, key=lambda pair: pair[0])[:2]]


def _across(points: Array, middle: Array, z: float, yaw: float) -> tuple[float, Grasp] | None:
    """The grasp at a height, with a penalty for slanting sides, for width and for turning away from y."""
    turned = (points - middle) @ Rotation.from_euler("z", yaw).as_matrix()
    beside = np.abs(turned[:, 0]) < PAD_HALF_M
    near = beside & (np.abs(points[:, 2] - z) < 0.5 * PAD_HALF_M)
    if near.sum() < 4:
        return None
    low, high = float(turned[near, 1].min()), float(turned[near, 1].max())
    if high - low > WIDEST_M or high - low < 0.002:
        return None
    slanted = 0.0
    for side in (z - 0.7 * PAD_HALF_M, z + 0.7 * PAD_HALF_M):
        other = beside & (np.abs(points[:, 2] - side) < 0.4 * PAD_HALF_M)
        if other.any():
            slanted = max(slanted, abs(float(np.ptp(turned[other, 1])) - (high - low)))
    centre = middle + Rotation.from_euler("z", yaw).apply((0, (low + high) / 2, 0))
    grasp = Grasp("body", (float(centre[0]), float(centre[1]), z), float(yaw), high - low)
    return slanted + 0.05 * (high - low) + (0.002 if yaw else 0), grasp


def _inside(shape: Solid) -> Array:
    """Points of a regular grid over a shape, its surface included."""
    half = np.array(
        shape.half if shape.kind == "box" else (shape.half[0], shape.half[0], shape.half[0] + shape.half[1])
    )
    count = np.clip(np.ceil(half / 0.002).astype(int), 2, 24)
    grid = np.stack(np.meshgrid(*(np.linspace(-h, h, n) for h, n in zip(half, count, strict=True)), indexing="ij"), -1)
    placed: Array = Rotation.from_quat(shape.rotation).apply(grid.reshape(-1, 3)) + np.asarray(shape.centre)
    return placed
