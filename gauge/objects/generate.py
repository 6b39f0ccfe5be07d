"""From a family and a seed to a built object; the same numbers on every machine."""

from dataclasses import dataclass

import numpy as np

from gauge.core.seeds import seed
from gauge.objects.families import Family, family
from gauge.objects.materials import material
from gauge.objects.model import Built, assemble
from gauge.objects.recipe import Draw
from gauge.objects.skins import Paint

RECIPE_VERSION = 1
NEUTRAL = ("white", "cream", "grey")
FIXED = {"metal": Paint("silver", "brushed"), "bristle": Paint("cream", "pinstripes", "tan"), "dark": Paint("black"),
         "stem": Paint("brown", "plain")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """A built object with what was drawn for it."""

    built: Built
    material: str
    color: str
    pattern: str
    tags: tuple[str, ...]


def generate(name: str, number: int) -> Drawn:
    """Object `number` of a family. The shape's draws come from one stream, the skin's from another.

    Raises:
        GaugeError: there is no such family.
    """
    kind = family(name)
    shape = Draw(np.random.default_rng(seed("object", RECIPE_VERSION, name, number, "shape")))
    skin = Draw(np.random.default_rng(seed("object", RECIPE_VERSION, name, number, "skin")))
    base = shape.pick(kind.materials)
    recipe = kind.make(shape)
    color = skin.pick(kind.colors)
    pattern = skin.pick(kind.patterns) if kind.patterns else material(base).pattern
    grown = base in ("fruit", "bread", "egg")
    second = skin.pick(kind.colors if grown else [other for other in (*kind.colors, *NEUTRAL) if other != color])
    if pattern == "wood" and recipe.lies:
        pattern = "timber"
    paints = {**_paints(kind, color, second, pattern), **recipe.paints}
    label = f"{name.replace(' ', '_')}_{number:04d}"
    built = assemble(label, recipe, base, paints, skin.rng)
    return Drawn(built, base, color, pattern, recipe.tags)


def _paints(kind: Family, color: str, second: str, pattern: str) -> dict[str, Paint]:
    quiet = pattern if pattern in ("wood", "timber", "brushed", "speckle", "marble", "fruit") else "plain"
    inside = Paint(
        color if quiet in ("wood", "timber", "brushed") else second if second in ("white", "cream") else color,
        quiet,
        second,
    )
    return {
        **FIXED,
        "main": Paint(color, pattern, second),
        "face": Paint(color, pattern, second),
        "inside": inside,
        "dish": Paint(color, quiet, second),
        "cap": Paint(color if "label" not in kind.patterns else second, quiet, color),
        "accent": Paint(second, "plain", color),
    }
