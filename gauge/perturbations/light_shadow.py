"""Light shadow: every light casts shadows."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.perturbations.base import ChoicePerturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class LightShadow(StartPerturbation, ChoicePerturbation):
    """`on` lets every light cast shadows; LIBERO's own lights cast none."""

    mutable: ClassVar[bool] = False
    choices: ClassVar[tuple[str, ...]] = ("on",)

    def validate(self, value: object) -> Value:
        """`on` or `off`; Hydra reads true and false as switches, so these count too."""
        return super().validate({True: "on", False: "off"}[value] if isinstance(value, bool) else value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Write `light_castshadow` [lights]."""
        edits.set("light_castshadow", edits.original("light_castshadow") | (value == "on"))
