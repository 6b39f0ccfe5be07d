"""Image shift: the frame slides to the right, the strip it leaves is black."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import EachImage, NumericPerturbation


@dataclass(frozen=True)
class ImageShift(NumericPerturbation, EachImage):
    """Every camera's frame shifts right by a fraction of its width (negative: left); zero fill."""

    low: ClassVar[float] = -0.5
    high: ClassVar[float] = 0.5

    def image(self, image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The shifted frame."""
        width = image.shape[1]
        shift_px = round(float(value) * width)
        shifted = np.zeros_like(image)
        if shift_px >= 0:
            shifted[:, shift_px:] = image[:, : width - shift_px]
        else:
            shifted[:, :shift_px] = image[:, -shift_px:]
        return shifted
