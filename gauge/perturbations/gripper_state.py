"""Gripper state: the hand starts with another opening."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gauge.core.items import Value
from gauge.perturbations.base import NumericPerturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class GripperState(StartPerturbation, NumericPerturbation):
    """The opening as a fraction (0 closed, 1 open), held while the scene settles and until the policy acts.

    Without it the hand opens while the scene settles, as LIBERO's own evaluation lets it.
    """

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 1.0
    mutable: ClassVar[bool] = False

    def validate(self, value: object) -> Value:
        """A fraction, or the default."""
        if isinstance(value, str) and value == self.default:
            return value
        return super().validate(value)

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Place the fingers and command them to stay."""
        if value != self.default:
            edits.place_fingers(float(value))
