"""Image occlusions: one black rectangle hides a part of every frame."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import ImageFilter, NumericPerturbation, ObservationPerturbation
from gauge.perturbations.patches import Patches


@dataclass(frozen=True)
class ImageOcclusions(NumericPerturbation, ObservationPerturbation):
    """A black rectangle of this share of the frame, at one drawn place for the whole episode, on every camera."""

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 0.9

    def filter(self) -> ImageFilter:
        """One patch whose place is drawn with the episode's first frame."""
        patches = Patches(1)

        def hide(image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
            seen = image.copy()
            for rows, columns in patches.boxes(image.shape[:2], float(value), rng):
                seen[rows, columns] = 0
            return seen

        return hide
