"""How alike two shapes are: the largest difference of their outlines in slices along all three axes."""

import numpy as np
from numpy.typing import NDArray

from gauge.objects.shapes.mesh import Array, Mesh

SLICES = 16
DIFFERENT_MM = 2.0
Floats32 = NDArray[np.float32]


def descriptor(mesh: Mesh) -> Floats32:
    """Extents (mm) of the mesh in 16 slices across each axis, then of the whole; 99 numbers."""
    edges = np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    points = mesh.vertices * 1000
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    found = [_slices(points, edges, axis, float(low[axis]), float(size[axis])) for axis in range(3)]
    return np.concatenate([*found, size]).astype(np.float32)


def _slices(points: Array, edges: NDArray[np.int64], axis: int, low: float, size: float) -> Array:
    """Width along the two other axes at the middle of each slice."""
    others = [k for k in range(3) if k != axis]
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    widths = np.zeros((SLICES, 2))
    for k in range(SLICES):
        at = low + size * (k + 0.5) / SLICES
        crossing = (a[:, axis] - at) * (b[:, axis] - at) < 0
        if crossing.any():
            start, end = a[crossing], b[crossing]
            share = (at - start[:, axis]) / (end[:, axis] - start[:, axis])
            where = start[:, others] + share[:, None] * (end - start)[:, others]
            widths[k] = np.ptp(where, axis=0)
    return widths.ravel()


def is_new(one: Floats32, known: list[Floats32], limit_mm: float = DIFFERENT_MM) -> bool:
    """Whether it differs from every known shape by more than the limit somewhere."""
    return not known or bool(np.abs(np.stack(known) - one).max(axis=1).min() > limit_mm)
