"""Parts: a closed mesh with the collision shapes that stand for it. Lengths are metres, up is z."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.spatial.transform import Rotation

from gauge.objects.shapes import solid
from gauge.objects.shapes.mesh import Array, Mesh, loft
from gauge.objects.shapes.solid import Solid

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an object.

    Attributes:
        mesh: what is seen.
        solids: what touches.
        material: name in `gauge.objects.materials`; empty is the object's own.
        content: mass of what is inside, kg.
    """

    mesh: Mesh
    solids: tuple[Solid, ...]
    material: str = ""
    content: float = 0.0

    def at(self, x: float = 0, y: float = 0, z: float = 0, turn: Rotation | None = None) -> "Part":
        """The part turned, then moved."""
        rotation, move = (turn or Rotation.identity()).as_matrix(), (x, y, z)
        solids = tuple(one.placed(rotation, move) for one in self.solids)
        return replace(self, mesh=self.mesh.placed(rotation, move), solids=solids)

    def of(self, material: str, content: float = 0.0) -> "Part":
        """The part in another material, or filled."""
        return replace(self, material=material, content=content)


@dataclass(frozen=True, slots=True)
class Section:
    """The outline of a turned or extruded part.

    Attributes:
        power: exponent of the superellipse: 2 is round, 8 nearly square.
        corners: a regular polygon instead, if not 0.
        flutes, depth: waves along the outline and their height as a share of the radius.
        aspect: stretch along x and y.
        sides: points of the outline.
    """

    power: float = 2.0
    corners: int = 0
    flutes: int = 0
    depth: float = 0.0
    aspect: tuple[float, float] = (1.0, 1.0)
    sides: int = 32

    def square(self) -> bool:
        """Whether one box stands for it better than an octagon."""
        return self.corners == 0 and self.power >= 4

    def outline(self) -> Array:
        """[sides, 2] of unit radius, counter-clockwise."""
        angle = 2 * np.pi * np.arange(self.sides) / self.sides
        if self.corners:
            wedge = 2 * np.pi / self.corners
            radius = np.cos(wedge / 2) / np.cos((angle % wedge) - wedge / 2)
        else:
            radius = (np.abs(np.cos(angle)) ** self.power + np.abs(np.sin(angle)) ** self.power) ** (-1 / self.power)
        radius = radius * (1 + self.depth * np.cos(self.flutes * angle))
        return np.stack([radius * np.cos(angle) * self.aspect[0], radius * np.sin(angle) * self.aspect[1]], axis=1)


ROUND = Section()


def curve(points: Points, radius: float, height: float, samples: int = 20, smooth: bool = True) -> Array:
    """A profile [(radius, height)] through control points given as shares; monotone between them, no overshoot."""
    knots = np.asarray(points, dtype=float) * [radius, height]
    if not smooth:
        return knots
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))])
    at = np.linspace(0, along[-1], samples)
    return np.stack([PchipInterpolator(along, knots[:, k])(at) for k in (0, 1)], axis=1)


def rings(profile: Array, section: Section) -> Array:
    """[m, sides, 3]: the outline at every point of the profile."""
    outline = section.outline()
    flat = profile[:, None, :1] * outline[None]
    heights = np.broadcast_to(profile[:, None, 1:], (*flat.shape[:2], 1))
    return np.concatenate([flat, heights], axis=2)


def turned(
    profile: Array, section: Section = ROUND, skin: str = "main", cap: str = "", bands: Sequence[str] = ()
) -> Part:
    """A solid with the given profile [(radius, height)], bottom to top; `bands` names islands band by band."""
    mesh = loft(rings(profile, section), bands or [skin] * (len(profile) - 1), (cap or skin, cap or skin))
    return Part(mesh, tuple(solid.stack(profile, section.aspect, section.square())))


def vessel(outer: Array, wall: float, floor: float, section: Section = ROUND, skin: str = "main") -> Part:
    """A hollow body open at the top, with the outer profile [(radius, height)] from foot to rim."""
    inner = _inside(outer, wall, floor)
    lip = (outer[-1] + inner[0]) / 2 + [0, wall * 0.25]
    profile = np.concatenate([outer, lip[None], inner])
    bands = [skin] * len(outer) + ["inside"] * (len(inner))
    mesh = loft(rings(profile, section), bands, (skin, "inside"))
    base = _below(outer, floor)
    shapes = solid.stack(base, section.aspect, section.square())
    tall = solid.straightened(np.concatenate([base[-1:], outer[outer[:, 1] > floor + 1e-6]]), 0.0015)
    return Part(mesh, (*shapes, *solid.walls(tall, wall, section.aspect, section.square())))


def _inside(outer: Array, wall: float, floor: float) -> Array:
    """The inner profile, rim to floor: the outer one moved along its normals by the wall."""
    step = np.gradient(outer, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], axis=1) / np.linalg.norm(step, axis=1, keepdims=True)
    moved = outer + wall * normal
    moved[-1] = outer[-1] - [wall, 0]
    kept = moved[(moved[:, 1] > floor) & (moved[:, 0] > 1e-3)]
    ordered = kept[np.maximum.accumulate(kept[:, 1]) <= kept[:, 1] + 1e-9]
    last = ordered[0] if len(ordered) else moved[-1]
    bottom = np.array([[max(float(last[0]) - 0.1 * wall, 1e-3), floor], [0.35 * float(last[0]), floor]])
    return np.concatenate([ordered[::-1], bottom])


