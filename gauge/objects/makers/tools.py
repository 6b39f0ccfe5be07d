"""Tools and brushes: a grip with a head of parts."""

from scipy.spatial.transform import Rotation

from gauge.objects.makers import lying
from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.part import prism, rectangle, rod
from gauge.objects.shapes.solid import box


def brush(d: Draw) -> Recipe:
    """A paint brush: handle, ferrule, bristles."""
    wide, thick, ferrule, tuft = d.mm(12, 30), d.mm(5, 9), d.mm(18, 30), d.mm(28, 50)
    grip = lying.handle(d, d.mm(75, 120), d.mm(6, 9), thick, "main")
    collar = rod(
        [(-0.006, wide * 0.55, thick, thick), (0.004, wide, thick, thick), (ferrule, wide, thick, thick)],
        4,
        skin="metal",
    )
    hair = rod(
        [
            (ferrule - 0.002, wide * 0.95, thick * 0.92, thick),
            (ferrule + tuft * 0.7, wide, thick * 0.9, thick),
            (ferrule + tuft, wide * d(0.5, 0.95), thick * 0.4, thick),
        ],
        4,
        skin="bristle",
    )
    return Recipe(
        (
            grip,
            collar.of("aluminium"),
            hair.of("bristle"),
        ),
        tags=("elongated",),
        lies=True,
    )


def toothbrush(d: Draw) -> Recipe:
    """A toothbrush with the bristles up."""
    length, half, thick = d.mm(95, 125), d.mm(4.5, 7), d.mm(4, 5.5)
    head, wide, tuft = d.mm(22, 34), d.mm(5, 7), d.mm(9, 13)
    neck = rod(
        [
            (-0.006, half * 0.7, thick * 0.8, thick),
            (d.mm(14, 24), 0.003, 0.003, thick),
            (0.03, wide, 0.003, thick),
            (0.03 + head, wide * 0.9, 0.003, thick),
        ]
    )
    hair = prism(rectangle(head * 0.92, wide * 1.6, 0.002), tuft, skin="bristle").of("bristle")
    return Recipe(
        (
            lying.handle(d, length, half, thick),
            neck,
            hair.at(x=0.03 + head / 2, z=thick),
        ),
        tags=("elongated",),
        lies=True,
    )


def hairbrush(d: Draw) -> Recipe:
    """A hair brush with the bristles up."""
    long, wide, tuft, thick = d.mm(70, 100), d.mm(17, 30), d.mm(12, 20), d.mm(5, 8)
    head = rod(
        [
            (-0.008, wide * 0.4, thick * 0.8, thick),
            (long * 0.15, wide * 0.9, thick, thick),
            (long * 0.6, wide, thick, thick),
            (long, wide * 0.6, thick * 0.8, thick),
        ],
        3,
    )
    hair = prism(rectangle(long * 0.72, wide * 1.25, wide * 0.5), tuft, skin="bristle").of("bristle")
    grip = lying.handle(d, d.mm(80, 110), d.mm(7, 11), thick)
    return Recipe(
        (
            grip,
            head,
            hair.at(x=long * 0.52, z=thick * 1.5),
        ),
        tags=("elongated",),
        lies=True,
    )


def screwdriver(d: Draw) -> Recipe:
    """A screwdriver: thick fluted grip, thin shaft, flat tip."""
    grip, half, shaft, thin = d.mm(68, 98), d.mm(10, 15), d.mm(55, 100), d.mm(2.5, 4)
    handle = rod(
        [
            (-grip, half * 0.75, half * 0.75, half),
            (-grip * 0.93, half, half, half),
            (-grip * 0.3, half, half, half),
            (-grip * 0.18, half * d(0.6, 0.8), half * 0.7, half),
            (-grip * 0.04, half * 0.85, half * 0.85, half),
            (0.0, half * 0.6, half * 0.6, half),
        ],
        power=2.3,
    )
    blade = rod(
        [(-0.01, thin, thin, half), (shaft * 0.86, thin, thin, half), (shaft, thin * 1.3, 0.001, half)], skin="metal"
    )
    return Recipe(
        (
            handle,
            blade.of("steel"),
        ),
        tags=("elongated",),
        lies=True,
    )


