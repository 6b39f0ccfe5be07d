"""Five degradations of a frame: floats [H, W, 3] in [0, 1], of any size.

Strengths are LIBERO-Plus's at severities 2, 4, 6, 8 and 10 (`env_wrapper.py`), in pixels of a 256-pixel frame.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SEVERITIES = (2.0, 4.0, 6.0, 8.0, 10.0)
REFERENCE_PX = 256
MOTION = ((8, 3), (12, 5), (18, 8), (25, 12), (35, 20))  # length, standard deviation
GAUSSIAN = ((2,), (4,), (6,), (8,), (10,))  # standard deviation
ZOOM = ((1.16, 0.01), (1.26, 0.02), (1.36, 0.01), (1.46, 0.02), (1.56, 0.03))  # largest zoom, step
FOG = ((1.0, 2.8), (2.0, 2.2), (3.0, 1.8), (4.0, 1.5), (5.0, 1.3))  # density, decay of the roughness
GLASS = ((0.7, 1, 3), (1.0, 2, 2), (1.3, 3, 2), (1.8, 4, 2), (2.5, 5, 1))  # blur, reach, passes
STEEPEST_DEG = 45.0  # motion blur is drawn between -45 and 45 degrees from the horizontal


def _at(table: tuple[tuple[float, ...], ...], severity: float) -> list[float]:
    """The parameters at a severity, linear between the stated ones."""
    return [float(np.interp(severity, SEVERITIES, column)) for column in zip(*table, strict=True)]


def _scale(image: Array) -> float:
    height, width = image.shape[:2]
    return float(min(height, width)) / REFERENCE_PX


def _blur(image: Array, sigma: float) -> Array:
    import cv2

    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(sigma, 1e-3), borderType=cv2.BORDER_REPLICATE))


def gaussian_blur(image: Array, severity: float, rng: np.random.Generator) -> Array:
    """Out of focus."""
    (sigma,) = _at(GAUSSIAN, severity)
    return _blur(image, sigma * _scale(image))


def motion_blur(image: Array, severity: float, rng: np.random.Generator) -> Array:
    """Smeared along a straight line in a drawn direction, weaker with distance."""
    import cv2

    length, sigma = (part * _scale(image) for part in _at(MOTION, severity))
    angle = np.radians(rng.uniform(-STEEPEST_DEG, STEEPEST_DEG))
    reach = max(round(2 * length), 1)
    steps = np.arange(reach + 1)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1))
    columns, rows = np.rint(steps * np.cos(angle)).astype(int), np.rint(steps * np.sin(angle)).astype(int)
    np.add.at(kernel, (reach + rows, reach + columns), np.exp(-(steps**2) / (2.0 * sigma**2)))
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE))


def zoom_blur(image: Array, severity: float, rng: np.random.Generator) -> Array:
    """The camera rushes forward: the mean of the frame and of ever larger zooms into its centre."""
    import cv2

    largest, step = _at(ZOOM, severity)
    height, width = image.shape[:2]
    center = ((width - 1) / 2, (height - 1) / 2)
    zooms = np.arange(1.0, largest, step)
    total = image.copy()
    for zoom in zooms:
        turn = cv2.getRotationMatrix2D(center, 0.0, float(zoom))
        total += cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(total / (len(zooms) + 1))


def fog(image: Array, severity: float, rng: np.random.Generator) -> Array:
    """White clouds of fractal shape, drawn anew for every frame."""
    density, decay = _at(FOG, severity)
    height, width = image.shape[:2]
    size = max(2, 1 << (max(height, width) - 1).bit_length())
    clouds = plasma(size, decay, rng)[:height, :width, None]
    brightest = float(image.max())
    return np.asarray((image + density * clouds) * brightest / (brightest + density))


def glass_blur(image: Array, severity: float, rng: np.random.Generator) -> Array:
    """Seen through frosted glass: blurred, pixels displaced at random, blurred again."""
    sigma, reach, passes = _at(GLASS, severity)
    sigma, reach = sigma * _scale(image), max(1, round(reach * _scale(image)))
    height, width = image.shape[:2]
    seen = _blur(image, sigma)
    rows, columns = np.mgrid[:height, :width]
    for _ in range(max(1, round(passes))):
        shift = rng.integers(-reach, reach, size=(2, height, width))
        seen = seen[np.clip(rows + shift[0], 0, height - 1), np.clip(columns + shift[1], 0, width - 1)]
    return _blur(seen, sigma)


def plasma(size: int, decay: float, rng: np.random.Generator) -> Array:
    """A fractal height map [size, size] in [0, 1] by the diamond-square rule; `size` is a power of two."""
    heights = np.zeros((size, size))
    step, rough = size, 100.0

    def wobble(total: Array) -> Array:
        return np.asarray(total / 4.0 + rough * rng.uniform(-rough, rough, total.shape))

    while step >= 2:
        half = step // 2
        corners = heights[::step, ::step]
        sums = corners + np.roll(corners, -1, axis=0)
        heights[half::step, half::step] = wobble(sums + np.roll(sums, -1, axis=1))
        middles = heights[half::step, half::step]
        along = middles + np.roll(middles, 1, axis=0) + corners + np.roll(corners, -1, axis=1)
        heights[::step, half::step] = wobble(along)
        across = middles + np.roll(middles, 1, axis=1) + corners + np.roll(corners, -1, axis=0)
        heights[half::step, ::step] = wobble(across)
        step, rough = half, rough / decay
    heights -= heights.min()
    return np.asarray(heights / heights.max())


KINDS: dict[str, Callable[[Array, float, np.random.Generator], Array]] = {
    "motion_blur": motion_blur,
    "gaussian_blur": gaussian_blur,
    "zoom_blur": zoom_blur,
    "fog": fog,
    "glass_blur": glass_blur,
}
