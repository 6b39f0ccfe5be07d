"""Long things that lie on the table along x, described by widths along their length: pens, fruit, rolls.

Also the grip that cutlery and tools share.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gauge.objects.makers.vessels import Range
from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.part import Part, rod


@dataclass(frozen=True, slots=True)
class Lying:
    """A family of bodies along x, millimetres, lying on the table: length, half width, half height over half width.

    Attributes:
        stations: outline along the length; shares of half width.
        cap: from which share of the length the second island begins.
        power: exponent of the cross-section.
        bend: range of the sideways bow over the length.
    """

    length: Range
    half: Range
    stations: Sequence[tuple[float, Range]]
    flat: Range = (1.0, 1.0)
    cap: float = 1.0
    power: float = 2.0
    bend: Range = (0.0, 0.0)
    sides: int = 16

    def __call__(self, d: Draw) -> Recipe:
        """One body."""
        length, half, flat, bend = d.mm(*self.length), d.mm(*self.half), d(*self.flat), d(*self.bend)
        shares = np.array([at for at, _ in self.stations])
        widths = np.array([d(*span) for _, span in self.stations])
        fine = np.unique(np.concatenate([shares, np.linspace(0, 1, 15)])) if len(shares) > 3 else shares
        size = np.interp(fine, shares, widths) * half
        bow = bend * length * (4 * fine * (1 - fine) - 0.6)
        low = half * flat * float(widths.max())
        table = [(x * length, w, w * flat, low, y) for x, w, y in zip(fine - 0.5, size, bow, strict=True)]
        skins = ["cap" if x >= self.cap else "main" for x in (fine[:-1] + fine[1:]) / 2]
        return Recipe(
            (rod(table, self.power, self.sides, bands=skins),),
            tags=("elongated",) if length > 4 * half else (),
            lies=True,
        )


def _ends(middle: Range = (1, 1)) -> list[tuple[float, Range]]:
    """A body with rounded ends."""
    return [
        (0, (0.25, 0.35)),
        (0.06, (0.62, 0.7)),
        (0.18, (0.9, 0.96)),
        (0.5, middle),
        (0.82, (0.9, 0.96)),
        (0.94, (0.62, 0.7)),
        (1, (0.25, 0.35)),
    ]


def _oval(point: float = 1.0) -> list[tuple[float, Range]]:
    """An egg lying down; `point` below 1 sharpens the right end."""
    at = np.linspace(0, 1, 11)
    full = np.sqrt(np.maximum(1 - (2 * at - 1) ** 2, 0.02)) * np.where(at > 0.5, 1 - (1 - point) * (2 * at - 1) ** 2, 1)
    return [(float(x), (float(r), float(r))) for x, r in zip(at, full, strict=True)]


# fmt: off
LYING: dict[str, Lying] = {
    "pen": Lying((125, 160), (4.5, 7.5), [(0, (0.6, 0.8)), (0.03, (0.9, 1)), (0.62, (1, 1)), (0.63, (0.8, 0.95)),
                 (0.9, (0.8, 0.95)), (1, (0.15, 0.3))], cap=0.62),
    "marker": Lying((115, 150), (7.5, 12), [(0, (0.85, 0.95)), (0.02, (1, 1)), (0.66, (1, 1)), (0.67, (1.02, 1.15)),
                    (0.98, (1.0, 1.1)), (1, (0.85, 0.95))], cap=0.665),
    "pencil": Lying((105, 175), (4.5, 6.5), [(0, (0.95, 1)), (0.86, (1, 1)), (1, (0.12, 0.2))], cap=0.9, sides=6),
    "crayon": Lying((75, 115), (5, 9), [(0, (0.95, 1)), (0.85, (1, 1)), (0.86, (0.8, 0.9)), (1, (0.2, 0.4))], cap=0.86),
    "egg": Lying((50, 64), (20, 24), _oval(0.8)),
    "lemon": Lying((62, 92), (24, 31), [(0, (0.12, 0.16)), (0.06, (0.26, 0.36)), (0.16, (0.68, 0.76)), (0.3, (0.92,
        0.96)),
                   (0.5, (1, 1)), (0.7, (0.92, 0.96)), (0.84, (0.68, 0.76)), (0.94, (0.26, 0.36)), (1, (0.12, 0.16))]),
    "potato": Lying((65, 110), (24, 34), [(0, (0.2, 0.25)), (0.05, (0.45, 0.52)), (0.15, (0.7, 0.8)), (0.3, (0.9, 1.0)),
                    (0.6, (0.85, 1.0)), (0.8, (0.72, 0.85)), (0.93, (0.45, 0.55)), (1, (0.2, 0.25))], (0.75, 0.95)),
    "kiwi": Lying((54, 74), (22, 28), _oval(), (0.85, 0.95)),
    "avocado": Lying((80, 115), (28, 35), [(0, (0.25, 0.35)), (0.08, (0.65, 0.72)), (0.3, (0.98, 1)), (0.5, (0.92, 1)),
                     (0.78, (0.55, 0.66)), (0.94, (0.38, 0.46)), (1, (0.12, 0.2))]),
    "banana": Lying((130, 180), (14, 19), [(0, (0.2, 0.3)), (0.05, (0.4, 0.5)), (0.16, (0.8, 0.9)), (0.5, (1, 1)),
                    (0.82, (0.8, 0.9)), (0.93, (0.35, 0.45)), (1, (0.25, 0.32))], (0.9, 1.0), cap=0.93, bend=(0.12,
                        0.22),
                    power=2.4),
    "carrot": Lying((110, 175), (11, 19), [(0, (0.5, 0.6)), (0.04, (0.85, 0.95)), (0.2, (1, 1)), (0.7, (0.55, 0.7)),
                    (1, (0.1, 0.15))]),
    "cucumber": Lying((120, 185), (14, 22), _ends(), bend=(0.0, 0.06)),
    "eggplant": Lying((110, 165), (22, 33), [(0, (0.3, 0.4)), (0.1, (0.8, 0.9)), (0.3, (1, 1)), (0.7, (0.6, 0.75)),
                      (0.9, (0.42, 0.5)), (0.91, (0.25, 0.3)), (1, (0.12, 0.2))], cap=0.88),
    "corn": Lying((110, 170), (17, 26), [(0, (0.5, 0.6)), (0.08, (0.85, 0.95)), (0.5, (1, 1)), (0.85, (0.7, 0.85)),
                  (1, (0.25, 0.35))]),
    "sausage": Lying((90, 150), (9, 16), _ends(), bend=(0.03, 0.12)),
    "baguette": Lying((130, 200), (18, 28), _ends(), (0.75, 0.95)),
    "flashlight": Lying((95, 160), (11, 16), [(0, (0.85, 0.95)), (0.03, (1, 1)), (0.68, (1, 1)), (0.76, (1.3, 1.8)),
                        (1, (1.3, 1.8))], cap=0.72),
    "battery": Lying((45, 65), (9, 17), [(0, (1, 1)), (0.93, (1, 1)), (0.94, (0.35, 0.42)), (1, (0.35, 0.42))],
        cap=0.68),
    "toothpaste": Lying((110, 165), (18, 27), [(0, (1, 1)), (0.1, (1, 1)), (0.78, (0.7, 0.85)), (0.8, (0.4, 0.5)),
                        (1, (0.4, 0.5))], (0.5, 0.75), cap=0.8),
    "rolling pin": Lying((150, 200), (14, 21), [(0, (0.4, 0.5)), (0.02, (0.5, 0.6)), (0.16, (0.4, 0.5)), (0.17, (0.95,
        1)),
                         (0.83, (0.95, 1)), (0.84, (0.4, 0.5)), (0.98, (0.5, 0.6)), (1, (0.4, 0.5))]),
    "dumbbell": Lying((95, 150), (19, 29), [(0, (0.9, 0.97)), (0.03, (1, 1)), (0.26, (1, 1)), (0.28, (0.42, 0.55)),
                      (0.72, (0.42, 0.55)), (0.74, (1, 1)), (0.97, (1, 1)), (1, (0.9, 0.97))]),
    "bone": Lying((85, 140), (14, 22), [(0, (0.6, 0.7)), (0.06, (1, 1)), (0.18, (0.9, 1)), (0.28, (0.48, 0.6)),
                  (0.72, (0.48, 0.6)), (0.82, (0.9, 1)), (0.94, (1, 1)), (1, (0.6, 0.7))], (0.8, 1.0)),
}
# fmt: on


def handle(d: Draw, length: float, half: float, thick: float, skin: str = "main", power: float = 2.6) -> Part:
    """A grip from x = 0 to -length, on the table, a little wider towards its end."""
    swell = d(1.1, 1.7)
    table = [
        (-length, half * 0.7, thick * 0.8, thick),
        (-length * 0.94, half * swell, thick, thick),
        (-length * 0.6, half * d(0.95, swell), thick, thick),
        (-length * 0.12, half * 0.9, thick, thick),
        (0.0, half * 0.7, thick * 0.8, thick),
    ]
    return rod(table, power, skin=skin)
