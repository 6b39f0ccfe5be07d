"""Extruded bodies: packs, books, soap, bricks, and solids with a star, a cross or a polygon as outline."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.objects.makers.vessels import Range
from gauge.objects.recipe import MM, Draw, Recipe
from gauge.objects.shapes.mesh import Array, loft
from gauge.objects.shapes.part import Part, Section, prism, rectangle, turned
from gauge.objects.shapes.solid import Solid, box, disc
from gauge.objects.skins import Paint

NO_TURN = (1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Block:
    """The ranges of a family of cuboids, millimetres: x, y, z, radius of the upright edges, chamfer of the others.

    Attributes:
        cube: whether all three sides are the first.
        screen: whether the upper face is a dark screen.
    """

    length: Range
    width: Range
    height: Range
    corner: Range = (0.5, 2)
    chamfer: Range = (0.4, 1)
    cube: bool = False
    tag: str = "square"
    screen: bool = False

    def __call__(self, d: Draw) -> Recipe:
        """One cuboid."""
        length, width, height = d.mm(*self.length), d.mm(*self.width), d.mm(*self.height)
        if self.cube:
            width = height = length
        outline = rectangle(length, width, d.mm(*self.corner))
        paints = {"face": Paint("black")} if self.screen else {}
        face = "face" if height < 0.6 * min(length, width) else "cap"  # what lies flat is printed on its face
        return Recipe((prism(outline, height, d.mm(*self.chamfer), cap=face),), paints, tags=(self.tag,))


def carton(d: Draw) -> Recipe:
    """A drink carton with a gable and perhaps a screw cap."""
    wide, height, gable = d.mm(42, 62), d.mm(80, 130), d.mm(16, 30)
    deep = wide * d(0.85, 1.0)
    body = rectangle(wide, deep, 0.001)
    ridge = rectangle(wide, 0.003, 0.001)
    levels = [(body, 0.0), (body, height), (ridge, height + gable), (ridge, height + gable + d.mm(6, 12))]
    shape = np.stack([np.concatenate([flat, np.full((len(flat), 1), z)], axis=1) for flat, z in levels])
    mesh = loft(shape, ["main", "cap", "cap"], ("cap", "cap"))
    shapes = [box((0, 0, height / 2), (wide / 2, deep / 2, height / 2))]
    for k, share in enumerate((0.75, 0.5, 0.25)):
        z = height + gable * (k + 0.5) / 3
        shapes.append(box((0, 0, z), (wide / 2, deep / 2 * share, gable / 6)))
    low, high = height + gable, levels[-1][1]
    shapes.append(box((0, 0, (low + high) / 2), (wide / 2, 0.0015, (high - low) / 2)))
    parts = [Part(mesh, tuple(shapes))]
    if d.chance(0.5):
        lid = np.array([[9.0, 0], [9.0, 1.0]]) * [MM, 11 * MM]
        parts.append(turned(lid, Section(sides=16), "accent").of("plastic").at(y=deep * 0.25, z=height + gable * 0.42))
    return Recipe(tuple(parts), tags=("square",))


def brick(d: Draw) -> Recipe:
    """A toy brick with studs."""
    pitch, rows, columns = d.mm(14, 18), d.pick((1, 2)), int(d.rng.integers(2, 5))
    height, stud = pitch * d(0.9, 1.5), pitch * 0.3
    length, width = columns * pitch, rows * pitch
    parts = [prism(rectangle(length, width, 0.0008), height, 0.0004, cap="cap")]
    for i in range(columns):
        for j in range(rows):
            knob = np.array([[1.0, 0], [1.0, 1.0]]) * [stud, 0.004]
            x, y = (i - (columns - 1) / 2) * pitch, (j - (rows - 1) / 2) * pitch
            parts.append(turned(knob, Section(sides=10), "cap").at(x, y, height - 0.0005))
    return Recipe(tuple(parts), tags=("square", "studs"))


def book(d: Draw) -> Recipe:
    """A closed book, lying flat or standing: two covers, a spine, a block of pages."""
    length, width, thick = d.mm(95, 165), d.mm(62, 112), d.mm(18, 40)
    board, inset = d.mm(2, 3.5), d.mm(2, 4)
    cover = prism(rectangle(length, width, 0.001), board, 0.0004)
    pages = prism(rectangle(length - 2 * inset, width - inset, 0.0008), thick - 2 * board + 0.001, skin="pages")
    spine = prism(rectangle(length, board, 0.0008), thick - 0.0006)
    parts = [
        cover,
        cover.at(z=thick - board),
        pages.of("paper").at(y=inset * 0.4, z=board - 0.0005),
        spine.at(y=-(width - board) / 2, z=0.0003),
    ]
    stands = thick > 0.024 and d.chance(0.6)
    if stands:
        upright = Rotation.from_euler("y", 90, degrees=True)
        parts = [part.at(x=-thick / 2, z=length / 2, turn=upright) for part in parts]
    tags = ("standing" if stands else "flat", "square")
    return Recipe(tuple(parts), {"pages": Paint("cream", "pinstripes", "tan")}, tags=tags)


def house(d: Draw) -> Recipe:
    """A toy house: a cuboid under a saddle roof."""
    length, width, height = d.mm(40, 70), d.mm(36, 58), d.mm(28, 55)
    roof, over = d.mm(18, 34), d.mm(2, 6)
    walls = prism(rectangle(length, width, 0.001), height)
    eaves, ridge = rectangle(length + 2 * over, width + 2 * over, 0.001), rectangle(length + 2 * over, 0.003, 0.001)
    shape = np.stack(
        [
            np.concatenate([flat, np.full((len(flat), 1), z)], axis=1)
            for flat, z in ((eaves, 0.0), (eaves, 0.003), (ridge, roof))
        ]
    )
    steps = [
        box((0, 0, roof * (k + 0.5) / 3), ((length / 2 + over), (width / 2 + over) * (1 - (k + 0.5) / 3), roof / 6))
        for k in range(3)
    ]
    top = Part(loft(shape, ["accent", "accent"], ("accent", "accent")), tuple(steps))
    return Recipe((walls, top.at(z=height - 0.0005)), tags=("square",))


def wedge(d: Draw) -> Recipe:
    """A wedge of cheese or cake: a sector of a disc."""
    radius, height, angle = d.mm(55, 95), d.mm(22, 50), d(0.5, 0.95)
    turn = np.linspace(-angle / 2, angle / 2, 9)
    arc = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius
    sides = [np.linspace(a, b, 5)[1:-1] for a, b in ((arc[-1], np.zeros(2)), (np.zeros(2), arc[0]))]
    outline = np.concatenate([arc, sides[0], [[0.0, 0.0]], sides[1]])
    centre = np.array([radius * 0.64, 0.0])
    boxes = []
    for k in range(5):
        low, high = radius * (k + 0.4) / 5.4, radius * (k + 1.4) / 5.4 * (0.985 if k == 4 else 1)
        half = (low + high) / 2 * np.tan(angle / 2) * 0.98
        boxes.append(box(((low + high) / 2 - centre[0], 0, height / 2), ((high - low) / 2, half, height / 2)))
    return Recipe((prism(outline - centre, height, 0.0008, cap="cap", boxes=boxes),), tags=("wedge",))


def _arms(count: int, long: float, half: float, height: float) -> list[Solid]:
    """Boxes from the middle outwards, for crosses and stars."""
    made = []
    for k in range(count):
        turn = Rotation.from_euler("z", 2 * np.pi * k / count)
        made.append(box(turn.apply((long / 2, 0, height / 2)), (long / 2, half, height / 2), turn))
    return made


def star(d: Draw) -> Recipe:
    """A toy star or flower with rounded or pointed arms."""
    arms, radius, height, waist = int(d.rng.integers(4, 8)), d.mm(26, 37), d.mm(18, 36), d(0.42, 0.68)
    angle = 2 * np.pi * np.arange(arms * 6) / (arms * 6)
    wave = np.abs(((angle * arms / (2 * np.pi) + 0.5) % 1) - 0.5) * 2
    reach = radius * (1 - (1 - waist) * wave)
    outline = np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
    core = waist * radius * 0.97
    boxes = disc(core, 0, height, NO_TURN, False) + _arms(arms, radius * 0.93, core * 0.3, height)
    return Recipe((prism(outline, height, 0.001, cap="cap", boxes=boxes),), tags=("star",))


def cross(d: Draw) -> Recipe:
    """A toy cross, T or L of two bars."""
    long, short, half, height = d.mm(26, 37), d.mm(22, 36), d.mm(8, 13), d.mm(18, 34)
    kind = d.pick(("cross", "T", "L"))
    west, east = (-long, long) if kind != "L" else (-half, long)
    south, north = (-short, short) if kind == "cross" else (-half, short)
    corners = [
        (east, -half),
        (east, half),
        (half, half),
        (half, north),
        (-half, north),
        (-half, half),
        (west, half),
        (west, -half),
        (-half, -half),
        (-half, south),
        (half, south),
        (half, -half),
    ]
    outline = _without_repeats(np.array(corners))
    boxes = [
        box(((west + east) / 2, 0, height / 2), ((east - west) / 2, half, height / 2)),
        box((0, (south + north) / 2, height / 2), (half, (north - south) / 2, height / 2)),
    ]
    return Recipe((prism(outline, height, 0.0006, cap="cap", boxes=boxes),), tags=(kind.lower(),))


def _without_repeats(corners: Array) -> Array:
    kept: list[Array] = []
    for corner in corners:
        if not any(np.allclose(corner, other) for other in kept):
            kept.append(corner)
    return np.array(kept)


def polygon(d: Draw) -> Recipe:
    """A prism or truncated pyramid with 3 to 8 sides, or a cylinder."""
    corners, radius, height, taper = d.pick((3, 5, 6, 8, 0)), d.mm(20, 36), d.mm(24, 80), d(0.55, 1.0)
    section = Section(corners=corners, sides=corners * 4 if corners else 28)
    profile = np.array([[radius, 0.0], [radius * taper, height]])
    part = turned(profile, section, cap="cap")
    if corners == 3:  # an octagon around a triangle would stick out
        part = Part(part.mesh, tuple(_pyramid(radius, taper, height)))
    return Recipe((part,), tags=(f"{corners}-sided" if corners else "cylinder",))


def _pyramid(radius: float, taper: float, height: float) -> list[Solid]:
    """Boxes inside a triangular prism, one corner on +x."""
    shapes = []
    for level in range(3):
        size, half = radius * (1 - (1 - taper) * (level + 0.5) / 3), height / 6
        for k in range(4):
            low, high = -0.5 + k * 0.33, -0.5 + (k + 1) * 0.33
            width = (1 - (low + high) / 2) * np.tan(np.pi / 6) * 0.95
            shapes.append(box(((low + high) / 2 * size, 0, (2 * level + 1) * half), (0.165 * size, width * size, half)))
    return shapes


CUBOIDS: dict[str, Block] = {
    "box": Block((50, 130), (22, 66), (30, 150), (0.3, 1)),
    "tea box": Block((60, 110), (40, 66), (55, 95), (0.3, 1)),
    "soap": Block((58, 92), (36, 58), (19, 32), (8, 24), (3, 7)),
    "sponge": Block((75, 120), (48, 66), (22, 40), (1, 12), (1, 4)),
    "toy block": Block((26, 62), (26, 55), (26, 62), (0.5, 6), (0.5, 3)),
    "toy cube": Block((22, 60), (0, 0), (0, 0), (0.5, 6), (0.5, 4), cube=True),
    "phone": Block((110, 155), (52, 66), (15, 19), (5, 10), (0.8, 2), screen=True),
    "remote": Block((110, 175), (34, 52), (16, 26), (3, 14), (1, 4)),
    "eraser": Block((38, 66), (16, 28), (15, 22), (0.8, 5), (0.6, 2)),
    "card deck": Block((58, 92), (40, 64), (16, 28), (0.5, 4), (0.3, 0.6)),
    "cutting board": Block((130, 200), (90, 140), (15, 24), (4, 25), (1, 3)),
    "chocolate bar": Block((80, 150), (38, 66), (15, 20), (0.5, 2), (0.5, 3)),
    "matchbox": Block((48, 66), (30, 42), (15, 24), (0.4, 1)),
    "butter pack": Block((70, 115), (40, 62), (26, 45), (1, 3), (1, 2)),
    "tin box": Block((60, 110), (45, 66), (28, 60), (6, 20), (1, 3)),
    "bread slice": Block((70, 105), (58, 75), (15, 24), (12, 26), (1, 3)),
    "wallet": Block((85, 115), (60, 74), (16, 26), (3, 10), (1.5, 4)),
    "tissue box": Block((90, 130), (58, 85), (50, 80), (0.5, 2)),
}
