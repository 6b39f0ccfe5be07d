"""How a long thing lies: the turn about y that puts it on the two places that carry it."""

import itertools
from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.shapes.mesh import Array
from gauge.objects.shapes.part import Part

SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)


def lying(parts: Sequence[Part], masses: Sequence[float]) -> tuple[Part, ...]:
    """The parts, turned about y as they come to rest, and lowered to the table.

    Seen from the side, a body rests on the edge of its lower hull that is below its centre of mass.
    """
    points, centre = _corners(parts), _centre(parts, masses)
    turn = Rotation.from_euler("y", _slope(points[:, [0, 2]], centre))
    placed = [part.at(turn=turn) for part in parts]
    low = min(float(_corners([part])[:, 2].min()) for part in placed)
    return tuple(part.at(z=-low) for part in placed)


def _corners(parts: Sequence[Part]) -> Array:
    made = []
    for part in parts:
        for one in part.solids:
            half = np.array(one.half if one.kind == "box" else (one.half[0], one.half[0], sum(one.half[:2])))
            made.append(Rotation.from_quat(one.rotation).apply(SIGNS * half) + np.asarray(one.centre))
    return np.concatenate(made)


def _centre(parts: Sequence[Part], masses: Sequence[float]) -> float:
    """X of the centre of mass."""
    middles = [
        np.average([one.centre[0] for one in part.solids], weights=[one.volume() for one in part.solids])
        for part in parts
    ]
    return float(np.average(middles, weights=masses))


def _slope(outline: Array, centre: float) -> float:
    """Angle (rad) of the lower hull's edge below `centre`; outline [n, 2] of x and z."""
    hull: list[Array] = []
    for point in outline[np.lexsort((outline[:, 1], outline[:, 0]))]:
        while len(hull) > 1 and _left(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    for (x0, z0), (x1, z1) in itertools.pairwise(hull):
        if x0 <= centre <= x1 and x1 > x0:
            return float(np.arctan2(z1 - z0, x1 - x0))
    return 0.0


def _left(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
