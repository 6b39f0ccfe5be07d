"""Light specular: how bright the highlights of every light are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gauge.core.items import Value
from gauge.perturbations.base import NumericPerturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class LightSpecular(NumericPerturbation, StartPerturbation):
    """The specular level of every light, the same in red, green and blue."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 5.0

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Write `light_specular` [lights, 3]; the default leaves each light its own."""
        own = edits.original("light_specular")
        edits.set("light_specular", own if value == self.default else np.full_like(own, float(value)))
