"""Where an object may be put so that a predicate becomes true: LIBERO's own rules turned round."""

from dataclasses import dataclass, field, replace

import numpy as np

from gauge.policies.expert.geometry import UP, Array, Pose, axis_rotation
from gauge.policies.expert.world import State, World

SUPPORT_LIMIT_M = 0.03  # LIBERO asks for less than that between the origins
SUPPORT_RADIUS_M = 0.018
BELOW_M = 0.01  # a region's box reaches that much lower in LIBERO's test
REST_M = 0.001
ON_HEIGHT_M = 0.10
LEVEL = 0.95
ASIDE_M = (0.12, 0.16, 0.2, 0.24)
CLEAR_M = 0.17
UP_SLOPE_M = (0.04, 0.055, 0.025)
STEP_M = 0.02
OFF_MIDDLE_M = 0.03
FALLEN_M = 0.05
LEVEL_M, NEAR_M, STANDS_M = 1e-6, 0.08, 0.015
EDGE_M = 0.012
HEADROOM_M = 0.25


@dataclass(frozen=True, slots=True)
class Target:
    """Points [K, 2] over which the object's origin may be, the best first, and its heights (m).

    `lean` [3, 3] takes the vertical to the way the object should stand, `stand` takes what should point up to the
    vertical; `angle` (rad, about the vertical) is the direction of the place's sides. Above `inside` (m) the
    predicate does not hold; an object let go there has to fall. The first `tries` points are looked at. `low` and
    `high` [3] bound the origin once it rests.
    """

    points: Array
    lowest: float
    highest: float
    lean: Array = field(default_factory=lambda: np.eye(3))
    stand: Array = field(default_factory=lambda: np.eye(3))
    angle: float = 0.0
    inside: float = np.inf
    tries: int = 9
    low: Array = field(default_factory=lambda: np.full(3, -np.inf))
    high: Array = field(default_factory=lambda: np.full(3, np.inf))

    def accepts(self, origin: Array) -> bool:
        """Whether an object at rest with its origin there is where it should be."""
        return bool((self.low < origin).all() and (origin < self.high).all())


def target(world: World, state: State) -> Target:
    """The target of an `on` or `in` predicate with two names.

    Where the goal wants several things on one region, each goes as far from its middle as allowed; of several in
    one region the first goes a little off its middle, and the others as far from what is there as there is room.
    """
    kind, _, place = state
    if place in world.env.object_sites_dict:
        found = _in_region(world, place) if kind == "in" else _on_region(world, place)
        shared = [other[1] for other in world.goal if other[0] == kind and other[-1] == place]
        if len(shared) < 2:
            return found
        return replace(found, points=found.points[::-1]) if kind == "on" else _beside(world, found, state, shared)
    origin = world.pose(place).position
    within = SUPPORT_LIMIT_M / np.sqrt(2.0) * (1.0 - UP)
    return Target(
        origin[:2] + _grid(np.full(2, SUPPORT_RADIUS_M), SUPPORT_RADIUS_M / 2),
        float(origin[2]),
        float(origin[2]) + HEADROOM_M,
        low=origin - within,
        high=origin + within + HEADROOM_M * UP,
    )


def _beside(world: World, region: Target, state: State, shared: list[str]) -> Target:
    """The same region, all of its points, those first that leave room for the others."""
    kind, name, place = state
    there = [world.pose(mate).position[:2] for mate in shared if mate != name and world.holds((kind, mate, place))]
    if there:
        order = -np.linalg.norm(region.points[:, None] - np.array(there)[None], axis=2).min(axis=1)
    else:
        order = np.abs(np.linalg.norm(region.points - region.points[0], axis=1) - OFF_MIDDLE_M)
    return replace(region, points=region.points[np.argsort(order, kind="stable")], tries=len(region.points))


def standing(world: World, name: str) -> Target:
    """Places near an object in the hand where it stands the right way up on the table."""
    upper, pose = world.upper_end(name), world.pose(name)
    across = np.cross(upper, UP)
    stand = np.eye(3) if np.linalg.norm(across) < LEVEL_M else axis_rotation(across, float(np.arccos(upper[2])))
    bottom = float(((world.object_boxes(name).corners() - pose.position) @ stand.T)[:, 2].min())
    height = _floor(world, name) - bottom
    points = pose.position[:2] + _grid(np.full(2, NEAR_M))
    within = np.array([np.inf, np.inf, STANDS_M])
    rest = np.array([0.0, 0.0, height])
    return Target(
        points, height, height + HEADROOM_M, stand=stand, tries=len(points), low=rest - within, high=rest + within
    )


