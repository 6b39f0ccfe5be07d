"""Robot initial state: the arm starts in another configuration."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@cache
def configurations() -> dict[int, NDArray[np.float64]]:
    """Joint positions [7] (rad) by LIBERO-Plus's index; they are 0.1 to 0.5 rad (norm) from LIBERO's own."""
    text = files("gauge.perturbations").joinpath("robot_initial_states.json").read_text(encoding="utf-8")
    return {int(index): np.array(qpos) for index, qpos in json.loads(text)["qpos"].items()}


@dataclass(frozen=True)
class RobotInitialState(StartPerturbation, Perturbation):
    """An index of LIBERO-Plus's list of initial states (`MountedPanda1` to `MountedPanda500`) that is stored here."""

    mutable: ClassVar[bool] = False

    def validate(self, value: object) -> Value:
        """A stored index, or the default."""
        known = configurations()
        if isinstance(value, bool) or not isinstance(value, int | float) or value not in (self.default, *known):
            allowed = ", ".join(map(str, known))
            raise GaugeError(f"{self.attribute}={value!r} is not a stored index of LIBERO-Plus; allowed: {allowed}")
        return int(value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Start the arm there; the posture that its controller holds follows."""
        if value != self.default:
            edits.place_arm(configurations()[int(value)])
