"""Paths for the hand to try, made of straight lines."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from gauge.policies.expert.geometry import UP, Array, Pose

LIFTS_M = (0.0, 0.04, 0.08, 0.12, 0.16, 0.22, 0.28, 0.34)
SIDE_M = 0.16
SIDE_LIFTS_M = (0.0, 0.08)
SIDES = 8


@dataclass(frozen=True, slots=True)
class Route:
    """A path of straight lines for the hand and how many collisions were met on it."""

    path: list[Pose]
    collisions: int


def paths(start: Pose, goal: Pose, bow: Array | None = None, rise_m: float = 0.0) -> Iterator[list[Pose]]:
    """Ways to try, the most direct first: straight, over something, in from a side, and out to a side first.

    Args:
        start: where the hand is.
        goal: where it should be.
        bow: a way that passes this far [3] beside the middle of the straight one is tried before it.
        rise_m: first way over something: this much higher than both ends.
    """
    if bow is not None:
        yield [start, Pose((start.position + goal.position) / 2 + bow, goal.rotation), goal]
    yield [start, goal]
    for lift in (rise_m, *LIFTS_M):
        height = max(start.position[2], goal.position[2]) + lift
        yield [start, start.raised(height), goal.raised(height), goal]
    around = [SIDE_M * np.array([np.cos(a), np.sin(a), 0.0]) for a in np.linspace(0, 2 * np.pi, SIDES, endpoint=False)]
    for side, lift in product(around, SIDE_LIFTS_M):
        beside = goal.shifted(side + lift * UP)
        height = max(start.position[2], float(beside.position[2])) + SIDE_LIFTS_M[-1]
        yield [start, start.raised(height), beside.raised(height), beside, goal]
    for side, lift in product(around, SIDE_LIFTS_M):
        height = max(start.position[2], goal.position[2]) + lift
        out = start.shifted(side)
        yield [start, out, out.raised(height), goal.raised(height), goal]
