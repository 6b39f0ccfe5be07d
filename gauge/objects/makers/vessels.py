"""Hollow bodies: an outer profile, a wall, and perhaps handles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.mesh import Array
from gauge.objects.shapes.part import Part, Section, curve, rod, tube, vessel

Range = tuple[float, float]
Knot = tuple[Range, Range]  # ranges of (radius, height) of a control point, as shares


def _at(radius: float, height: float) -> Knot:
    return (radius, radius), (height, height)


@dataclass(frozen=True, slots=True)
class Hollow:
    """The ranges of a family of vessels, millimetres; `knots` lie between foot and rim, which is (1, 1).

    Attributes:
        handle: none, loop (one), ears (two) or long.
        power: range of the exponent of the outline; None is round.
        oval: range of the length over the width.
        floor: where the cavity begins, as a share of the height; 0 is one wall above the table.
    """

    radius: Range
    height: Range
    wall: Range
    knots: Sequence[Knot]
    handle: str = "none"
    power: Range | None = None
    oval: Range = (1.0, 1.0)
    floor: float = 0.0
    smooth: bool = True
    rim: float = 1.0

    def __call__(self, d: Draw) -> Recipe:
        """One vessel."""
        radius, height, wall = d.mm(*self.radius), d.mm(*self.height), d.mm(*self.wall)
        points = [(d(*r), d(*z)) for r, z in self.knots]
        points[0] = (points[0][0], 0.0)
        outer = curve([*points, (self.rim, 1.0)], radius, height, 12, self.smooth)
        stretch = d(*self.oval)
        aspect = (float(np.sqrt(stretch)), float(1 / np.sqrt(stretch)))
        section = Section(power=d(*self.power) if self.power else 2.0, aspect=aspect)
        floor = max(self.floor * height, wall)
        body = vessel(outer, wall, floor, section)
        reach = self.rim * radius - wall
        cavity = (reach * aspect[0] * 0.7, reach * aspect[1] * 0.7, (height - floor) / 2, 0, 0, (height + floor) / 2)
        tags = ("square",) if self.power else ("round",)
        return Recipe((body, *_handles(d, self.handle, outer, height)), cavity=cavity, tags=tags)


def _radius(outer: Array, z: float) -> float:
    return float(np.interp(z, outer[:, 1], outer[:, 0]))


def _handles(d: Draw, kind: str, outer: Array, height: float) -> list[Part]:
    """The handles that belong to the kind, their ends sunk into the wall."""
    if kind == "loop":
        low, high, thick = height * d(0.18, 0.3), height * d(0.72, 0.86), d.mm(3.5, 5.5)
        return [_loop(outer, low, high, height * d(0.3, 0.42), thick, d(1.0, 1.8))]
    if kind == "ears":
        out, half, thick, z = d.mm(14, 24), d.mm(18, 30), d.mm(3.5, 5), height * d(0.7, 0.85)
        return [_ear(side * _radius(outer, z), side * out, half, z, thick) for side in (-1, 1)]
    if kind == "long":
        length, half, z = d.mm(90, 140), d.mm(7, 11), height * d(0.6, 0.8)
        start = _radius(outer, z) - 0.004
        grip = [
            (0, half * 0.6, 0.005, 0),
            (length * 0.3, half * 0.7, 0.005, 0),
            (length * 0.45, half, 0.007, 0),
            (length * 0.95, half, 0.007, 0),
            (length, half * 0.6, 0.004, 0),
        ]
        return [rod(grip, power=2.6, skin="accent").at(x=start, z=z)]
    return []


def _loop(outer: Array, low: float, high: float, out: float, thick: float, flat: float) -> Part:
    """A mug's handle on the +x side, from one height to the other."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 13)
    z = (low + high) / 2 + (high - low) / 2 * np.sign(np.sin(angle)) * np.abs(np.sin(angle)) ** 0.8
    wall = np.array([_radius(outer, float(one)) for one in z])
    x = wall - 0.0025 + out * np.abs(np.cos(angle)) ** 0.7
    return tube(np.stack([x, np.zeros(13), z], axis=1), thick, flat=flat)