def hammer(d: Draw) -> Recipe:
    """A hammer: a grip, and a head across it with a face and a peen."""
    length, half, thick = d.mm(110, 160), d.mm(8, 11), d.mm(7, 10)
    head, face, peen = d.mm(50, 78), d.mm(8.5, 12), d(0.3, 0.9)
    low = face
    bar = rod(
        [
            (-head / 2, face * 0.9, face * 0.9, low),
            (-head / 2 + 0.003, face, face, low),
            (-head * 0.25, face, face, low),
            (-head * 0.1, face * 0.85, face * 0.85, low),
            (head * 0.1, face * 0.85, face * 0.85, low),
            (head / 2, face * peen, face * 0.6, low),
        ],
        power=3,
        skin="metal",
    )
    grip = lying.handle(d, length, half, thick)
    across = Rotation.from_euler("z", 90, degrees=True)
    return Recipe(
        (
            grip,
            bar.of(d.pick(("steel", "rubber", "wood"))).at(x=face * 0.6, turn=across),
        ),
        tags=("elongated",),
        lies=True,
    )


def wrench(d: Draw) -> Recipe:
    """An open spanner: a bar with two jaws at one end and a round end at the other."""
    length, half, thick = d.mm(80, 120), d.mm(6, 9), d.mm(5, 7.5)
    wide, jaw = half * d(1.7, 2.3), d.mm(16, 24)
    parts = [
        rod(
            [
                (-length, half * 1.3, thick, thick),
                (-length * 0.85, half * 1.4, thick, thick),
                (-length * 0.7, half, thick, thick),
                (0.0, half, thick, thick),
                (0.012, wide, thick, thick),
                (0.02, wide, thick, thick),
            ],
            4,
        )
    ]
    for side in (-1, 1):
        prong = rod(
            [
                (0.016, wide * 0.32, thick, thick),
                (0.02 + jaw * 0.7, wide * 0.3, thick, thick),
                (0.02 + jaw, wide * 0.18, thick, thick),
            ],
            4,
            sides=12,
        )
        parts.append(prong.at(y=side * wide * 0.66))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)


def paddle(d: Draw) -> Recipe:
    """A bat or hand mirror: a disc with a grip."""
    radius, thick, grip = d.mm(29, 37), d.mm(7.5, 11), lying.handle(d, d.mm(75, 105), d.mm(9, 13), d.mm(7.5, 11))
    blade = rod(
        [
            (-0.008, 0.012, thick, thick),
            (radius * 0.25, radius * 0.72, thick, thick),
            (radius * 0.7, radius * 0.97, thick, thick),
            (radius * 1.1, radius, thick, thick),
            (radius * 1.6, radius * 0.8, thick, thick),
            (radius * 1.95, radius * 0.3, thick, thick),
        ],
        6,
        skin="accent",
        sides=20,
    )
    return Recipe(
        (
            grip,
            blade,
        ),
        tags=("flat",),
        lies=True,
    )


def comb(d: Draw) -> Recipe:
    """A comb: a spine with wide teeth."""
    long, spine, tooth, thick, count = (
        d.mm(95, 150),
        d.mm(12, 20),
        d.mm(18, 30),
        d.mm(7.5, 10),
        int(d.rng.integers(7, 13)),
    )
    parts = [
        prism(
            rectangle(long, spine, 0.004),
            thick,
            0.001,
            boxes=[box((0, 0, thick / 2), (long / 2, spine / 2, thick / 2))],
        )
    ]
    for k in range(count):
        x = (k / (count - 1) - 0.5) * (long - 0.008)
        bar = rod([(0, 0.002, thick * 0.42, thick / 2), (tooth, 0.0014, thick * 0.36, thick / 2)], 4, sides=8)
        parts.append(bar.at(x=x, y=spine / 2 - 0.002, turn=Rotation.from_euler("z", 90, degrees=True)))
    return Recipe(tuple(parts), tags=("elongated",), lies=True)
