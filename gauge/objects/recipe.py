"""What a family makes from a seed, and the generator that its numbers are drawn from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from gauge.objects.shapes.part import Part
from gauge.objects.skins import Paint

T = TypeVar("T")
MM = 1e-3


class Draw:
    """Numbers of one object: `draw(lo, hi)` is uniform. The shape is drawn before the skin."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def __call__(self, low: float, high: float) -> float:
        """A number between the two."""
        return float(self.rng.uniform(low, high))

    def mm(self, low: float, high: float) -> float:
        """A length: bounds in millimetres, result in metres."""
        return self(low, high) * MM

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return bool(self.rng.random() < probability)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Parts, and paints for islands that are not painted in the family's own colours.

    Attributes:
        cavity: half sizes and centre (x, y, z) of the room inside of a vessel, m; empty if there is none.
        tags: words about the shape (square, lidded, ...).
        lies: whether it lies on the table and is to be turned about y to where it rests.
    """

    parts: tuple[Part, ...]
    paints: Mapping[str, Paint] = field(default_factory=dict)
    cavity: tuple[float, ...] = ()
    tags: tuple[str, ...] = ()
    lies: bool = False
