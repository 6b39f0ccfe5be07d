"""Background surface: what the objects stand on, with another texture."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.perturbations import materials, textures
from gauge.perturbations.base import Perturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class BackgroundSurface(StartPerturbation, Perturbation):
    """The table's top, or the floor where there is no table; its shape and friction stay."""

    touches: ClassVar[str] = "the floor or the work surface"

    def validate(self, value: object) -> Value:
        """The name of an installed texture, or the default."""
        return str(value) if value == self.default else textures.check(self.attribute, value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Replace the pixels of the surface's texture."""
        materials.retexture(edits, materials.surface(edits), None if value == self.default else str(value))
