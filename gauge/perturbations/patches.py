"""Rectangles in the frame: where they are is drawn once per episode, how large they are follows the value."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

LONGEST = 2.0  # a side is at most twice the other


@dataclass(slots=True)
class Patches:
    """`count` rectangles, each within its own column of the frame, so that they never overlap."""

    count: int
    draws: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))

    def boxes(self, shape: tuple[int, ...], area: float, rng: np.random.Generator) -> list[tuple[slice, slice]]:
        """Rows and columns of each rectangle; together they cover `area` of a frame of `shape` (height, width)."""
        if not len(self.draws):
            self.draws = rng.random((self.count, 3))
        height, width = shape[0], shape[1]
        edges = np.rint(np.linspace(0, width, self.count + 1)).astype(int)
        return [
            _box(draw, height, left, right - left, area * height * width / self.count)
            for draw, left, right in zip(self.draws, edges[:-1], edges[1:], strict=True)
        ]


def _box(draw: NDArray[np.float64], height: int, left: int, width: int, pixels: float) -> tuple[slice, slice]:
    """A rectangle of `pixels` in the column that starts at `left`; `draw` is shape, row and column in [0, 1]."""
    ratio = LONGEST ** (2.0 * draw[0] - 1.0)
    tall = min(max(np.sqrt(pixels * ratio), pixels / width), height)
    rows = min(round(tall), height)
    columns = min(round(pixels / max(rows, 1)), width)
    top = round(draw[1] * (height - rows))
    start = left + round(draw[2] * (width - columns))
    return slice(top, top + rows), slice(start, start + columns)
