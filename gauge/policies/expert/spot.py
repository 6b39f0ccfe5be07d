"""A place and a way to let a held object go."""

from dataclasses import dataclass

import numpy as np

from gauge.policies.expert.geometry import Array, Pose
from gauge.policies.expert.motion import Arm


@dataclass(frozen=True, slots=True)
class Spot:
    """Where to let go: the object's origin [3], the hand's rotation [3, 3], and the way in [3] before it (m).

    `cost` compares spots: the height of the origin plus what a farther point and turning the hand are worth. Where
    there is an `entry` (the object's origin with the hand's rotation), the object passes it last before the spot.
    """

    origin: Array
    rotation: Array
    way_in: Array
    cost: float
    entry: Pose | None = None

    def hand(self, in_hand: Pose, back: float = 0.0) -> Pose:
        """Where the hand must be when the object hangs at `in_hand`, `back` of the way in short of the spot."""
        return Pose(self.origin - back * self.way_in - self.rotation @ in_hand.position, self.rotation)

    def way(self, in_hand: Pose) -> list[Pose]:
        """Where the hand comes in: the end of the free way, and the entry if there is one."""
        if self.entry is None:
            return [self.hand(in_hand, 1.0)]
        entry = self.entry.shifted(-self.entry.rotation @ in_hand.position)
        return [entry.shifted(-self.way_in), entry]


def fits(arm: Arm, spot: Spot, height: float) -> bool:
    """Whether the object alone, wherever the hand may be, has room at `spot` with its origin at `height`."""
    if arm.held is None:
        return False
    arm.imagination.sync()
    origin = np.array([*spot.origin[:2], height])
    arm.imagination.put(arm.held, Pose(origin - spot.rotation @ arm.held.in_hand.position, spot.rotation))
    return arm.imagination.collisions(arm.held, arm.world.robot_geoms) == 0
