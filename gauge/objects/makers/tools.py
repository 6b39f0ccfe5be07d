"""Long things that lie on the table along x: cutlery, pens, brushes, tools, and fruit that lies down."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.makers.vessels import Range
from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.part import Part, Section, curve, prism, rectangle, rod, vessel
from gauge.objects.shapes.solid import box

Station = tuple[float, Range, Range]  # place along the length as a share, ranges of half width and half height as shares


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
        return Recipe((rod(table, self.power, self.sides, bands=skins),), tags=("elongated",) if length > 4 * half else (), lies=True)


def _ends(middle: Range = (1, 1)) -> list[tuple[float, Range]]:
    """A body with rounded ends."""
    return [(0, (0.25, 0.35)), (0.06, (0.62, 0.7)), (0.18, (0.9, 0.96)), (0.5, middle), (0.82, (0.9, 0.96)),
            (0.94, (0.62, 0.7)), (1, (0.25, 0.35))]


def _oval(point: float = 1.0) -> list[tuple[float, Range]]:
    """An egg lying down; `point` below 1 sharpens the right end."""
    at = np.linspace(0, 1, 11)
    full = np.sqrt(np.maximum(1 - (2 * at - 1) ** 2, 0.02)) * np.where(at > 0.5, 1 - (1 - point) * (2 * at - 1) ** 2, 1)
    return [(float(x), (float(r), float(r))) for x, r in zip(at, full, strict=True)]


LYING: dict[str, Lying] = {
    "pen": Lying((125, 160), (4.5, 7.5), [(0, (0.6, 0.8)), (0.03, (0.9, 1)), (0.62, (1, 1)), (0.63, (0.8, 0.95)),
                 (0.9, (0.8, 0.95)), (1, (0.15, 0.3))], cap=0.62),
    "marker": Lying((115, 150), (7.5, 12), [(0, (0.85, 0.95)), (0.02, (1, 1)), (0.66, (1, 1)), (0.67, (1.02, 1.15)),
                    (0.98, (1.0, 1.1)), (1, (0.85, 0.95))], cap=0.665),
    "pencil": Lying((105, 175), (4.5, 6.5), [(0, (0.95, 1)), (0.86, (1, 1)), (1, (0.12, 0.2))], cap=0.9, sides=6),
    "crayon": Lying((75, 115), (5, 9), [(0, (0.95, 1)), (0.85, (1, 1)), (0.86, (0.8, 0.9)), (1, (0.2, 0.4))], cap=0.86),
    "egg": Lying((50, 64), (20, 24), _oval(0.8)),
    "lemon": Lying((62, 92), (24, 31), [(0, (0.12, 0.16)), (0.06, (0.26, 0.36)), (0.16, (0.68, 0.76)), (0.3, (0.92, 0.96)),
                   (0.5, (1, 1)), (0.7, (0.92, 0.96)), (0.84, (0.68, 0.76)), (0.94, (0.26, 0.36)), (1, (0.12, 0.16))]),
    "potato": Lying((65, 110), (24, 34), [(0, (0.3, 0.4)), (0.1, (0.65, 0.8)), (0.3, (0.9, 1.0)), (0.6, (0.85, 1.0)),
                    (0.88, (0.65, 0.8)), (1, (0.3, 0.4))], (0.75, 0.95)),
    "kiwi": Lying((54, 74), (22, 28), _ends(), (0.85, 0.95)),
    "avocado": Lying((80, 115), (28, 35), [(0, (0.25, 0.35)), (0.08, (0.65, 0.72)), (0.3, (0.98, 1)), (0.5, (0.92, 1)),
                     (0.78, (0.55, 0.66)), (0.94, (0.38, 0.46)), (1, (0.12, 0.2))]),
    "banana": Lying((130, 180), (14, 19), [(0, (0.2, 0.3)), (0.05, (0.4, 0.5)), (0.16, (0.8, 0.9)), (0.5, (1, 1)),
                    (0.82, (0.8, 0.9)), (0.93, (0.35, 0.45)), (1, (0.25, 0.32))], (0.9, 1.0), cap=0.93, bend=(0.12, 0.22),
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
    "battery": Lying((45, 65), (9, 17), [(0, (1, 1)), (0.93, (1, 1)), (0.94, (0.35, 0.42)), (1, (0.35, 0.42))], cap=0.68),
    "toothpaste": Lying((110, 165), (18, 27), [(0, (1, 1)), (0.1, (1, 1)), (0.78, (0.7, 0.85)), (0.8, (0.4, 0.5)),
                        (1, (0.4, 0.5))], (0.5, 0.75), cap=0.8),
    "rolling pin": Lying((150, 200), (14, 21), [(0, (0.4, 0.5)), (0.02, (0.5, 0.6)), (0.16, (0.4, 0.5)), (0.17, (0.95, 1)),
                         (0.83, (0.95, 1)), (0.84, (0.4, 0.5)), (0.98, (0.5, 0.6)), (1, (0.4, 0.5))]),
    "dumbbell": Lying((95, 150), (19, 29), [(0, (0.9, 0.97)), (0.03, (1, 1)), (0.26, (1, 1)), (0.28, (0.42, 0.55)),
                      (0.72, (0.42, 0.55)), (0.74, (1, 1)), (0.97, (1, 1)), (1, (0.9, 0.97))]),
    "bone": Lying((85, 140), (14, 22), [(0, (0.6, 0.7)), (0.06, (1, 1)), (0.18, (0.9, 1)), (0.28, (0.48, 0.6)),
                  (0.72, (0.48, 0.6)), (0.82, (0.9, 1)), (0.94, (1, 1)), (1, (0.6, 0.7))], (0.8, 1.0)),
}


def _handle(d: Draw, length: float, half: float, thick: float, skin: str = "main", power: float = 2.6) -> Part:
    """A grip from x = 0 to -length, on the table, a little wider towards its end."""
    swell = d(1.1, 1.7)
    table = [(-length, half * 0.7, thick * 0.8, thick), (-length * 0.94, half * swell, thick, thick),
             (-length * 0.6, half * d(0.95, swell), thick, thick), (-length * 0.12, half * 0.9, thick, thick),
             (0.0, half * 0.7, thick * 0.8, thick)]
    return rod(table, power, skin=skin)


def spoon(d: Draw) -> Recipe:
    """A spoon on its back: a handle and an oval dish."""
    length, half, thick = d.mm(80, 112), d.mm(4, 6.5), d.mm(2.5, 4)
    long, wide, deep = d.mm(40, 60), d.mm(30, 44), d.mm(10, 15)
    outer = curve([(0.4, 0), (0.8, 0.4), (1, 1)], wide / 2, deep, 8)
    dish = vessel(outer, 0.0022, 0.0022, Section(aspect=(long / wide, 1.0), sides=24))
    neck = rod([(-0.006, half, thick, thick), (0.012, half * 0.8, thick * 0.9, deep - thick * 0.4),
                (0.02, half * 0.7, thick * 0.8, deep - thick * 0.4)])
    handle = _handle(d, length, half, thick)
    return Recipe((handle, neck, dish.at(x=0.016 + long / 2),), tags=("elongated",), lies=True)


def ladle(d: Draw) -> Recipe:
    """A round, deep dish on a long flat handle."""
    length, half, thick = d.mm(85, 120), d.mm(5, 8), d.mm(3, 4.5)
    radius, deep = d.mm(24, 33), d.mm(18, 30)
    dish = vessel(curve([(0.5, 0), (0.9, 0.4), (1, 1)], radius, deep, 8), 0.0024, 0.0024, Section(sides=24), "dish")
    neck = rod([(-0.008, half, thick, thick), (0.012, half * 0.8, thick, deep - thick), (0.02, half * 0.8, thick, deep - thick)])
    return Recipe((_handle(d, length, half, thick), neck, dish.at(x=0.017 + radius),), tags=("elongated",), lies=True)


def fork(d: Draw) -> Recipe:
    """A fork: a handle, a palm and three or four tines."""
    length, half, thick = d.mm(85, 115), d.mm(4, 6.5), d.mm(2.5, 4)
    wide, palm, tine, count = d.mm(22, 30), d.mm(18, 28), d.mm(32, 48), d.pick((3, 4))
    plate = rod([(-0.004, half * 0.8, thick, thick), (palm * 0.5, wide * 0.42, 0.002, thick),
                 (palm, wide / 2, 0.0018, thick)], 3.5)
    parts = [_handle(d, length, half, thick), plate]
    for k in range(count):
        y = (k / (count - 1) - 0.5) * (wide - 0.004)
        prong = rod([(palm - 0.003, 0.002, 0.0018, thick), (palm + tine * 0.7, 0.0018, 0.0018, thick),
                     (palm + tine, 0.0008, 0.0008, thick)], sides=6)
        parts.append(prong.at(y=y))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)


def _bladed(d: Draw, blade: Part, skin: str = "accent") -> Recipe:
    handle = _handle(d, d.mm(80, 115), d.mm(6, 10), d.mm(5, 8), skin)
    return Recipe((handle, blade,), tags=("elongated",), lies=True)


def knife(d: Draw) -> Recipe:
    """A table or kitchen knife, lying on its side."""
    long, wide = d.mm(70, 110), d.mm(9, 16)
    blade = rod([(-0.012, wide * 0.5, 0.002, 0.005), (0.004, wide, 0.0018, 0.005), (long * 0.7, wide, 0.0016, 0.005),
                 (long * 0.92, wide * 0.6, 0.0014, 0.005), (long, 0.002, 0.001, 0.005)], 4, skin="metal")
    return _bladed(d, blade.of("steel"))


def spatula(d: Draw) -> Recipe:
    """A turner: a handle, a neck and a flat blade."""
    neck, long, wide = d.mm(20, 40), d.mm(55, 80), d.mm(24, 35)
    thick = d.mm(1.5, 2.5)
    blade = rod([(-0.012, 0.005, 0.003, 0.005), (neck, 0.005, 0.003, 0.004), (neck + 0.012, wide * d(0.7, 1.0), thick, thick),
                 (neck + long - 0.004, wide, thick, thick), (neck + long, wide * 0.9, thick, thick)], 5)
    return _bladed(d, blade)


def brush(d: Draw) -> Recipe:
    """A paint brush: handle, ferrule, bristles."""
    wide, thick, ferrule, tuft = d.mm(12, 30), d.mm(5, 9), d.mm(18, 30), d.mm(28, 50)
    grip = _handle(d, d.mm(75, 120), d.mm(6, 9), thick, "main")
    collar = rod([(-0.006, wide * 0.55, thick, thick), (0.004, wide, thick, thick), (ferrule, wide, thick, thick)], 4,
                 skin="metal")
    hair = rod([(ferrule - 0.002, wide * 0.95, thick * 0.92, thick), (ferrule + tuft * 0.7, wide, thick * 0.9, thick),
                (ferrule + tuft, wide * d(0.5, 0.95), thick * 0.4, thick)], 4, skin="bristle")
    return Recipe((grip, collar.of("aluminium"), hair.of("bristle"),), tags=("elongated",), lies=True)


def toothbrush(d: Draw) -> Recipe:
    """A toothbrush with the bristles up."""
    length, half, thick = d.mm(95, 125), d.mm(4.5, 7), d.mm(4, 5.5)
    head, wide, tuft = d.mm(22, 34), d.mm(5, 7), d.mm(9, 13)
    neck = rod([(-0.006, half * 0.7, thick * 0.8, thick), (d.mm(14, 24), 0.003, 0.003, thick), (0.03, wide, 0.003, thick),
                (0.03 + head, wide * 0.9, 0.003, thick)])
    hair = prism(rectangle(head * 0.92, wide * 1.6, 0.002), tuft, skin="bristle").of("bristle")
    return Recipe((_handle(d, length, half, thick), neck, hair.at(x=0.03 + head / 2, z=thick),), tags=("elongated",), lies=True)


def hairbrush(d: Draw) -> Recipe:
    """A hair brush with the bristles up."""
    long, wide, tuft, thick = d.mm(70, 100), d.mm(17, 30), d.mm(12, 20), d.mm(5, 8)
    head = rod([(-0.008, wide * 0.4, thick * 0.8, thick), (long * 0.15, wide * 0.9, thick, thick),
                (long * 0.6, wide, thick, thick), (long, wide * 0.6, thick * 0.8, thick)], 3)
    hair = prism(rectangle(long * 0.72, wide * 1.25, wide * 0.5), tuft, skin="bristle").of("bristle")
    grip = _handle(d, d.mm(80, 110), d.mm(7, 11), thick)
    return Recipe((grip, head, hair.at(x=long * 0.52, z=thick * 1.5),), tags=("elongated",), lies=True)


def screwdriver(d: Draw) -> Recipe:
    """A screwdriver: thick fluted grip, thin shaft, flat tip."""
    grip, half, shaft, thin = d.mm(68, 98), d.mm(10, 15), d.mm(55, 100), d.mm(2.5, 4)
    handle = rod([(-grip, half * 0.75, half * 0.75, half), (-grip * 0.93, half, half, half), (-grip * 0.3, half, half, half),
                  (-grip * 0.18, half * d(0.6, 0.8), half * 0.7, half), (-grip * 0.04, half * 0.85, half * 0.85, half),
                  (0.0, half * 0.6, half * 0.6, half)], power=2.3)
    blade = rod([(-0.01, thin, thin, half), (shaft * 0.86, thin, thin, half), (shaft, thin * 1.3, 0.001, half)], skin="metal")
    return Recipe((handle, blade.of("steel"),), tags=("elongated",), lies=True)


def hammer(d: Draw) -> Recipe:
    """A hammer: a grip, and a head across it with a face and a peen."""
    length, half, thick = d.mm(110, 160), d.mm(8, 11), d.mm(7, 10)
    head, face, peen = d.mm(50, 78), d.mm(8.5, 12), d(0.3, 0.9)
    low = face
    bar = rod([(-head / 2, face * 0.9, face * 0.9, low), (-head / 2 + 0.003, face, face, low), (-head * 0.25, face, face, low),
               (-head * 0.1, face * 0.85, face * 0.85, low), (head * 0.1, face * 0.85, face * 0.85, low),
               (head / 2, face * peen, face * 0.6, low)], power=3, skin="metal")
    grip = _handle(d, length, half, thick)
    across = Rotation.from_euler("z", 90, degrees=True)
    return Recipe((grip, bar.of(d.pick(("steel", "rubber", "wood"))).at(x=face * 0.6, turn=across),), tags=("elongated",), lies=True)


def wrench(d: Draw) -> Recipe:
    """An open spanner: a bar with two jaws at one end and a round end at the other."""
    length, half, thick = d.mm(80, 120), d.mm(6, 9), d.mm(5, 7.5)
    wide, jaw = half * d(1.7, 2.3), d.mm(16, 24)
    parts = [rod([(-length, half * 1.3, thick, thick), (-length * 0.85, half * 1.4, thick, thick), (-length * 0.7, half, thick, thick),
                  (0.0, half, thick, thick), (0.012, wide, thick, thick), (0.02, wide, thick, thick)], 4)]
    for side in (-1, 1):
        prong = rod([(0.016, wide * 0.32, thick, thick), (0.02 + jaw * 0.7, wide * 0.3, thick, thick),
                     (0.02 + jaw, wide * 0.18, thick, thick)], 4, sides=12)
        parts.append(prong.at(y=side * wide * 0.66))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)


def paddle(d: Draw) -> Recipe:
    """A bat or hand mirror: a disc with a grip."""
    radius, thick, grip = d.mm(29, 37), d.mm(7.5, 11), _handle(d, d.mm(75, 105), d.mm(9, 13), d.mm(7.5, 11))
    blade = rod([(-0.008, 0.012, thick, thick), (radius * 0.25, radius * 0.72, thick, thick), (radius * 0.7, radius * 0.97, thick, thick),
                 (radius * 1.1, radius, thick, thick), (radius * 1.6, radius * 0.8, thick, thick), (radius * 1.95, radius * 0.3, thick, thick)],
                6, skin="accent", sides=20)
    return Recipe((grip, blade,), tags=("flat",), lies=True)


def comb(d: Draw) -> Recipe:
    """A comb: a spine with wide teeth."""
    long, spine, tooth, thick, count = d.mm(95, 150), d.mm(12, 20), d.mm(18, 30), d.mm(7.5, 10), int(d.rng.integers(7, 13))
    parts = [prism(rectangle(long, spine, 0.004), thick, 0.001, boxes=[box((0, 0, thick / 2), (long / 2, spine / 2, thick / 2))])]
    for k in range(count):
        x = (k / (count - 1) - 0.5) * (long - 0.008)
        bar = rod([(0, 0.002, thick * 0.42, thick / 2), (tooth, 0.0014, thick * 0.36, thick / 2)], 4, sides=8)
        parts.append(bar.at(x=x, y=spine / 2 - 0.002, turn=Rotation.from_euler("z", 90, degrees=True)))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)
