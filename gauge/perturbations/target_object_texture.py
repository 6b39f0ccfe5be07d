"""Target object texture: the object to be handled, with another texture."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.appearance import ObjectTexture


@dataclass(frozen=True)
class TargetObjectTexture(ObjectTexture):
    """The first thing of the goal's first predicate."""

    role: ClassVar[str] = "target"
    touches: ClassVar[str] = "the look of the target object"
