"""Placed object color: what the target is put on or into, in one plain colour."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.perturbations.appearance import ObjectColor


@dataclass(frozen=True)
class PlacedObjectColor(ObjectColor):
    """The second thing of the goal's first predicate."""

    role: ClassVar[str] = "placed"
    touches: ClassVar[str] = "the look of the placed object"
