"""Light diffuse: every light of the scene brighter, darker or tinted."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gauge.core.items import Value
from gauge.errors import GaugeError, NotApplicableError
from gauge.perturbations.appearance import COLORS
from gauge.perturbations.base import NumericPerturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.perturbations.roles import Roles
    from gauge.sim.edits import SceneEdits

TINTS: dict[str, tuple[float, float, float]] = {
    "red": (1.0, 0.4, 0.4),
    "green": (0.4, 1.0, 0.4),
    "blue": (0.4, 0.4, 1.0),
    "yellow": (1.0, 1.0, 0.4),
    "warm": (1.0, 0.85, 0.65),
    "cool": (0.7, 0.85, 1.0),
}


@dataclass(frozen=True)
class LightDiffuse(NumericPerturbation, StartPerturbation):
    """The diffuse colour of every light times a factor or an RGB tint; shading follows in the renderer."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 20.0

    def validate(self, value: object) -> Value:
        """A factor within bounds, or the name of a tint."""
        if isinstance(value, str):
            if value not in TINTS:
                raise GaugeError(f"{self.attribute}: unknown tint {value!r}; tints are {', '.join(TINTS)}")
            return value
        return super().validate(value)

    def fit(self, task: "Roles", instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse a tint where the instruction names a colour, which would no longer look like it."""
        named = sorted(COLORS.keys() & set(instruction.lower().split()))
        if named and any(isinstance(value, str) for value in values):
            raise NotApplicableError(f"{self.attribute}: the instruction names a colour ({named[0]}), so no tint")

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Scale `light_diffuse` [lights, 3] from its unperturbed value."""
        scale = np.array(TINTS[value]) if isinstance(value, str) else float(value)
        edits.set("light_diffuse", edits.original("light_diffuse") * scale)
