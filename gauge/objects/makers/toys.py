"""Toys put together from blocks, wheels and hulls; wheels have flat feet, so that nothing rolls away."""

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.recipe import Draw, Recipe
from gauge.objects.shapes.part import Part, Section, prism, rectangle, rod, turned
from gauge.objects.shapes.solid import box
from gauge.objects.skins import Paint

WHEELS = {"wheel": Paint("black"), "window": Paint("teal", "plain")}


def _wheels(places: list[float], half_track: float, radius: float, thick: float) -> list[Part]:
    """Pairs of wheels standing on the table."""
    tread = np.array([[0.8, 0], [1.0, 0.12], [1.0, 0.88], [0.8, 1.0]]) * [radius, thick]
    wheel = turned(tread, Section(sides=16), "wheel")
    stand = (box((0, 0, thick / 2), (radius * 0.72, radius, thick / 2)),)  # y turns downwards: flat feet
    flat = Part(wheel.mesh, stand)
    upright = Rotation.from_euler("x", 90, degrees=True)
    return [flat.at(x=x, y=side * half_track + thick / 2, z=radius, turn=upright) for x in places for side in (-1, 1)]


def car(d: Draw) -> Recipe:
    """A car: a low body, a cabin, four wheels."""
    length, width, body = d.mm(66, 110), d.mm(34, 50), d.mm(12, 20)
    radius, cabin, tall = d.mm(7.5, 12), length * d(0.38, 0.6), d.mm(11, 20)
    low = radius * 0.7
    hull = prism(rectangle(length, width, d.mm(3, 10)), body, 0.002).at(z=low)
    shift, lean = length * d(-0.1, 0.08), d(0.7, 0.92)
    top = turned(
        np.array([[1.0, 0], [lean, 1.0]]) * [0.5 * width * 0.86, tall],
        Section(power=7, aspect=(cabin / width / 0.86, 1.0), sides=24),
        "window",
        "main",
    ).at(x=shift, z=low + body - 0.0005)
    wheels = _wheels([-length * 0.31, length * 0.31], width * 0.47, radius, d.mm(6, 9))
    return Recipe((hull, top, *wheels), WHEELS, tags=("wheels",))


def truck(d: Draw) -> Recipe:
    """A lorry or a bus: a cab and a load on one chassis."""
    length, width, radius = d.mm(85, 130), d.mm(34, 48), d.mm(7.5, 11)
    low, cab = radius * 0.8, length * d(0.2, 0.3)
    chassis = prism(rectangle(length, width, 0.003), d.mm(7, 10), 0.001, skin="dark").at(z=low)
    front = prism(rectangle(cab, width * 0.96, 0.004), d.mm(20, 32), 0.002, skin="accent").at(
        x=(length - cab) / 2, z=low + 0.004
    )
    load = prism(rectangle(length - cab - 0.003, width, 0.002), d.mm(16, 36), 0.001).at(
        x=-(cab + 0.003) / 2, z=low + 0.004
    )
    wheels = _wheels([-length * 0.36, -length * 0.08, length * 0.34], width * 0.47, radius, d.mm(6, 9))
    return Recipe((chassis, front, load, *wheels), WHEELS, tags=("wheels",))


def train(d: Draw) -> Recipe:
    """A steam engine: a boiler, a cab, a chimney."""
    length, width, radius = d.mm(78, 115), d.mm(32, 44), d.mm(8, 11)
    low, boiler, cab = radius * 0.9, d.mm(11, 15), length * d(0.28, 0.4)
    base = prism(rectangle(length, width, 0.002), 0.007, 0.001, skin="dark").at(z=low)
    drum = rod([(0, boiler, boiler, 0), (length - cab, boiler, boiler, 0)], skin="main").at(
        x=-length / 2 + cab, z=low + 0.006 + boiler
    )
    house = prism(rectangle(cab, width * 0.95, 0.002), d.mm(30, 44), 0.002, skin="accent").at(
        x=-(length - cab) / 2, z=low + 0.005
    )
    pipe = np.array([[0.75, 0], [0.75, 0.6], [1.2, 1.0]]) * [d.mm(4, 6.5), d.mm(12, 22)]
    chimney = turned(pipe, Section(sides=12), "dark").at(x=length * 0.34, z=low + 0.004 + 2 * boiler)
    wheels = _wheels([-length * 0.34, 0.0, length * 0.34], width * 0.46, radius, 0.006)
    return Recipe((base, drum, house, chimney, *wheels), WHEELS, tags=("wheels",))


