"""Target object color: the object to be handled, in one plain colour."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.appearance import ObjectColor


@dataclass(frozen=True)
class TargetObjectColor(ObjectColor):
    """The first thing of the goal's first predicate."""

    role: ClassVar[str] = "target"
    touches: ClassVar[str] = "the look of the target object"
