"""Solids of revolution that stand upright: packs with a lid, fruit, candles, chessmen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gauge.objects.makers.vessels import Knot, Range
from gauge.objects.recipe import MM, Draw, Recipe
from gauge.objects.shapes.part import Section, curve, turned


@dataclass(frozen=True, slots=True)
class Turned:
    """The ranges of a family of turned solids, millimetres.

    Attributes:
        knots: control points from foot to top, as shares of radius and height.
        lid: from which share of the height the second island (cap, lid, crown) begins; 1 is none.
        stem: height of a little stalk on top.
        flutes: ranges of the number and the depth of waves around.
        oval: range of the length over the width.
        ratio: range of the height over the diameter, in place of `height`.
        tag: a word about the shape.
    """

    radius: Range
    height: Range
    knots: Sequence[Knot]
    lid: float = 1.0
    smooth: bool = True
    stem: Range = (0, 0)
    flutes: tuple[int, int] = (0, 0)
    depth: Range = (0, 0)
    oval: Range = (1.0, 1.0)
    samples: int = 22
    ratio: Range = (0, 0)
    tag: str = "round"

    def __call__(self, d: Draw) -> Recipe:
        """One solid."""
        radius = d.mm(*self.radius)
        height = 2 * radius * d(*self.ratio) if self.ratio[1] else d.mm(*self.height)
        points = [(d(*r), d(*z)) for r, z in self.knots]
        profile = curve(points, radius, height, self.samples, self.smooth)
        stretch = d(*self.oval)
        aspect = (float(np.sqrt(stretch)), float(1 / np.sqrt(stretch)))
        waves = int(d.rng.integers(self.flutes[0], self.flutes[1] + 1))
        section = Section(flutes=waves, depth=d(*self.depth), aspect=aspect)
        middle = (profile[:-1, 1] + profile[1:, 1]) / 2
        bands = ["cap" if z > self.lid * height else "main" for z in middle]
        body = turned(profile, section, cap="cap" if self.lid < 1 else "main", bands=bands)
        parts = [body]
        if self.stem[1]:
            tall = d.mm(*self.stem)
            stalk = np.array([[1.8, 0], [1.4, 0.5], [2.0, 1.0]]) * [MM, tall + 6 * MM]
            parts.append(turned(stalk, Section(sides=8), "stem").of("wood").at(z=float(profile[-1, 1]) - 6 * MM))
        return Recipe(tuple(parts), tags=(self.tag,))


def _k(radius: float, height: float) -> Knot:
    return (radius, radius), (height, height)


# fmt: off
STRAIGHT = [((0.92, 1.0), (0, 0)), ((1.0, 1.0), (0.02, 0.03)), ((1.0, 1.0), (0.97, 0.98)), ((0.9, 1.0), (1, 1))]
SPHERE = [_k(0.38, 0), _k(0.66, 0.115), _k(0.87, 0.25), _k(0.985, 0.4), _k(1.0, 0.5), _k(0.92, 0.7), _k(0.7, 0.86),
          _k(0.4, 0.96), _k(0.02, 1.0)]

SOLID: dict[str, Turned] = {
    "bottle": Turned((24, 31), (130, 205), [((0.9, 0.98), (0, 0)), _k(1, 0.04), ((1, 1), (0.45, 0.66)),
                     ((0.45, 0.6), (0.76, 0.82)), ((0.4, 0.5), (0.87, 0.9)), ((0.42, 0.52), (0.905, 0.91)),
                     ((0.42, 0.5), (1, 1))], lid=0.9),
    "vase bottle": Turned((28, 36), (100, 170), [((0.5, 0.8), (0, 0)), ((0.9, 1), (0.2, 0.4)),
                          ((0.3, 0.45), (0.6, 0.75)), ((0.4, 0.6), (1, 1))]),
    "can": Turned((28, 36.5), (50, 122), [((0.9, 0.97), (0, 0)), _k(1, 0.02), ((0.985, 1.0), (0.4, 0.6)), _k(1, 0.97),
                  ((0.86, 0.97), (1, 1))], lid=0.965, smooth=False),
    "jar": Turned((29, 36), (62, 115), [((0.85, 0.97), (0, 0)), _k(1, 0.05), ((0.97, 1.0), (0.55, 0.68)),
                  ((0.78, 0.9), (0.76, 0.78)), ((0.86, 0.98), (0.79, 0.8)), ((0.86, 0.98), (0.985, 0.99)),
                  ((0.8, 0.85), (1, 1))], lid=0.785, smooth=False, tag="lidded"),
    "spice jar": Turned((18, 25), (65, 110), [_k(0.97, 0), _k(1, 0.02), ((0.97, 1), (0.62, 0.72)), _k(0.9, 0.75),
                        ((0.9, 1.02), (0.76, 0.77)), ((0.86, 1.0), (0.98, 0.985)), _k(0.8, 1)], lid=0.755, smooth=False,
                        tag="lidded"),
    "pill bottle": Turned((17, 26), (52, 92), [_k(0.97, 0), _k(1, 0.02), _k(1, 0.7), _k(0.9, 0.72),
                          ((1.0, 1.12), (0.73, 0.74)), ((1.0, 1.12), (0.985, 0.99)), _k(0.95, 1)], lid=0.725,
                          smooth=False, tag="lidded"),
    "shaker": Turned((18, 27), (58, 105), [((0.9, 1.0), (0, 0)), ((0.7, 1.0), (0.35, 0.5)), ((0.6, 0.85), (0.7, 0.75)),
                     ((0.62, 0.8), (0.85, 0.9)), ((0.1, 0.2), (1, 1))], lid=0.74),
    "pepper mill": Turned((20, 28), (110, 180), [((0.95, 1.0), (0, 0)), ((0.85, 1), (0.1, 0.15)),
                          ((0.5, 0.7), (0.35, 0.5)), ((0.7, 0.95), (0.66, 0.72)), ((0.45, 0.6), (0.76, 0.79)),
                          ((0.7, 0.9), (0.86, 0.9)), ((0.2, 0.3), (1, 1))], lid=0.77),
    "thermos": Turned((27, 33), (130, 185), [_k(0.96, 0), _k(1, 0.02), ((0.97, 1), (0.6, 0.7)), ((0.8, 0.95), (0.75,
        0.78)),
                      ((0.8, 0.92), (0.96, 0.97)), ((0.68, 0.75), (1, 1))], lid=0.765, smooth=False),
    "spray can": Turned((22, 31), (120, 180), [_k(0.95, 0), _k(1, 0.015), _k(1, 0.78), ((0.8, 0.9), (0.84, 0.86)),
                        ((0.55, 0.8), (0.87, 0.88)), ((0.5, 0.75), (0.98, 0.99)), _k(0.4, 1)], lid=0.865, smooth=False),
    "lotion bottle": Turned((24, 33), (95, 160), [((0.85, 0.95), (0, 0)), _k(1, 0.05), ((0.85, 1.0), (0.55, 0.68)),
                            ((0.45, 0.7), (0.76, 0.8)), ((0.4, 0.55), (0.83, 0.84)), ((0.35, 0.55), (1, 1))], lid=0.825,
                            oval=(1.15, 1.7), tag="oval"),
    "yogurt cup": Turned((30, 36), (55, 100), [((0.72, 0.85), (0, 0)), ((0.95, 1.0), (0.93, 0.95)), _k(1.05, 0.96),
                         _k(1.05, 1)], lid=0.955, smooth=False),
    "candle": Turned((20, 36), (45, 125), STRAIGHT, stem=(5, 9)),
    "ball": Turned((17, 36), (0, 0), SPHERE, ratio=(0.95, 1.0)),
    "apple": Turned((28, 36.5), (0, 0), [((0.3, 0.42), (0, 0)), ((0.72, 0.84), (0.16, 0.24)), _k(1, 0.56),
                    ((0.82, 0.9), (0.84, 0.88)), ((0.45, 0.55), (0.98, 1)), ((0.08, 0.12), (0.86, 0.9))], stem=(7, 12),
                    ratio=(0.8, 1.0)),
    "orange": Turned((25, 36), (0, 0), SPHERE, stem=(1, 2), ratio=(0.86, 1.0)),
    "tomato": Turned((24, 36), (38, 58), [_k(0.4, 0), _k(0.82, 0.16), _k(1, 0.48), ((0.85, 0.95), (0.78, 0.84)),
                     ((0.4, 0.5), (0.98, 1)), _k(0.1, 0.93)], flutes=(4, 7), depth=(0.0, 0.05), stem=(2, 5)),
    "pear": Turned((27, 35), (75, 105), [((0.35, 0.5), (0, 0)), ((0.9, 1.0), (0.2, 0.28)), ((0.85, 0.97), (0.42, 0.5)),
                   ((0.42, 0.55), (0.74, 0.8)), ((0.3, 0.42), (0.93, 0.96)), _k(0.05, 1)], stem=(10, 16)),
    "onion": Turned((25, 35), (44, 68), [((0.3, 0.4), (0, 0)), ((0.9, 1), (0.33, 0.45)), ((0.6, 0.8), (0.66, 0.72)),
                    ((0.14, 0.24), (0.84, 0.9)), ((0.05, 0.1), (1, 1))]),
    "bell pepper": Turned((27, 35), (62, 92), [((0.45, 0.6), (0, 0)), ((0.8, 0.95), (0.3, 0.4)), _k(1, 0.78),
                          ((0.6, 0.7), (0.97, 1)), ((0.15, 0.2), (0.9, 0.92))], flutes=(3, 5), depth=(0.06, 0.12),
                          stem=(9, 15)),
    "pumpkin": Turned((30, 37), (38, 60), [((0.4, 0.5), (0, 0)), _k(0.93, 0.25), _k(1, 0.52), ((0.75, 0.85), (0.84,
        0.9)),
                      _k(0.35, 1), _k(0.1, 0.92)], flutes=(7, 10), depth=(0.03, 0.07), stem=(8, 14)),
    "mushroom": Turned((24, 36), (42, 75), [((0.35, 0.5), (0, 0)), ((0.28, 0.42), (0.3, 0.48)), ((0.9, 1.0), (0.5,
        0.54)),
                       ((0.85, 1.0), (0.62, 0.7)), ((0.5, 0.65), (0.9, 0.94)), _k(0.05, 1)], lid=0.51),
    "muffin": Turned((29, 36), (48, 74), [((0.68, 0.8), (0, 0)), ((0.88, 0.94), (0.55, 0.58)), ((0.98, 1.05), (0.63,
        0.7)),
                     ((0.6, 0.8), (0.9, 0.94)), _k(0.05, 1)], lid=0.57),
    "bun": Turned((30, 37), (30, 56), [((0.7, 0.85), (0, 0)), ((0.95, 1), (0.2, 0.35)), ((0.7, 0.9), (0.7, 0.8)),
                  _k(0.05, 1)]),
    "pawn": Turned((16, 26), (55, 105), [_k(1, 0), ((0.95, 1.0), (0.06, 0.1)), ((0.5, 0.65), (0.22, 0.3)),
                   ((0.32, 0.45), (0.5, 0.6)), ((0.55, 0.75), (0.64, 0.66)), ((0.3, 0.4), (0.69, 0.71)),
                   ((0.5, 0.68), (0.84, 0.88)), _k(0.05, 1)]),
    "paper roll": Turned((26, 36), (70, 130), STRAIGHT, smooth=False),
    "spool": Turned((18, 30), (35, 70), [_k(1, 0), ((1, 1), (0.1, 0.16)), ((0.6, 0.8), (0.17, 0.2)),
                    ((0.6, 0.8), (0.8, 0.83)), ((1, 1), (0.84, 0.9)), _k(1, 1)], smooth=False),
    "toy cone": Turned((26, 36), (55, 100), [_k(1, 0), ((1, 1), (0.04, 0.08)), ((0.6, 0.75), (0.09, 0.12)),
                       ((0.12, 0.22), (1, 1))], smooth=False),
    "cheese wheel": Turned((28, 37), (20, 44), [((0.9, 0.96), (0, 0)), ((1, 1), (0.15, 0.25)), ((1, 1), (0.75, 0.85)),
                           ((0.9, 0.96), (1, 1))]),
    "bell": Turned((24, 34), (45, 80), [_k(1, 0), ((0.88, 0.96), (0.06, 0.1)), ((0.6, 0.75), (0.35, 0.5)),
                   ((0.4, 0.55), (0.62, 0.68)), ((0.14, 0.2), (0.72, 0.76)), ((0.22, 0.3), (0.86, 0.9)), _k(0.05, 1)],
                 lid=0.74),
}
# fmt: on