def boat(d: Draw) -> Recipe:
    """A boat with a flat bottom, a deckhouse and a funnel."""
    length, half, deep = d.mm(90, 145), d.mm(17, 29), d.mm(10, 15)
    hull = rod(
        [
            (-length / 2, half * 0.7, deep, deep),
            (-length * 0.42, half * 0.95, deep, deep),
            (length * 0.1, half, deep, deep),
            (length * 0.3, half * 0.75, deep, deep),
            (length * 0.44, half * 0.3, deep, deep),
            (length / 2, 0.002, deep * 0.9, deep),
        ],
        5,
    )
    cabin = prism(rectangle(length * d(0.25, 0.42), half * 1.2, 0.004), d.mm(12, 22), 0.001, skin="accent").at(
        x=-length * 0.1, z=2 * deep - 0.001
    )
    pipe = np.array([[1.0, 0], [1.0, 1.0]]) * [d.mm(4, 7), d.mm(28, 42)]
    return Recipe(
        (hull, cabin, turned(pipe, Section(sides=12), "dark").at(x=-length * d(0.05, 0.18), z=2 * deep - 0.001)),
        tags=("hull",),
    )


def plane(d: Draw) -> Recipe:
    """An aeroplane on its belly: fuselage, wings, tail."""
    length, half = d.mm(95, 140), d.mm(10, 15)
    body = rod(
        [
            (-length / 2, half * 0.3, half * 0.35, half * 1.2),
            (-length * 0.3, half * 0.75, half * 0.8, half),
            (0, half, half, half),
            (length * 0.35, half * 0.95, half * 0.95, half),
            (length * 0.47, half * 0.6, half * 0.6, half),
            (length / 2, half * 0.2, half * 0.2, half),
        ],
        2.5,
    )
    chord, span = length * d(0.18, 0.28), length * d(0.35, 0.48)
    wing = prism(rectangle(chord, 2 * span, chord * 0.3), 0.006, 0.001, skin="accent").at(
        x=length * 0.06, z=half * d(0.8, 1.3)
    )
    tail = prism(rectangle(chord * 0.6, span * 0.8, chord * 0.15), 0.004, 0.001, skin="accent").at(
        x=-length * 0.43, z=half * 1.2
    )
    fin = prism(rectangle(chord * 0.6, 0.005, 0.001), half * d(1.3, 1.9), skin="accent").at(
        x=-length * 0.43, z=half * 1.2
    )
    return Recipe((body, wing, tail, fin), tags=("wings",))


def ring_tower(d: Draw) -> Recipe:
    """A stacking toy: rings that get smaller on a post."""
    radius, count, thick = d.mm(27, 36.5), int(d.rng.integers(3, 6)), d.mm(11, 18)
    parts, z = [], 0.0
    for k in range(count):
        size = radius * (1 - 0.5 * k / count)
        ring = np.array([[0.86, 0], [1.0, 0.3], [1.0, 0.7], [0.86, 1.0]]) * [size, thick]
        parts.append(turned(ring, Section(sides=24), ("main", "accent", "window")[k % 3]).at(z=z))
        z += thick - 0.0002
    knob = np.array([[0.5, 0], [1.0, 0.4], [0.8, 0.8], [0.1, 1.0]]) * [0.009, d.mm(12, 18)]
    parts.append(turned(knob, Section(sides=14), "main").at(z=z))
    return Recipe(tuple(parts), {"window": Paint("yellow")}, tags=("round",))
