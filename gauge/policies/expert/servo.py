"""From a wanted hand pose to a 7-d action: proportional control in the controller's own units."""

import numpy as np

from gauge.policies.expert.geometry import Array, Pose, rotation_vector

OPEN, CLOSE, KEEP = -1.0, 1.0, 0.0
METRES_PER_UNIT = 0.05
RADIANS_PER_UNIT = 0.5
GAIN = 2.0  # the controller covers about a third of a commanded step per 50 ms
TURN_LIMIT = 0.6


def servo(hand: Pose, goal: Pose, gripper: float, speed: float = 1.0) -> Array:
    """The action [7] that moves the hand towards `goal`.

    Position and rotation are scaled as vectors, not clipped per axis, so that paths stay straight.

    Args:
        hand: where the hand is.
        goal: where it should be.
        gripper: -1 opens, 1 closes, 0 keeps the fingers where they are.
        speed: largest length of the position command, 1 is about 0.3 m/s.
    """
    move = GAIN * (goal.position - hand.position) / METRES_PER_UNIT
    turn = GAIN * rotation_vector(goal.rotation @ hand.rotation.T) / RADIANS_PER_UNIT
    return np.concatenate([limited(move, speed), limited(turn, TURN_LIMIT), [gripper]])


def limited(vector: Array, length: float) -> Array:
    """`vector`, shortened to `length` where it is longer."""
    norm = float(np.linalg.norm(vector))
    return vector if norm <= length else vector * (length / norm)


def distance(hand: Pose, goal: Pose) -> tuple[float, float]:
    """Position error in metres and rotation error in radians."""
    turn = rotation_vector(goal.rotation @ hand.rotation.T)
    return float(np.linalg.norm(goal.position - hand.position)), float(np.linalg.norm(turn))