def away(world: World, name: str, place: str) -> Target:
    """Places on the table near an object that stands on `place`, clear of it and of where the goal puts things."""
    ends = {other[-1] for other in world.goal if other[0] in ("on", "in")} | {place}
    found = aside(world, name, np.array([world.place_of(end)[:2] for end in sorted(ends)]))
    bottom = float(world.object_boxes(name).bounds()[0][2] - world.pose(name).position[2])
    height = _floor(world, name) - bottom
    return replace(found, lowest=height, low=np.array([-np.inf, -np.inf, height - FALLEN_M]))


def _floor(world: World, name: str) -> float:
    """How high the table is, m: where the lowest of the other objects stands."""
    others = [other for other in world.env.objects_dict if other != name]
    return float(min(world.object_boxes(other).bounds()[0][2] for other in others or [name]))


def aside(world: World, name: str, keep_clear: Array) -> Target:
    """Places near an object at its own height but out of reach of `keep_clear` [K, 2], the nearest first."""
    origin = world.pose(name).position
    turns = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    points = np.concatenate([origin[:2] + radius * ring for radius in ASIDE_M])
    clear = points[(np.linalg.norm(points[:, None] - keep_clear[None], axis=2) > CLEAR_M).all(axis=1)]
    towards = np.linalg.norm(clear - world.hand().position[:2], axis=1)
    return Target(
        clear[np.argsort(towards, kind="stable")], float(origin[2]) - 0.005, float(origin[2]) + HEADROOM_M, tries=24
    )


def _in_region(world: World, name: str) -> Target:
    """The region's box, which LIBERO takes as aligned with the world."""
    pose = world.site_pose(name)
    half = np.abs(pose.rotation @ np.asarray(world.env.object_sites_dict[name].size, dtype=np.float64))
    points = pose.position[:2] + _grid(half[:2] - EDGE_M)
    low, high = pose.position - half - BELOW_M * UP, pose.position + half
    top = float(high[2])
    return Target(
        points, float(low[2]), top + HEADROOM_M, angle=_angle(pose), inside=top, low=low + REST_M, high=high - REST_M
    )


def _on_region(world: World, name: str) -> Target:
    """The region's rectangle in LIBERO's reading: its matrix is applied where its inverse would be meant."""
    pose = world.site_pose(name)
    size = np.asarray(world.env.object_sites_dict[name].size, dtype=np.float64)
    if pose.rotation[2, 2] < LEVEL:
        return _on_slope(pose)
    offsets = _grid(np.full(2, float(size[:2].max())))
    local = offsets @ pose.rotation[:2, :2].T
    inside = (np.abs(local) <= np.maximum(size[:2] - EDGE_M, 0.0) + 1e-9).all(axis=1)
    z = float(pose.position[2])
    top = z + float(size[2]) + ON_HEIGHT_M
    return Target(pose.position[:2] + offsets[inside], z, z + HEADROOM_M, angle=_angle(pose), inside=top)


def _angle(pose: Pose) -> float:
    """Direction about the vertical of the most level axis of a region, radians."""
    axis = pose.rotation[:, int(np.argmin(np.abs(pose.rotation[2])))]
    return float(np.arctan2(axis[1], axis[0]))


def _on_slope(pose: Pose) -> Target:
    """A rack: objects lie along the region's normal, their origin a little way up from the region's middle."""
    normal = pose.rotation[:, 2]
    points = np.array([pose.position[:2] + up * normal[:2] for up in UP_SLOPE_M])
    lowest = float(pose.position[2]) - ON_HEIGHT_M / 4
    turn = np.cross(UP, normal)
    lean = axis_rotation(turn, float(np.arccos(normal[2])))
    return Target(points, lowest, lowest + HEADROOM_M, lean)


def _grid(half: Array, step: float = STEP_M) -> Array:
    """Offsets [K, 2] on a grid within `half` [2], the middle first and then outwards."""
    axes = [np.arange(-int(max(h, 0.0) / step + 1e-9), int(max(h, 0.0) / step + 1e-9) + 1) * step for h in half]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    order: Array = grid[np.argsort(np.linalg.norm(grid, axis=1), kind="stable")]
    return order
