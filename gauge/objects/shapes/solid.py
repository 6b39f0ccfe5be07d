"""Collision shapes: boxes and capsules that stand for a part. Boxes rest without jitter on a table that is a box."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.shapes.mesh import Array

GAP_M = 0.0005  # what stands above the foot stays off the table by this much, so that few contacts carry the load
ROUND_BOXES = 4  # boxes whose union is an octagon
OCTAGON = 1.03  # makes up for half of what the flats of an octagon lie inside the circle
WALL_PANELS = 12


@dataclass(frozen=True, slots=True)
class Solid:
    """One collision shape: `half` are the half sizes of a box, or (radius, half length, 0) of a capsule along z."""

    kind: Literal["box", "capsule"]
    centre: tuple[float, ...]
    rotation: tuple[float, ...]
    half: tuple[float, ...]

    def placed(self, rotation: Array, translation: Sequence[float]) -> "Solid":
        """The shape turned and moved."""
        turn = Rotation.from_matrix(rotation)
        centre = turn.apply(self.centre) + np.asarray(translation)
        turned = turn * Rotation.from_quat(self.rotation)
        return replace(self, centre=tuple(map(float, centre)), rotation=tuple(map(float, turned.as_quat())))

    def volume(self) -> float:
        """m^3."""
        if self.kind == "box":
            return float(8 * np.prod(self.half))
        radius, half = self.half[:2]
        return float(np.pi * radius**2 * (2 * half + 4 / 3 * radius))


def box(centre: Sequence[float], half: Sequence[float], rotation: Rotation | None = None) -> Solid:
    """A box with half sizes in metres."""
    quat = (rotation or Rotation.identity()).as_quat()
    return Solid("box", tuple(map(float, centre)), tuple(map(float, quat)), tuple(map(float, half)))


def capsule(start: Array, end: Array, radius: float) -> Solid:
    """A capsule between two points."""
    along = end - start
    length = float(np.linalg.norm(along))
    turn, _ = Rotation.align_vectors([along / length], [[0, 0, 1]])
    middle = tuple(map(float, (start + end) / 2))
    return Solid("capsule", middle, tuple(map(float, turn.as_quat())), (radius, length / 2, 0.0))


def disc(radius: float, low: float, high: float, aspect: tuple[float, float], square: bool) -> list[Solid]:
    """A slice of a turned solid between two heights: rotated boxes, or one where the outline is square."""
    middle, half = (0.0, 0.0, (low + high) / 2), (high - low) / 2
    if square:
        return [box(middle, (radius * aspect[0], radius * aspect[1], half))]
    if max(aspect) / min(aspect) > 1.05:
        return [box(middle, (radius * aspect[0] * w, radius * aspect[1] * h, half)) for w, h in OVAL]
    turn = np.pi / (2 * ROUND_BOXES)
    size = (radius * OCTAGON * np.cos(turn), radius * OCTAGON * np.sin(turn), half)
    return [box(middle, size, Rotation.from_euler("z", k * np.pi / ROUND_BOXES)) for k in range(ROUND_BOXES)]


OVAL = ((0.96, 0.40), (0.72, 0.72), (0.40, 0.96))  # boxes inside an ellipse, as shares of its half axes


def foot(radius: float, top: float, aspect: tuple[float, float], square: bool) -> Solid:
    """The one box that touches the table."""
    share = 0.98 if square else 0.70
    return box((0, 0, top / 2), (radius * aspect[0] * share, radius * aspect[1] * share, top / 2))


def stack(profile: Array, aspect: tuple[float, float], square: bool, tolerance: float = 0.10) -> list[Solid]:
    """Slices for a turned solid with the profile [(radius, height)], split where the radius changes by `tolerance`."""
    fine = resampled(profile, 60)
    shapes: list[Solid] = []
    start, limit = 0, tolerance * float(fine[:, 0].max())
    base = float(fine[0, 1])
    for end in range(1, len(fine)):
        part = fine[start : end + 1]
        if end < len(fine) - 1 and np.ptp(fine[start : end + 2, 0]) <= max(limit, 0.0012):
            continue
        low, high = float(part[0, 1]), float(part[-1, 1])
        lifted = low + GAP_M if low <= base + 1e-9 else low
        if high - lifted > 1e-4:
            shapes += disc(float(part[:, 0].mean()), lifted, high, aspect, square)
        start = end
    near = fine[fine[:, 1] <= base + 0.002]
    ground = foot(float(near[:, 0].mean()), 0.004, aspect, square)
    return [ground.placed(np.eye(3), (0, 0, base)), *shapes]


def walls(outer: Array, thickness: float, aspect: tuple[float, float], square: bool) -> list[Solid]:
    """Panels for the wall of a hollow body, from its outer profile [(radius, height)] bottom to rim."""
    panels = 4 if square else WALL_PANELS
    shapes: list[Solid] = []
    for (r0, z0), (r1, z1) in itertools.pairwise(outer):
        length, slant = float(np.hypot(r1 - r0, z1 - z0)), float(np.arctan2(r1 - r0, z1 - z0))
        if length < 1e-4:
            continue
        inward = thickness / 2
        radius, height = (r0 + r1) / 2 - inward * np.cos(slant), (z0 + z1) / 2 + inward * np.sin(slant)
        for k in range(panels):
            angle = 2 * np.pi * k / panels
            turn = Rotation.from_euler("z", angle) * Rotation.from_euler("y", slant)
            across = aspect[k % 2] if square else float(np.hypot(aspect[0] * np.cos(angle), aspect[1] * np.sin(angle)))
            centre = (radius * aspect[0] * np.cos(angle), radius * aspect[1] * np.sin(angle), height)
            side = max(r0, r1) * (aspect[1 - k % 2] if square else np.tan(np.pi / panels) * max(across, min(aspect)))
            shapes.append(box(centre, (inward, side, length / 2), turn))
    return shapes


def resampled(profile: Array, count: int) -> Array:
    """The profile at `count` points of equal spacing along it."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(profile, axis=0), axis=1))])
    at = np.linspace(0.0, along[-1], count)
    return np.stack([np.interp(at, along, profile[:, k]) for k in range(profile.shape[1])], axis=1)


def straightened(profile: Array, tolerance: float) -> Array:
    """The profile with as few corners as keep it within `tolerance` (metres; Douglas and Peucker 1973)."""
    if len(profile) < 3:
        return profile
    offset, along = profile - profile[0], profile[-1] - profile[0]
    length = max(float(np.linalg.norm(along)), 1e-12)
    share = np.clip(offset @ along / length**2, 0.0, 1.0)
    away = np.linalg.norm(offset - share[:, None] * along, axis=1)
    far = int(away.argmax())
    if away[far] <= tolerance:
        return profile[[0, -1]]
    return np.concatenate([straightened(profile[: far + 1], tolerance)[:-1], straightened(profile[far:], tolerance)])
