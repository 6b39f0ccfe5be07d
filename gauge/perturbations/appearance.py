"""What the four attributes of object appearance share: one thing of the task, painted or dressed."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations import materials, textures
from gauge.perturbations.base import ChoicePerturbation, Perturbation, StartPerturbation
from gauge.perturbations.roles import Roles, roles

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

COLORS: dict[str, tuple[float, float, float]] = {
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
    "yellow": (1.0, 1.0, 0.0),
    "cyan": (0.0, 1.0, 1.0),
    "magenta": (1.0, 0.0, 1.0),
    "orange": (1.0, 0.5, 0.0),
    "purple": (0.5, 0.0, 0.5),
    "white": (1.0, 1.0, 1.0),
    "black": (0.0, 0.0, 0.0),
}


@dataclass(frozen=True)
class Appearance(StartPerturbation):
    """The look of the thing in `role`."""

    role: ClassVar[str]

    def fit(self, task: Roles, instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse a task without such a thing, or whose instruction knows it by its colour."""
        thing = task.name(self.role)
        if not thing:
            raise NotApplicableError(f"{self.attribute}: the goal puts nothing onto or into an object")
        told = set(instruction.lower().split())
        own = [word for word in task.types[thing].split("_") if word in COLORS and word in told]
        if own:
            raise NotApplicableError(f"{self.attribute}: the instruction calls {thing} {own[0]}, which must stay true")
        if rival := sorted(told & set(map(str, values)) & set(COLORS)):
            raise NotApplicableError(f"{self.attribute}={rival[0]}: the instruction calls something else {rival[0]}")

    def thing(self, edits: "SceneEdits") -> str:
        """The name of the thing in the scene."""
        return roles(edits.scene.task.bddl_path).name(self.role)


@dataclass(frozen=True)
class ObjectColor(Appearance, ChoicePerturbation):
    """The thing in one plain colour; its shape, shading and transparency stay."""

    choices: ClassVar[tuple[str, ...]] = tuple(COLORS)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Paint it, or take the paint off for the default."""
        materials.paint(edits, self.thing(edits), None if value == self.default else COLORS[str(value)])


@dataclass(frozen=True)
class ObjectTexture(Appearance, Perturbation):
    """The thing with another of LIBERO's textures where its own was."""

    def validate(self, value: object) -> Value:
        """The name of an installed texture, or the default."""
        return str(value) if value == self.default else textures.check(self.attribute, value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Dress it, or give it its own texture back for the default."""
        materials.dress(edits, self.thing(edits), None if value == self.default else str(value))
