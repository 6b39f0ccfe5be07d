"""Distractor distance: two small objects at one distance from the target."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations.base import NumericPerturbation
from gauge.perturbations.distraction import Distraction, kinds, strangers
from gauge.perturbations.places import origins
from gauge.perturbations.roles import Roles, roles

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

COUNT = 2


@dataclass(frozen=True)
class DistractorDistance(Distraction, NumericPerturbation):
    """Two unrelated small objects whose origins are that far (m) from the target's, on any side of it."""

    touches: ClassVar[str] = "the distractors"
    low: ClassVar[float] = 0.10
    high: ClassVar[float] = 0.40

    def validate(self, value: object) -> Value:
        """A distance, or the default."""
        if isinstance(value, str) and value == self.default:
            return value
        return super().validate(value)

    def chosen(self, task: Roles, instruction: str, value: Value) -> list[str]:
        """Two small types; a target that is fixed has no point to measure from."""
        if not task.movable:
            raise NotApplicableError(f"{self.attribute}: {task.target} is fixed in the scene and too large to be near")
        small = [kind for kind in strangers(task, instruction) if kinds()[kind]["size"] == "small"]
        return self.drawn(small, COUNT, task)

    def spot(self, edits: "SceneEdits", value: Value, rng: np.random.Generator) -> NDArray[np.float64]:
        """A place (2, m) at the distance from the target, in a drawn direction."""
        target = origins(edits.scene)[roles(edits.scene.task.bddl_path).target][:2]
        angle = rng.uniform(-np.pi, np.pi)
        return np.asarray(target + float(value) * np.array([np.cos(angle), np.sin(angle)]))