def _ear(x: float, out: float, half: float, z: float, thick: float) -> Part:
    """A pot's side handle: a bar bent in the horizontal plane."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, 9)
    bow = np.stack([out * np.abs(np.cos(angle)) ** 0.6 - 0.1 * out, np.zeros(9), half * np.sin(angle)], axis=1)
    return tube(bow, thick, skin="accent").at(x=x, z=z, turn=Rotation.from_euler("x", 90, degrees=True))


# fmt: off
OPEN: dict[str, Hollow] = {
    "bowl": Hollow((42, 76), (32, 62), (2.4, 4.2), [((0.4, 0.65), (0, 0)), ((0.86, 0.97), (0.3, 0.55))]),
    "square bowl": Hollow((38, 60), (34, 58), (2.6, 4.5), [((0.6, 0.8), (0, 0)), ((0.9, 0.98), (0.35, 0.55))],
                          power=(5, 9)),
    "plate": Hollow((64, 98), (15, 26), (3, 4.5), [((0.5, 0.66), (0, 0)), ((0.68, 0.8), (0.2, 0.5))]),
    "saucer": Hollow((52, 66), (13, 22), (3.5, 4.5), [((0.42, 0.6), (0, 0)), ((0.65, 0.85), (0.2, 0.5))]),
    "ramekin": Hollow((36, 50), (34, 52), (3.5, 5.5), [((0.8, 0.95), (0, 0)), ((0.92, 1.0), (0.4, 0.6))]),
    "mug": Hollow((32, 42), (66, 112), (3, 5), [((0.72, 1.0), (0, 0)), ((0.9, 1.08), (0.35, 0.65))], "loop"),
    "teacup": Hollow((36, 48), (42, 64), (2.6, 4), [((0.45, 0.62), (0, 0)), ((0.75, 0.95), (0.3, 0.55))], "loop"),
    "tumbler": Hollow((28, 40), (76, 150), (2.6, 4.5), [((0.62, 0.95), (0, 0)), ((0.8, 1.0), (0.4, 0.6))]),
    "pot": Hollow((48, 72), (50, 85), (2, 2.6), [((0.85, 0.96), (0, 0)), ((0.97, 1.02), (0.12, 0.3))], "ears"),
    "pan": Hollow((56, 82), (26, 44), (2, 2.6), [((0.74, 0.9), (0, 0)), ((0.86, 0.96), (0.4, 0.6))], "long"),
    "jug": Hollow((36, 50), (105, 165), (3, 4.5),
                  [((0.7, 1.0), (0, 0)), ((1.0, 1.3), (0.25, 0.45)), ((0.8, 1.0), (0.7, 0.85))], "loop"),
    "vase": Hollow((20, 38), (95, 180), (3, 5),
                   [((0.7, 1.2), (0, 0)), ((1.1, 1.9), (0.25, 0.45)), ((0.6, 0.95), (0.72, 0.88))]),
    "flowerpot": Hollow((36, 58), (52, 95), (2.8, 4.5),
                        [((0.6, 0.78), (0, 0)), ((0.85, 0.9), (0.76, 0.8)), ((0.95, 1.0), (0.82, 0.86))], smooth=False),
    "tray": Hollow((70, 105), (20, 40), (3, 5), [((0.86, 0.96), (0, 0)), ((0.95, 1.0), (0.5, 0.6))], power=(7, 12),
                   oval=(1.2, 1.8)),
    "storage bin": Hollow((40, 58), (50, 85), (3, 4.5), [((0.82, 0.97), (0, 0)), ((0.94, 1.0), (0.5, 0.6))],
                          power=(6, 12), oval=(1.0, 1.5)),
    "wine glass": Hollow((28, 38), (125, 185), (2.6, 3.5),
                         [((0.85, 1.05), (0, 0)), ((0.7, 0.8), (0.015, 0.03)), ((0.13, 0.2), (0.07, 0.12)),
                          ((0.13, 0.2), (0.38, 0.46)), ((0.8, 1.25), (0.6, 0.75))], floor=0.5),
    "egg cup": Hollow((22, 30), (48, 72), (3, 4.5),
                      [((0.75, 0.95), (0, 0)), ((0.35, 0.5), (0.25, 0.4)), ((0.9, 1.05), (0.7, 0.8))], floor=0.55),
    "pencil cup": Hollow((32, 44), (80, 115), (3, 5), [((0.92, 1.0), (0, 0)), ((0.94, 1.0), (0.4, 0.6))],
                         power=(2.0, 7.0)),
    "cake stand": Hollow((55, 85), (60, 95), (3.5, 5),
                         [((0.5, 0.65), (0, 0)), ((0.3, 0.4), (0.06, 0.1)), ((0.16, 0.24), (0.3, 0.4)),
                          ((0.2, 0.3), (0.7, 0.76)), ((0.9, 0.96), (0.85, 0.9))], floor=0.85),
}
# fmt: on
