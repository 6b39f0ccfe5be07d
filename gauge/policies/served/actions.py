"""From a model's numbers to the environment's actions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.errors import PolicyError
from gauge.policies.served.profile import COLUMNS, Gripper, Profile

Array = NDArray[np.float64]


def actions(answer: Any, profile: Profile) -> Array:
    """The environment's actions [T, 7] behind a server's answer [T, D], in the order given.

    Raises:
        PolicyError: the answer has not the shape that the profile says, or holds NaN or infinity.
    """
    try:
        array = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"the policy server's actions are no array of numbers ({error})") from error
    array = array[None] if array.ndim == 1 else array
    least, wanted = COLUMNS[profile.columns], profile.chunk or "any"
    rows_fit = array.ndim == 2 and (len(array) == profile.chunk if profile.chunk else len(array) >= profile.executed)
    if not rows_fit or array.shape[1] < least:
        raise PolicyError(
            f"the policy server's answer has shape {list(array.shape)}, the profile says [{wanted}, {least} or more]: "
            "is it another model?"
        )
    if not np.isfinite(array).all():
        raise PolicyError("the policy server's answer holds NaN or infinity")
    arm = array[:, :6] if profile.columns == "delta" else np.array([pose(row[:9]) for row in array])
    return np.column_stack([arm, gripper(array[:, least - 1], profile.gripper)])


def gripper(numbers: Array, rule: Gripper) -> Array:
    """The environment's commands [T], +1 closes."""
    if rule.threshold is None:
        return numbers if rule.above == "close" else -numbers
    return np.where((numbers > rule.threshold) == (rule.above == "close"), 1.0, -1.0)


def pose(row: Array) -> Array:
    """Position and axis-angle [6] of a position and the first two columns of a rotation [9].

    The columns are made orthonormal first (Zhou et al. 2019, "On the Continuity of Rotation Representations").

    Raises:
        PolicyError: the columns are parallel or zero, so that they name no rotation.
    """
    from scipy.spatial.transform import Rotation

    first, second = row[3:6], row[6:9]
    norm = float(np.linalg.norm(first))
    rest = second - (first @ second) / max(norm, 1e-9) ** 2 * first
    if norm < 1e-6 or np.linalg.norm(rest) < 1e-6:
        raise PolicyError("the policy server's answer holds a rotation whose two columns are parallel or zero")
    x, y = first / norm, rest / np.linalg.norm(rest)
    turn = Rotation.from_matrix(np.column_stack([x, y, np.cross(x, y)]))
    return np.concatenate([row[:3], turn.as_rotvec()])
