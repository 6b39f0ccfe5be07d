"""One object of the pool, as a row of a table."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gauge.errors import GaugeError
from gauge.objects.grasp import Grasp
from gauge.objects.materials import LIBERO_FRICTION

SPLITS = ("seen", "unseen-shape", "unseen-family")
MIN_TARGET_HEIGHT_MM, MAX_TARGET_WIDTH_MM, MAX_TARGET_MASS_G = 15.0, 65.0, 500.0


@dataclass(frozen=True, slots=True)
class Entry:
    """One object.

    Attributes:
        id: unique, e.g. gen/toy_car/0007, libero/plate, robosuite/can, or NAME/MODEL of an imported folder.
        source: generator, libero, robosuite, or the name of an imported folder.
        licence: of the model's files.
        category: what it is, e.g. toy car; its family.
        digest: SHA-256 (16 hex digits) of the files; of a generated object, of what is generated.
        split: seen, unseen-shape (a shape kept aside in a seen family) or unseen-family.
        size_mm: extent along x, y, z.
        mass_g: as simulated.
        material, color, pattern: names, or empty where unknown.
        tags: words about its shape.
        upright: quaternion (w, x, y, z) in which it stands.
        collision: kinds of its collision shapes with their number, e.g. box 12.
        faces: triangles of the visual mesh.
        grasp: where a parallel gripper holds it, None if it cannot.
        receptacle: whether things can be put on or in it.
        articulated: whether it has hinges or slides; it is then fixed to the table.
        tilt_deg, sunk_mm, rise_mm, turn_deg: what `check` measured.
    """

    id: str
    source: str
    licence: str
    category: str
    digest: str
    split: str
    size_mm: tuple[float, float, float]
    mass_g: float
    material: str
    color: str
    pattern: str
    tags: tuple[str, ...]
    upright: tuple[float, float, float, float]
    collision: str
    faces: int
    grasp: Grasp | None
    receptacle: bool
    articulated: bool
    tilt_deg: float
    sunk_mm: float
    rise_mm: float
    turn_deg: float

    @property
    def friction(self) -> tuple[float, float, float]:
        """Sliding, torsional (m) and rolling (m) friction: LIBERO's, for all of them."""
        return LIBERO_FRICTION

    @property
    def target(self) -> bool:
        """Whether it can be what a task picks up: held in `check`, light, not flat, narrow where it is held."""
        held = self.grasp is not None and self.grasp.width_m * 1000 <= MAX_TARGET_WIDTH_MM
        return held and self.size_mm[2] >= MIN_TARGET_HEIGHT_MM and self.mass_g <= MAX_TARGET_MASS_G

    @property
    def words(self) -> set[str]:
        """Everything that `list --tag` finds it by."""
        found = {self.material, self.color, self.pattern, *self.tags, *self.category.split()}
        found |= {self._proportion(), self.category}
        flags = {"target": self.target, "receptacle": self.receptacle, "articulated": self.articulated,
                 "graspable": self.grasp is not None}  # fmt: skip
        return (found | {name for name, on in flags.items() if on}) - {""}

    def _proportion(self) -> str:
        """Tall, squat or nothing, by the narrower side, so that a handle does not count."""
        share = self.size_mm[2] / max(min(self.size_mm[:2]), 1.0)
        if "elongated" in self.tags:
            return ""
        return "tall" if share > 1.25 else "squat" if share < 0.85 else ""


COLUMNS = (
    *("id", "source", "licence", "category", "digest", "split", "size_mm", "mass_g", "material", "color", "pattern"),
    *("tags", "upright", "collision", "faces", "grasp", "flags", "tilt_deg", "sunk_mm", "rise_mm", "turn_deg"),
)


def row(one: Entry) -> dict[str, str]:
    """The entry as text, one field a column."""
    held = one.grasp
    grasp = [held.kind, *(f"{x:.4f}" for x in (*held.point, held.yaw_rad, held.width_m))] if held else []
    flags = [name for name in ("receptacle", "articulated") if getattr(one, name)]
    text = {name: str(getattr(one, name)) for name in COLUMNS if name not in ("grasp", "flags")}
    return {
        **text,
        "size_mm": " ".join(f"{x:.1f}" for x in one.size_mm),
        "mass_g": f"{one.mass_g:.1f}",
        "tags": " ".join(one.tags),
        "upright": " ".join(f"{x:g}" for x in one.upright),
        "grasp": " ".join(grasp),
        "flags": " ".join(flags),
        **{name: f"{getattr(one, name):.2f}" for name in ("tilt_deg", "sunk_mm", "turn_deg")},
        "rise_mm": f"{one.rise_mm:.0f}",
    }


def parse(raw: Mapping[str, str]) -> Entry:
    """The entry that a row holds.

    Raises:
        ValueError, KeyError: the row is damaged.
    """
    held = raw["grasp"].split()
    numbers = [float(x) for x in held[1:]]
    grasp = Grasp(held[0], (numbers[0], numbers[1], numbers[2]), numbers[3], numbers[4]) if held else None
    size, upright = ([float(x) for x in raw[name].split()] for name in ("size_mm", "upright"))
    flags = raw["flags"].split()
    return Entry(
        raw["id"], raw["source"], raw["licence"], raw["category"], raw["digest"], raw["split"],
        (size[0], size[1], size[2]), float(raw["mass_g"]), raw["material"], raw["color"], raw["pattern"],
        tuple(raw["tags"].split()), (upright[0], upright[1], upright[2], upright[3]), raw["collision"],
        int(raw["faces"]), grasp, "receptacle" in flags, "articulated" in flags,
        *(float(raw[name]) for name in ("tilt_deg", "sunk_mm", "rise_mm", "turn_deg")),
    )  # fmt: skip


def read(path: Path) -> list[Entry]:
    """The entries of a table.

    Raises:
        GaugeError: the file is missing or damaged.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [parse(raw) for raw in csv.DictReader(file)]
    except FileNotFoundError as error:
        raise GaugeError(
            f"{path} does not exist; a folder of objects is made by python -m gauge.objects import"
        ) from error
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise GaugeError(f"{path} is damaged ({type(error).__name__}: {error}); import the folder again") from error


def write(path: Path, entries: Iterable[Entry]) -> None:
    """Write the table in order of id, all at once."""
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(row(one) for one in sorted(entries, key=lambda one: one.id))
    new.replace(path)
