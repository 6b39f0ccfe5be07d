"""Background surface: what the objects stand on, with another texture."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations import materials, textures
from gauge.perturbations.base import Perturbation, StartPerturbation
from gauge.perturbations.roles import Roles

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

# What each of LIBERO's problems has there already, where that is one of its own textures.
OWN = {
    "libero_tabletop_manipulation": "martin_novak_wood_table",
    "libero_kitchen_tabletop_manipulation": "martin_novak_wood_table",
    "libero_floor_manipulation": "light-gray-floor-tile",
}


@dataclass(frozen=True)
class BackgroundSurface(StartPerturbation, Perturbation):
    """The table's top, or the floor where there is no table; its shape and friction stay."""

    touches: ClassVar[str] = "the floor or the work surface"

    def validate(self, value: object) -> Value:
        """The name of an installed texture, or the default."""
        return str(value) if value == self.default else textures.check(self.attribute, value)

    def fit(self, task: Roles, instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse the texture that the surface has already."""
        if values == (OWN.get(task.problem),):
            raise NotApplicableError(f"{self.attribute}={values[0]}: the surface has this texture already")

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Replace the pixels of the surface's texture."""
        materials.retexture(edits, materials.surface(edits), None if value == self.default else str(value))
