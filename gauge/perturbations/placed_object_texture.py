"""Placed object texture: what the target is put on or into, with another texture."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.appearance import ObjectTexture


@dataclass(frozen=True)
class PlacedObjectTexture(ObjectTexture):
    """The second thing of the goal's first predicate."""

    role: ClassVar[str] = "placed"
    touches: ClassVar[str] = "the look of the placed object"
