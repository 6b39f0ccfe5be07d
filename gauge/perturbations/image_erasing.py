"""Image erasing: three patches of every frame are replaced by noise."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import ImageFilter, NumericPerturbation, ObservationPerturbation
from gauge.perturbations.patches import Patches

PATCHES = 3


@dataclass(frozen=True)
class ImageErasing(NumericPerturbation, ObservationPerturbation):
    """Three patches that together cover this share of the frame, filled with uniform noise.

    Their places hold for the whole episode, on every camera; the noise is drawn anew for every frame.
    """

    low: ClassVar[float] = 0.0
    high: ClassVar[float] = 0.9

    def filter(self) -> ImageFilter:
        """Patches whose places are drawn with the episode's first frame."""
        patches = Patches(PATCHES)

        def erase(image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
            seen = image.copy()
            for rows, columns in patches.boxes(image.shape[:2], float(value), rng):
                seen[rows, columns] = rng.integers(256, size=seen[rows, columns].shape, dtype=np.uint8)
            return seen

        return erase
