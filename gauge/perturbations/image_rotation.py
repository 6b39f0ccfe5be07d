"""Image rotation: the frame turns about its centre, the corners it leaves are black."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import EachImage, NumericPerturbation


@dataclass(frozen=True)
class ImageRotation(NumericPerturbation, EachImage):
    """Every camera's frame turns counter-clockwise (negative: clockwise); bilinear, zero fill."""

    low: ClassVar[float] = -180.0
    high: ClassVar[float] = 180.0

    def image(self, image: NDArray[np.uint8], value: Value, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The turned frame."""
        import cv2

        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), float(value), 1.0)
        return np.asarray(cv2.warpAffine(image, turn, (width, height), flags=cv2.INTER_LINEAR), dtype=np.uint8)
