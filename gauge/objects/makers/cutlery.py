"""Cutlery and kitchen tools: a grip, a neck, and what the hand is for."""

from gauge.objects.makers import lying
from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.part import Part, Section, curve, rod, vessel


def spoon(d: Draw) -> Recipe:
    """A spoon on its back: a handle and an oval dish."""
    length, half, thick = d.mm(80, 112), d.mm(4, 6.5), d.mm(2.5, 4)
    long, wide, deep = d.mm(40, 60), d.mm(30, 44), d.mm(10, 15)
    outer = curve([(0.4, 0), (0.8, 0.4), (1, 1)], wide / 2, deep, 8)
    dish = vessel(outer, 0.0022, 0.0022, Section(aspect=(long / wide, 1.0), sides=24))
    neck = rod(
        [
            (-0.006, half, thick, thick),
            (0.012, half * 0.8, thick * 0.9, deep - thick * 0.4),
            (0.02, half * 0.7, thick * 0.8, deep - thick * 0.4),
        ]
    )
    handle = lying.handle(d, length, half, thick)
    return Recipe(
        (
            handle,
            neck,
            dish.at(x=0.016 + long / 2),
        ),
        tags=("elongated",),
        lies=True,
    )


def ladle(d: Draw) -> Recipe:
    """A round, deep dish on a long flat handle."""
    length, half, thick = d.mm(85, 120), d.mm(5, 8), d.mm(3, 4.5)
    radius, deep = d.mm(24, 33), d.mm(18, 30)
    dish = vessel(curve([(0.5, 0), (0.9, 0.4), (1, 1)], radius, deep, 8), 0.0024, 0.0024, Section(sides=24), "dish")
    neck = rod(
        [
            (-0.008, half, thick, thick),
            (0.012, half * 0.8, thick, deep - thick),
            (0.02, half * 0.8, thick, deep - thick),
        ]
    )
    return Recipe(
        (
            lying.handle(d, length, half, thick),
            neck,
            dish.at(x=0.017 + radius),
        ),
        tags=("elongated",),
        lies=True,
    )


def fork(d: Draw) -> Recipe:
    """A fork: a handle, a palm and three or four tines."""
    length, half, thick = d.mm(85, 115), d.mm(4, 6.5), d.mm(2.5, 4)
    wide, palm, tine, count = d.mm(22, 30), d.mm(18, 28), d.mm(32, 48), d.pick((3, 4))
    plate = rod(
        [(-0.004, half * 0.8, thick, thick), (palm * 0.5, wide * 0.42, 0.002, thick), (palm, wide / 2, 0.0018, thick)],
        3.5,
    )
    parts = [lying.handle(d, length, half, thick), plate]
    for k in range(count):
        y = (k / (count - 1) - 0.5) * (wide - 0.004)
        prong = rod(
            [
                (palm - 0.003, 0.002, 0.0018, thick),
                (palm + tine * 0.7, 0.0018, 0.0018, thick),
                (palm + tine, 0.0008, 0.0008, thick),
            ],
            sides=6,
        )
        parts.append(prong.at(y=y))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)


def _bladed(d: Draw, blade: Part, skin: str = "accent") -> Recipe:
    handle = lying.handle(d, d.mm(80, 115), d.mm(6, 10), d.mm(5, 8), skin)
    return Recipe(
        (
            handle,
            blade,
        ),
        tags=("elongated",),
        lies=True,
    )


def knife(d: Draw) -> Recipe:
    """A table or kitchen knife, lying on its side."""
    long, wide = d.mm(70, 110), d.mm(9, 16)
    blade = rod(
        [
            (-0.012, wide * 0.5, 0.002, 0.005),
            (0.004, wide, 0.0018, 0.005),
            (long * 0.7, wide, 0.0016, 0.005),
            (long * 0.92, wide * 0.6, 0.0014, 0.005),
            (long, 0.002, 0.001, 0.005),
        ],
        4,
        skin="metal",
    )
    return _bladed(d, blade.of("steel"))


def spatula(d: Draw) -> Recipe:
    """A turner: a handle, a neck and a flat blade."""
    neck, long, wide = d.mm(20, 40), d.mm(55, 80), d.mm(24, 35)
    thick = d.mm(1.5, 2.5)
    blade = rod(
        [
            (-0.012, 0.005, 0.003, 0.005),
            (neck, 0.005, 0.003, 0.004),
            (neck + 0.012, wide * d(0.7, 1.0), thick, thick),
            (neck + long - 0.004, wide, thick, thick),
            (neck + long, wide * 0.9, thick, thick),
        ],
        5,
    )
    return _bladed(d, blade)