def _below(profile: Array, height: float) -> Array:
    """The profile up to a height."""
    kept = profile[profile[:, 1] < height - 1e-6]
    edge = float(np.interp(height, profile[:, 1], profile[:, 0]))
    return np.concatenate([kept, [[edge, height]]])


def rod(
    stations: Sequence[Sequence[float]],
    power: float = 2.0,
    sides: int = 16,
    skin: str = "main",
    bands: Sequence[str] = (),
) -> Part:
    """A body along x; stations (x, half width y, half height z, centre z[, centre y]) are ellipses or rounder."""
    table = np.array([[*row, 0.0][:5] for row in stations], dtype=float)
    outline = Section(power=power, sides=sides).outline()
    shape = np.empty((len(table), sides, 3))
    shape[..., 0] = table[:, None, 0]
    shape[..., 1] = table[:, None, 4] + table[:, None, 1] * outline[None, :, 0]
    shape[..., 2] = table[:, None, 3] + table[:, None, 2] * outline[None, :, 1]
    names = list(bands) or [skin] * (len(table) - 1)
    mesh = loft(shape, names, (names[0], names[-1]))
    return Part(mesh, tuple(_along(table, power)))


def _along(table: Array, power: float) -> list[Solid]:
    """Boxes for a rod: two crossed ones where it is round and thick, one where it is flat or thin."""
    corners = solid.straightened(table, 0.0012)
    shapes: list[Solid] = []
    for start, end in itertools.pairwise(corners):
        pieces = max(1, int(np.ceil(np.abs(end - start)[1:].max() / 0.004)))
        for k in range(pieces):
            one, two = start + (end - start) * k / pieces, start + (end - start) * (k + 1) / pieces
            middle, half = (one + two) / 2, float(two[0] - one[0]) / 2
            if half < 1e-4:
                continue
            size = np.maximum(middle[1:3], 5e-4)
            thick = power < 3 and float(size.min()) > 0.004
            for share in ((1.0, 0.5), (0.5, 1.0)) if thick else ((0.95, 1.0),):
                centre = (middle[0], middle[4], middle[3])
                shapes.append(solid.box(centre, (half, size[0] * share[0], size[1] * share[1])))
    return shapes


def tube(path: Array, radius: float, sides: int = 8, skin: str = "main", flat: float = 1.0) -> Part:
    """A round bar along a path [m, 3] in the x-z plane; capsules stand for it. `flat` stretches it along y."""
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    across = np.array([0.0, 1.0, 0.0])
    normal = np.cross(tangent, across)
    angle = 2 * np.pi * np.arange(sides) / sides
    round_ = np.cos(angle)[None, :, None] * normal[:, None] + flat * np.sin(angle)[None, :, None] * across
    mesh = loft(path[:, None] + radius * round_, [skin] * (len(path) - 1), (skin, skin))
    joints = path[:: max(1, (len(path) - 1) // 4)]
    return Part(mesh, tuple(solid.capsule(a, b, radius) for a, b in itertools.pairwise(joints)))


def prism(
    outline: Array, height: float, chamfer: float = 0.0, skin: str = "main", cap: str = "", boxes: Sequence[Solid] = ()
) -> Part:
    """An outline [n, 2] (counter-clockwise, star-shaped about the origin) extruded upwards from z = 0.

    `boxes` are its collision shapes; without them it is the bounding box of the outline.
    """
    extent = float(np.abs(outline).max())
    small = outline * (1 - chamfer / extent)
    levels = (
        [(small, 0.0), (outline, chamfer), (outline, height - chamfer), (small, height)]
        if chamfer
        else [(outline, 0.0), (outline, height)]
    )
    shape = np.stack([np.concatenate([flat, np.full((len(flat), 1), z)], axis=1) for flat, z in levels])
    bands = [cap or skin, skin, cap or skin] if chamfer else [skin]
    mesh = loft(shape, bands, (cap or skin, cap or skin))
    half = np.abs(outline).max(axis=0)
    return Part(mesh, tuple(boxes) or (solid.box((0, 0, height / 2), (*half, height / 2)),))


def rectangle(length: float, width: float, corner: float = 0.0) -> Array:
    """A rectangle (x by y) with rounded corners as an outline from the middle of the +x side.

    Unwrapped, the middle of the +y side is then at one quarter and that of the -y side at three.
    """
    corner = min(max(corner, 1e-4), 0.499 * min(length, width))
    arc = np.linspace(0, np.pi / 2, 4)
    cos, sin = np.cos(arc) * corner, np.sin(arc) * corner
    x, y = length / 2 - corner, width / 2 - corner
    turns = ((x + cos, y + sin), (-x - sin, y + cos), (-x - cos, -y - sin), (x + sin, -y - cos))
    return np.concatenate([[[length / 2, 0.0]], *(np.stack(turn, axis=1) for turn in turns)])
