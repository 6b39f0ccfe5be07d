"""The exact rule of each predicate, as geometry: positions in metres, angles in radians, world frame unless said.

The numbers are LIBERO's (Liu et al. 2023, `libero/libero/envs`). Where LIBERO turns a region's box the wrong way
(its half-sizes by |R s| instead of |R| s, offsets by R instead of its transpose) the box is turned properly here;
both agree when the receptacle's yaw is a multiple of 90 degrees. `docs/v-bddl.md` says the same in words.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gauge.vbddl.catalogue import Limit

Vector = NDArray[np.float64]

ON_DISTANCE = 0.03  # between the origins of an object and what it is on, horizontally
TOP_BELOW, TOP_ABOVE = 0.005, 0.10  # how far an origin may be under and over the top face of a region
FLOOR_SLACK = 0.01  # how far an origin may be under the lower face of a region's box
UP_HEIGHT = 1.0
TILT = np.radians(15.0)  # from the vertical if upright, from the horizontal if lying
STILL_SPEED = 0.01  # m/s and rad/s


def on_object(upper: Vector, lower: Vector, touching: bool) -> bool:
    """On(a, object b): a's origin is not below b's, both touch, and the origins are within 3 cm horizontally."""
    return bool(lower[2] <= upper[2] and touching and np.linalg.norm(upper[:2] - lower[:2]) < ON_DISTANCE)


def on_region(origin: Vector, center: Vector, rotation: Vector, half: Vector, touching: bool) -> bool:
    """On(a, region): a's origin is over the region's top face and a touches the model that the region is part of.

    In the region's frame the origin is less than the half-sizes off in x and y, and between 5 mm below and 10 cm
    above the top face. A region of the table has no model to touch: `touching` is true for it.
    """
    x, y, z = rotation.T @ (origin - center)
    over = half[2] - TOP_BELOW < z < half[2] + TOP_ABOVE
    return bool(over and abs(x) < half[0] and abs(y) < half[1] and touching)


def in_region(origin: Vector, center: Vector, rotation: Vector, half: Vector) -> bool:
    """In(a, region): a's origin is inside the region's box, or at most 1 cm under it.

    Only the origin counts; nothing has to touch.
    """
    offset = rotation.T @ (origin - center)
    lift = rotation.T @ np.array([0.0, 0.0, FLOOR_SLACK])
    low, high = 0.0, 1.0  # the shares of the lift for which the lifted origin is inside
    for place, rise, size in zip(offset, lift, half, strict=True):
        if abs(rise) < 1e-12:
            if not -size < place < size:
                return False
            continue
        ends = sorted(((-size - place) / rise, (size - place) / rise))
        low, high = max(low, ends[0]), min(high, ends[1])
    if low > high:
        return False
    middle = offset + 0.5 * (low + high) * lift
    return bool(np.all(np.abs(middle) < half))


def opened(joints: Sequence[float], limit: Limit) -> bool:
    """Open(part): any of its joints is beyond the limit of its type. TurnOn is the same."""
    return any(limit.holds(q) for q in joints)


def closed(joints: Sequence[float], limit: Limit) -> bool:
    """Close(part): all of its joints are beyond the limit of its type. TurnOff is the same."""
    return all(limit.holds(q) for q in joints)


def turned(joints: Sequence[float], limit: Limit) -> bool:
    """TurnLeft(handle), TurnRight(handle): any of its joints is beyond the limit of its type."""
    return any(limit.holds(q) for q in joints)


def upright(axis: Vector, touching: bool, speed: float) -> bool:
    """Upright(a): the axis [3] of its upper end is within 15 degrees of the vertical, a stands on something, at rest.

    `touching` is whether it touches anything but the robot, `speed` the fastest of its velocities (m/s, rad/s).
    """
    return bool(axis[2] > np.cos(TILT) and touching and speed < STILL_SPEED)


def lying(axis: Vector) -> bool:
    """Lying(a): the axis [3] of its upper end is within 15 degrees of the horizontal."""
    return bool(abs(axis[2]) < np.sin(TILT))


def up(origin: Vector) -> bool:
    """Up(a): a's origin is at least 1 m above the floor; meant for tables of 0.9 m."""
    return bool(origin[2] >= UP_HEIGHT)


def stacked(upper: Vector, lower: Vector, touching: bool) -> bool:
    """Stack(a, b): On(a, b), and a's origin is strictly higher. LIBERO has the name but cannot evaluate it."""
    return bool(upper[2] > lower[2]) and on_object(upper, lower, touching)
