"""The quality gate: which successful episodes are good enough to learn from, and why the others are not. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gauge.records.demo import Array, Demo, is_noop, longest_run

RESTING_M = 0.001  # per step of 50 ms; the hand moves up to 15 mm
RESTING_RAD = 0.01
RESTING_FINGER_M = 0.0005
FEWEST = 5  # episodes that make a median


@dataclass(frozen=True, slots=True)
class Limits:
    """What the gate lets pass.

    Attributes:
        pause_steps: most control steps in a row in which neither the hand nor the fingers move.
        noop_steps: most actions in a row that command nothing.
        detour: longest path of the hand and longest duration, as multiples of the median of the task.
    """

    pause_steps: int
    noop_steps: int
    detour: float


@dataclass(frozen=True, slots=True)
class Measure:
    """What the gate looks at: control steps, metres of the hand's path, longest runs in control steps."""

    steps: int
    path_m: float
    pause_steps: int
    noop_steps: int


def measure(demo: Demo) -> Measure:
    """The measures of one demonstration."""
    return Measure(
        steps=len(demo),
        path_m=path_length(demo.proprioception[:, :3]),
        pause_steps=longest_run(_resting(demo))[0],
        noop_steps=longest_run(is_noop(demo.actions))[0],
    )


def faults(found: Measure, limits: Limits) -> list[str]:
    """What is wrong with an episode on its own."""
    reasons = []
    if found.pause_steps > limits.pause_steps:
        reasons.append(f"a pause of {found.pause_steps} steps (limit {limits.pause_steps})")
    if found.noop_steps > limits.noop_steps:
        reasons.append(f"{found.noop_steps} no-ops in a row (limit {limits.noop_steps})")
    return reasons


def detours(found: Mapping[int, Measure], limits: Limits) -> dict[int, str]:
    """Which of a task's otherwise good episodes are much longer than the median, and by how much.

    With fewer than five there is no median to speak of and nothing is a detour.
    """
    if len(found) < FEWEST:
        return {}
    steps = float(np.median([one.steps for one in found.values()]))
    path = float(np.median([one.path_m for one in found.values()]))
    long = {}
    for index, one in found.items():
        if one.path_m > limits.detour * path:
            long[index] = f"a detour: path of {one.path_m:.2f} m (median {path:.2f} m, limit {limits.detour:g} times)"
        elif one.steps > limits.detour * steps:
            long[index] = f"a detour: {one.steps} steps (median {steps:g}, limit {limits.detour:g} times)"
    return long


def path_length(points: Array) -> float:
    """Length in metres of a polyline [T, 3]."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _resting(demo: Demo) -> NDArray[np.bool_]:
    """In which steps [T - 1] neither hand nor fingers moved nor the gripper command changed."""
    moved = np.diff(demo.proprioception, axis=0)
    # The axis-angle of a hand that points down jumps by a full turn, which is no motion.
    turn = np.linalg.norm(moved[:, 3:6], axis=1)
    turn = np.minimum(turn, np.abs(2 * np.pi - turn))
    resting: NDArray[np.bool_] = (
        (np.linalg.norm(moved[:, :3], axis=1) < RESTING_M)
        & (turn < RESTING_RAD)
        & (np.abs(moved[:, 6:]).max(axis=1) < RESTING_FINGER_M)
        & (np.diff(demo.actions[:, 6]) == 0.0)
    )
    return resting


def spread(paths: Sequence[Array], points: int = 50) -> float:
    """How far paths of the hand differ: root mean square distance (m) to their mean path, at equal parts of time.

    Args:
        paths: positions [T, 3] each.
        points: how many moments are compared.
    """
    if len(paths) < 2:
        return 0.0
    moments = np.linspace(0.0, 1.0, points)
    sampled = np.stack(
        [
            np.stack([np.interp(moments, np.linspace(0.0, 1.0, len(path)), path[:, axis]) for axis in range(3)], axis=1)
            for path in paths
        ]
    )
    distances = np.linalg.norm(sampled - sampled.mean(axis=0), axis=2)
    return float(np.sqrt((distances**2).mean()))
