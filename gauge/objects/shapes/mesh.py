"""Closed triangle meshes made by lofting: outlines stacked one after the other, the two ends capped."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
CREASE_COS = np.cos(np.radians(40.0))  # sharper edges than this stay sharp in the picture


@dataclass(frozen=True, slots=True)
class Mesh:
    """A closed surface.

    Attributes:
        vertices: [n, 3] metres, welded, so that every edge has two faces.
        faces: [m, 3] counter-clockwise seen from outside.
        uv: [m, 3, 2] place of each corner in its island, 0 to 1.
        island: [m] index into `islands`.
        islands: names of the regions of the texture.
    """

    vertices: Array
    faces: Ints
    uv: Array
    island: Ints
    islands: tuple[str, ...]

    def placed(self, rotation: Array, translation: Sequence[float]) -> "Mesh":
        """The mesh turned and moved."""
        return replace(self, vertices=self.vertices @ rotation.T + np.asarray(translation))

    def volume(self) -> float:
        """Enclosed volume, m^3; negative if the faces look inwards."""
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    def is_closed(self) -> bool:
        """Whether every edge is shared by exactly two faces that agree on the outside."""
        edges = np.concatenate([self.faces[:, [0, 1]], self.faces[:, [1, 2]], self.faces[:, [2, 0]]])
        there = {(int(a), int(b)) for a, b in edges}
        return len(there) == len(edges) and all((b, a) in there for a, b in there)


def loft(rings: Array, wall: Sequence[str], ends: tuple[str, str]) -> Mesh:
    """Join rings by quads and close both ends by fans.

    Args:
        rings: [m, n, 3] outlines, counter-clockwise seen against the direction in which they are stacked.
        wall: island of each of the m - 1 bands between two rings; a run of one name shares one unwrapping.
        ends: islands of the first and the last cap.
    """
    count, around = rings.shape[:2]
    centres = rings[[0, -1]].mean(axis=1)
    vertices = np.concatenate([rings.reshape(-1, 3), centres])
    names = tuple(dict.fromkeys([*wall, *ends]))
    faces, uv, island = _walls(rings, wall, names)
    here, there = np.arange(around), (np.arange(around) + 1) % around
    first, last = count * around, count * around + 1
    top = (count - 1) * around
    caps = [
        np.stack([np.full(around, first), there, here], axis=1),
        np.stack([np.full(around, last), top + here, top + there], axis=1),
    ]
    for which, cap in enumerate(caps):
        faces.append(cap)
        uv.append(_disc(vertices[cap], rings[0 if which == 0 else -1]))
        island.append(np.full(around, names.index(ends[which])))
    made = Mesh(vertices, np.concatenate(faces), np.concatenate(uv), np.concatenate(island), names)
    if made.volume() < 0:
        return replace(made, faces=made.faces[:, ::-1].copy(), uv=made.uv[:, ::-1].copy())
    return made


def _walls(rings: Array, wall: Sequence[str], names: tuple[str, ...]) -> tuple[list[Ints], list[Array], list[Ints]]:
    count, around = rings.shape[:2]
    here, there = np.arange(around), (np.arange(around) + 1) % around
    step = np.linalg.norm(np.diff(rings, axis=0), axis=2).mean(axis=1)
    side = np.linalg.norm(np.roll(rings, -1, axis=1) - rings, axis=2).sum(axis=0)
    right = np.cumsum(side) / side.sum()
    left = right - side / side.sum()
    faces: list[Ints] = []
    uv: list[Array] = []
    island: list[Ints] = []
    for row in range(count - 1):
        run = [k for k in range(count - 1) if wall[k] == wall[row]]
        total = max(float(step[run].sum()), 1e-9)
        below = float(step[[k for k in run if k < row]].sum()) / total
        above = below + float(step[row]) / total
        a, b, c, d = row * around + here, row * around + there, (row + 1) * around + there, (row + 1) * around + here
        corner = [np.stack([u, np.full(around, v)], axis=1) for u, v in ((left, below), (right, below), (right, above))]
        faces.append(np.stack([a, b, c], axis=1))
        uv.append(np.stack(corner, axis=1))
        corner = [np.stack([u, np.full(around, v)], axis=1) for u, v in ((left, below), (right, above), (left, above))]
        faces.append(np.stack([a, c, d], axis=1))
        uv.append(np.stack(corner, axis=1))
        island += [np.full(around, names.index(wall[row]))] * 2
    return faces, uv, island


def _disc(corners: Array, ring: Array) -> Array:
    """Look at the cap along its thinnest direction and fit it into the unit square."""
    low, span = ring.min(axis=0), np.ptp(ring, axis=0)
    axes = np.sort(np.argsort(span)[1:])
    flat: Array = (corners[..., axes] - low[axes]) / np.maximum(span[axes], 1e-9)
    return flat


def merge(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several; islands of the same name are one."""
    names = tuple(dict.fromkeys(name for mesh in meshes for name in mesh.islands))
    offsets = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    return Mesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=False)]),
        np.concatenate([mesh.uv for mesh in meshes]),
        np.concatenate([np.array([names.index(name) for name in mesh.islands])[mesh.island] for mesh in meshes]),
        names,
    )


def corner_normals(vertices: Array, faces: Ints) -> Array:
    """[m, 3, 3] unit normals: averaged over the neighbours of a corner that lie within the crease angle."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    weighted = np.cross(b - a, c - a)
    unit = weighted / np.maximum(np.linalg.norm(weighted, axis=1, keepdims=True), 1e-18)
    order = np.argsort(faces.ravel(), kind="stable")
    ends = np.searchsorted(faces.ravel()[order], np.arange(len(vertices) + 1))
    normals = np.empty((len(faces) * 3, 3))
    for vertex in range(len(vertices)):
        corners = order[ends[vertex] : ends[vertex + 1]]
        around = corners // 3
        close = unit[around] @ unit[around].T > CREASE_COS
        normals[corners] = close @ weighted[around]
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    flat = np.repeat(unit, 3, axis=0)
    result: Array = np.where(lengths > 1e-18, normals / np.maximum(lengths, 1e-18), flat)
    return result.reshape(-1, 3, 3)
