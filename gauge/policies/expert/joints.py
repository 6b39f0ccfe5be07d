"""Doors, drawers and knobs: where their joint is, where it should go, and how a hand on them must move."""

from dataclasses import dataclass

import mujoco
import numpy as np

from gauge.policies.expert.geometry import Array, Pose, axis_rotation
from gauge.policies.expert.world import Ids, World

INTO_RANGE, INTO_NARROW = 0.4, 0.9
NARROW = 0.02  # a range this short ends at a stop, where things spring back


@dataclass(frozen=True, slots=True)
class Joint:
    """One slide or hinge of a fixture: ids in the model, and the value (m or rad) wanted for a predicate."""

    world: World
    index: int
    body: int
    wanted: float

    @property
    def value(self) -> float:
        """The present value, metres or radians."""
        return float(self.world.data.qpos[self.world.model.jnt_qposadr[self.index]])

    @property
    def slides(self) -> bool:
        """Whether it is a drawer rather than a door or knob."""
        return bool(self.world.model.jnt_type[self.index] == mujoco.mjtJoint.mjJNT_SLIDE)

    @property
    def axis(self) -> Array:
        """Its axis [3] in the world."""
        axis: Array = self.world.data.xaxis[self.index].copy()
        return axis

    def geoms(self) -> Ids:
        """Colliding geometry of what it moves."""
        return self.world.body_geoms(self.body)

    def moved(self, pose: Pose, change: float, follow: float = 1.0) -> Pose:
        """Where something fixed to the moving part goes when the value changes by `change`.

        A hand that lets a handle turn between its fingers makes only the part `follow` of a hinge's turn.
        """
        if self.slides:
            return pose.shifted(change * self.axis)
        turn, anchor = axis_rotation(self.axis, change), self.world.data.xanchor[self.index]
        return Pose(anchor + turn @ (pose.position - anchor), axis_rotation(self.axis, follow * change) @ pose.rotation)

    def arm(self, pose: Pose) -> float:
        """How far from the axis of a hinge something is, metres; a millimetre at least."""
        apart = np.cross(self.axis, pose.position - self.world.data.xanchor[self.index])
        return max(1e-3, float(np.linalg.norm(apart)))

    def direction(self, point: Array) -> Array:
        """Unit vector [3] along which `point` [3] of the moving part goes towards the wanted value."""
        way = self.axis if self.slides else np.cross(self.axis, point - self.world.data.xanchor[self.index])
        way = way / np.linalg.norm(way)
        unit: Array = way if self.wanted > self.value else -way
        return unit


def joint_for(world: World, kind: str, name: str) -> Joint:
    """The joint that decides an `open`, `close`, `turnon` or `turnoff` predicate about a region or fixture.

    The wanted value lies inside LIBERO's range for the predicate, on the near side.
    """
    site = world.env.object_sites_dict.get(name)
    fixture = world.env.get_object(name if site is None else site.parent_name)
    joints = fixture.joints if site is None or not site.joints else site.joints
    index = world.model.joint(joints[0]).id
    limits = fixture.object_properties["articulation"][f"default_{kind}_ranges"]
    value = float(world.data.qpos[world.model.jnt_qposadr[index]])
    near, far = sorted(limits, key=lambda limit: abs(limit - value))
    part = INTO_RANGE if abs(far - near) > NARROW else INTO_NARROW
    return Joint(world, index, int(world.model.jnt_bodyid[index]), near + part * (far - near))
