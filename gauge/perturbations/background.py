"""Background: floor and walls in another pair of LIBERO's own styles."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.errors import GaugeError, unknown
from gauge.perturbations import materials
from gauge.perturbations.base import Perturbation, StartPerturbation
from gauge.perturbations.textures import FLOORS, WALLS

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class Background(StartPerturbation, Perturbation):
    """A floor style and a wall style with a plus between, e.g. `rustic+ceramic`; any pair of LIBERO's is allowed."""

    touches: ClassVar[str] = "the floor or the work surface"

    def validate(self, value: object) -> Value:
        """The pair, or the default."""
        if value == self.default:
            return str(value)
        floor, plus, wall = str(value).partition("+")
        if not plus:
            raise GaugeError(
                f"{self.attribute}={value!r} is not a floor and a wall style, e.g. value.at={self.levels[0]}"
            )
        for kind, name, known in (("floor", floor, FLOORS), ("wall", wall, WALLS)):
            if name not in known:
                raise unknown(f"{kind} style", name, list(known))
        return str(value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Replace the pixels of both textures."""
        own = value == self.default
        floor, _, wall = str(value).partition("+")
        model = edits.scene.model
        materials.retexture(edits, model.mat(materials.FLOOR).id, None if own else FLOORS[floor])
        materials.retexture(edits, model.mat(materials.WALL).id, None if own else WALLS[wall])
