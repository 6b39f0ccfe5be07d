"""Skins: one picture per object, with an island for every kind of surface. The words on labels mean nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIZE_PX = 256
MARGIN_PX = 4  # what filtering may draw from the neighbouring island
Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

COLORS = {
    "red": (196, 38, 34),
    "orange": (230, 126, 34),
    "yellow": (238, 200, 50),
    "green": (62, 142, 65),
    "teal": (38, 150, 150),
    "blue": (46, 92, 180),
    "purple": (122, 66, 150),
    "pink": (232, 140, 165),
    "brown": (124, 78, 46),
    "tan": (196, 156, 110),
    "cream": (238, 226, 196),
    "white": (240, 240, 238),
    "grey": (132, 134, 138),
    "black": (42, 42, 46),
    "silver": (186, 190, 196),
}
WORDS = ("ORLA", "MIVO", "TANU", "KEDO", "FELI", "ZUMA", "RIVO", "PALU", "NEVA", "DORI", "LUMO", "SAKI")


@dataclass(frozen=True, slots=True)
class Paint:
    """How an island is painted: names of two colours and of a pattern."""

    color: str
    pattern: str = "plain"
    second: str = "white"


def rectangles(islands: tuple[str, ...]) -> dict[str, tuple[int, int, int, int]]:
    """Left, top, right, bottom in pixels: the first island gets the upper half, the others share the lower."""
    first, *others = islands
    half = SIZE_PX // 2 if others else SIZE_PX
    placed = {first: (0, 0, SIZE_PX, half)}
    for k, name in enumerate(others):
        placed[name] = (k * SIZE_PX // len(others), half, (k + 1) * SIZE_PX // len(others), SIZE_PX)
    return placed


def picture(islands: tuple[str, ...], paints: Mapping[str, Paint], rng: np.random.Generator) -> Pixels:
    """The texture, uint8 [256, 256, 3]."""
    image = np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8)
    for name, (left, top, right, bottom) in rectangles(islands).items():
        paint = paints[name]
        pattern = PATTERNS[paint.pattern]
        base, second = (np.array(COLORS[color], float) for color in (paint.color, paint.second))
        painted = pattern(bottom - top, right - left, base, second, rng)
        image[top:bottom, left:right] = np.clip(np.rint(painted), 0, 255).astype(np.uint8)
    return image


def _flat(height: int, width: int, color: Floats) -> Floats:
    return np.broadcast_to(color, (height, width, 3)).copy()


def _grid(height: int, width: int) -> tuple[Floats, Floats]:
    """Height v (0 at the top) and place along u of every pixel."""
    v, u = np.mgrid[0:height, 0:width]
    return (v + 0.5) / height, (u + 0.5) / width


def plain(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """One colour with a little grain."""
    return _flat(height, width, base) + rng.integers(-3, 4, (height, width, 1))


def speckle(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Grains of the second colour."""
    grains = rng.random((height, width, 1)) < 0.06
    return np.where(grains, 0.6 * base + 0.4 * second, _flat(height, width, base)) + rng.integers(
        -5, 6, (height, width, 1)
    )


def glaze(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """A glazed pot: a band of the second colour below the rim, or none."""
    image = plain(height, width, base, second, rng)
    v, _ = _grid(height, width)
    start, thick = rng.uniform(0.03, 0.2), rng.uniform(0.0, 0.2)
    band = (v > start) & (v < start + thick)
    image[band] = second
    return image


def stripes(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Rings of the second colour."""
    v, _ = _grid(height, width)
    count = rng.integers(3, 8)
    return np.where(((v * count) % 1 < 0.4)[..., None], second, base)


def pinstripes(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Upright lines of the second colour."""
    _, u = _grid(height, width)
    count = rng.integers(8, 20)
    return np.where(((u * count) % 1 < 0.35)[..., None], second, base)


def dots(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Dots in rows."""
    v, u = _grid(height, width)
    count = rng.integers(5, 10)
    dv, du = (v * count / 2) % 1 - 0.5, (u * count) % 1 - 0.5
    return np.where((dv**2 + du**2 < 0.09)[..., None], second, base)


def checks(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """A chequered board."""
    v, u = _grid(height, width)
    count = rng.integers(4, 9)
    odd = (np.floor(v * count) + np.floor(u * count)) % 2 == 1
    return np.where(odd[..., None], second, base)


def marble(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Veins: a sum of a few waves, folded."""
    v, u = _grid(height, width)
    wave = sum(
        np.sin(2 * np.pi * (fu * u + fv * v) + phase)
        for fu, fv, phase in zip(rng.integers(1, 6, 4), rng.integers(-3, 4, 4), rng.uniform(0, 6, 4), strict=True)
    )
    share = np.abs(wave)[..., None] / 4
    mixed: Floats = base * (1 - share) + second * share
    return mixed


def wood(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Grain along u."""
    v, u = _grid(height, width)
    bend = 0.03 * np.sin(2 * np.pi * (u + rng.uniform()))
    grain = 0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(6, 12) * (v + bend))
    image: Floats = base * (0.82 + 0.18 * grain[..., None]) + rng.integers(-4, 5, (height, width, 1))
    return image


def timber(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Grain along v."""
    return wood(width, height, base, second, rng).transpose(1, 0, 2)


def brushed(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Metal brushed along u."""
    return _flat(height, width, base) + rng.integers(-12, 13, (height, 1, 1)) + rng.integers(-3, 4, (height, width, 1))


def fruit(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """Skin of a fruit: a blush of the second colour and pale pores."""
    v, u = _grid(height, width)
    blush = 0.25 * (0.5 + 0.5 * np.sin(2 * np.pi * (u + rng.uniform()) + 2 * v))[..., None]
    image = base * (1 - blush) + second * blush
    pores = rng.random((height, width)) < 0.01
    image[pores] = 0.7 * image[pores] + 70
    return image


def label(height: int, width: int, base: Floats, second: Floats, rng: np.random.Generator) -> Floats:
    """A printed pack: a panel with a name, lines of small print on the other side."""
    import cv2

    image = plain(height, width, base, second, rng)
    low, high = int(height * rng.uniform(0.1, 0.2)), int(height * rng.uniform(0.75, 0.9))
    image[low:high, :] = second
    ink = base if abs(base.sum() - second.sum()) > 150 else np.full(3, 30.0 if second.sum() > 380 else 240.0)
    word, scale = WORDS[rng.integers(len(WORDS))], width / 256 * rng.uniform(0.7, 1.0)
    for centre in (width // 4, 3 * width // 4):
        (wide, tall), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_DUPLEX, scale, 2)
        place = (centre - wide // 2, (low + high) // 2)
        cv2.putText(image, word, place, cv2.FONT_HERSHEY_DUPLEX, scale, tuple(map(float, ink)), 2, cv2.LINE_AA)
        for line in range(3):
            y = place[1] + tall // 2 + 6 + 7 * line
            if y + 2 < high:
                image[y : y + 2, centre - wide // 2 : centre + wide // 2 - 8 * line] = ink
    return image


Pattern = Callable[[int, int, Floats, Floats, np.random.Generator], Floats]
PATTERNS: dict[str, Pattern] = {
    made.__name__: made
    for made in (plain, speckle, glaze, stripes, pinstripes, dots, checks, marble, wood, timber, brushed, fruit, label)
}
