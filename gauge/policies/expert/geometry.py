"""Poses and boxes: everything an object's collision geometry is made of. No simulator in here."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
UP = np.array([0.0, 0.0, 1.0])
CORNER_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True, slots=True)
class Pose:
    """A rigid pose: `position` [3] in metres and `rotation` [3, 3]."""

    position: Array
    rotation: Array

    def __matmul__(self, other: "Pose") -> "Pose":
        """This pose applied to `other`."""
        return Pose(self.position + self.rotation @ other.position, self.rotation @ other.rotation)

    def inverse(self) -> "Pose":
        """The pose that undoes this one."""
        return Pose(-self.rotation.T @ self.position, self.rotation.T.copy())

    def shifted(self, offset: Array) -> "Pose":
        """The same rotation, moved by `offset` [3] in the world."""
        return Pose(self.position + offset, self.rotation)

    def raised(self, height_m: float) -> "Pose":
        """The same place and rotation at another height."""
        return Pose(np.array([*self.position[:2], height_m]), self.rotation)

    def along_tool(self, distance_m: float) -> "Pose":
        """Moved along its own z axis, which for a hand is the way the fingers point."""
        return Pose(self.position + distance_m * self.rotation[:, 2], self.rotation)


@dataclass(frozen=True, slots=True)
class Boxes:
    """N boxes in the world: `centres` [N, 3], `rotations` [N, 3, 3], half sizes `halves` [N, 3], metres."""

    centres: Array
    rotations: Array
    halves: Array

    def corners(self) -> Array:
        """All corners, [8 N, 3]."""
        local = CORNER_SIGNS[None] * self.halves[:, None]
        corners: Array = self.centres[:, None] + np.einsum("nij,nkj->nki", self.rotations, local)
        return corners.reshape(-1, 3)

    def bounds(self) -> tuple[Array, Array]:
        """Lowest and highest corner of the axis-aligned hull, [3] each."""
        corners = self.corners()
        return corners.min(axis=0), corners.max(axis=0)

    def points(self, spacing_m: float) -> Array:
        """Grid points that fill every box, faces included, at most `spacing_m` apart, [M, 3]."""
        clouds = []
        for centre, rotation, half in zip(self.centres, self.rotations, self.halves, strict=True):
            axes = [np.linspace(-h, h, max(2, int(np.ceil(2 * h / spacing_m)) + 1)) for h in half]
            grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
            clouds.append(centre + grid @ rotation.T)
        return np.concatenate(clouds) if clouds else np.zeros((0, 3))

    def volume_centre(self) -> Array:
        """Mean of the box centres weighted by volume, [3]: the centre of mass of an even material."""
        weights = np.prod(self.halves, axis=1)
        centre: Array = (weights[:, None] * self.centres).sum(axis=0) / weights.sum()
        return centre


def overlapping(first: Boxes, second: Boxes, slack_m: float) -> int:
    """How many pairs of boxes reach more than `slack_m` into each other, by the separating axis theorem."""
    apart = first.centres[:, None] - second.centres[None]
    radii = np.linalg.norm(first.halves, axis=1)[:, None] + np.linalg.norm(second.halves, axis=1)[None]
    a, b = np.nonzero(np.linalg.norm(apart, axis=-1) < radii)
    if not len(a):
        return 0
    mine, other = first.rotations[a], second.rotations[b]
    crossed = np.cross(mine[:, :, :, None], other[:, :, None, :], axis=1).reshape(len(a), 3, 9)
    axes = np.concatenate([mine, other, crossed], axis=2)
    length = np.linalg.norm(axes, axis=1)
    reach = (np.abs(np.einsum("nji,njk->nik", mine, axes)) * first.halves[a][:, :, None]).sum(axis=1)
    reach += (np.abs(np.einsum("nji,njk->nik", other, axes)) * second.halves[b][:, :, None]).sum(axis=1)
    gap = np.abs(np.einsum("nj,njk->nk", apart[a, b], axes)) - reach + slack_m * length
    return int(((gap < 0.0) | (length < 1e-6)).all(axis=1).sum())


def tool_rotation(finger_axis: Array, tool_axis: Array) -> Array:
    """Rotation [3, 3] of a hand whose fingers move along `finger_axis` and point along `tool_axis`, both [3].

    Only the part of `finger_axis` that is square to `tool_axis` counts.
    """
    tool = tool_axis / np.linalg.norm(tool_axis)
    finger = finger_axis - tool * (finger_axis @ tool)
    finger = finger / np.linalg.norm(finger)
    return np.column_stack([finger, np.cross(tool, finger), tool])


def nearest_turn(rotation: Array, reference: Array) -> Array:
    """`rotation` or its twin with both fingers exchanged, whichever is nearer to `reference`, [3, 3]."""
    if float(rotation[:, 0] @ reference[:, 0] + rotation[:, 1] @ reference[:, 1]) >= 0.0:
        return rotation
    turned: Array = rotation * np.array([-1.0, -1.0, 1.0])
    return turned


def rotation_vector(rotation: Array) -> Array:
    """Axis times angle [3], radians, of a rotation matrix [3, 3]."""
    cosine = float(np.clip((np.trace(rotation) - 1.0) / 2.0, -1.0, 1.0))
    angle = float(np.arccos(cosine))
    skew = np.array([rotation[2, 1] - rotation[1, 2], rotation[0, 2] - rotation[2, 0], rotation[1, 0] - rotation[0, 1]])
    if angle < 1e-6:
        return skew / 2.0
    if angle > np.pi - 1e-3:  # the skew part vanishes; the axis is the column space of R + I
        symmetric = rotation + np.eye(3)
        axis: Array = symmetric[:, int(np.argmax(np.linalg.norm(symmetric, axis=0)))]
        return axis * (angle / float(np.linalg.norm(axis)) * (1.0 if float(skew @ axis) >= 0.0 else -1.0))
    return skew * (angle / (2.0 * float(np.sin(angle))))


def axis_rotation(axis: Array, angle_rad: float) -> Array:
    """Rotation matrix [3, 3] by `angle_rad` about `axis` [3] (Rodrigues' formula)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation: Array = np.eye(3) + np.sin(angle_rad) * cross + (1.0 - np.cos(angle_rad)) * cross @ cross
    return rotation


def between(first: Pose, second: Pose, turn: Array, fraction: float) -> Pose:
    """A pose on the way; `turn` [3] is the rotation vector from the first to the second."""
    angle = float(np.linalg.norm(turn))
    part = np.eye(3) if angle < 1e-9 else axis_rotation(turn / angle, fraction * angle)
    return Pose((1 - fraction) * first.position + fraction * second.position, part @ first.rotation)
