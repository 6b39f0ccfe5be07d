"""Normalisation of proprioception and arm actions, whose statistics travel inside the checkpoint."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import ACTION_DIM
from gauge.errors import GaugeError

Array = NDArray[np.float64]
STATE_DIM = 8
ARM_DIM = ACTION_DIM - 1
LEAST_STATE = 1e-3  # m or rad: what varies less tells nothing, and is not to be blown up
LEAST_ACTION = 0.05  # of the largest command
SIZES = {"state_mean": STATE_DIM, "state_std": STATE_DIM, "action_mean": ARM_DIM, "action_std": ARM_DIM}


@dataclass(frozen=True)
class Scaling:
    """Means and standard deviations over the training frames: of the state [8] and of the arm's deltas [6]."""

    state_mean: Array
    state_std: Array
    action_mean: Array
    action_std: Array

    @classmethod
    def of(cls, states: Array, actions: Array) -> "Scaling":
        """The statistics of states [N, 8] and actions [N, 7]; a spread too small to matter is set to a least one."""
        arm = actions[:, :ARM_DIM]
        return cls(
            states.mean(axis=0),
            np.maximum(states.std(axis=0), LEAST_STATE),
            arm.mean(axis=0),
            np.maximum(arm.std(axis=0), LEAST_ACTION),
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any], where: str) -> "Scaling":
        """The statistics of a checkpoint; `where` names it in errors.

        Raises:
            GaugeError: some are missing, not finite, of another size, or a spread that is not positive.
        """
        missing = [name for name in SIZES if name not in data]
        if missing:
            raise GaugeError(
                f"{where} lacks the statistics {', '.join(missing)}, without which its actions have no unit"
            )
        try:
            found = {name: np.array(data[name], dtype=np.float64) for name in SIZES}
        except (TypeError, ValueError) as error:
            raise GaugeError(f"{where}: a statistic is no list of numbers ({error})") from error
        for name, values in found.items():
            if values.shape != (SIZES[name],) or not np.isfinite(values).all():
                raise GaugeError(f"{where}: {name} is not {SIZES[name]} finite numbers")
            if name.endswith("std") and not (values > 0).all():
                at = int(np.argmin(values))
                raise GaugeError(f"{where}: {name}[{at}] is {values[at]:g}; a standard deviation is more than zero")
        return cls(**found)

    def to_json(self) -> dict[str, list[float]]:
        """Plain data."""
        return {name: getattr(self, name).tolist() for name in SIZES}

    def state(self, states: Array) -> NDArray[np.float32]:
        """Proprioception [..., 8] as the network takes it."""
        found: NDArray[np.float32] = ((states - self.state_mean) / self.state_std).astype(np.float32)
        return found

    def arm(self, actions: Array) -> NDArray[np.float32]:
        """Actions [..., 7] as the network answers them; the gripper stays."""
        found = np.array(actions, dtype=np.float32)
        found[..., :ARM_DIM] = (actions[..., :ARM_DIM] - self.action_mean) / self.action_std
        return found

    def actions(self, answer: NDArray[np.float32]) -> Array:
        """An answer [..., 7] as actions: deltas within [-1, 1], and a gripper that is open (-1) or closed (+1)."""
        found = np.empty(answer.shape, dtype=np.float64)
        found[..., :ARM_DIM] = np.clip(answer[..., :ARM_DIM] * self.action_std + self.action_mean, -1.0, 1.0)
        found[..., ARM_DIM] = np.where(answer[..., ARM_DIM] > 0, 1.0, -1.0)
        return found
