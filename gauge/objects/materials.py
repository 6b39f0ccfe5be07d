"""Densities and friction of what household objects are made of."""

from dataclasses import dataclass

from gauge.errors import unknown

LIBERO_FRICTION = (0.95, 0.3, 0.1)
"""Sliding, torsional (m) and rolling (m) friction of every free object in LIBERO's models.

The pool keeps them: MuJoCo takes the larger of two friction coefficients at a contact, LIBERO's tables and the
Panda's finger pads have 1 and 2, so a smaller number on the object would change nothing.
"""


@dataclass(frozen=True, slots=True)
class Material:
    """kg/m^3 and how it is painted when the family does not say."""

    density: float
    pattern: str
    source: str


_CALLISTER = "Callister, Materials Science and Engineering, appendix B.1"
_FAO = "FAO/INFOODS Density Database"
_PLAIN = "rounded estimate: "

MATERIALS = {
    "aluminium": Material(2700, "brushed", _CALLISTER),
    "steel": Material(7850, "brushed", _CALLISTER),
    "glass": Material(2500, "plain", _CALLISTER + " (soda-lime)"),
    "ceramic": Material(2400, "glaze", _PLAIN + "porcelain and stoneware, 2.3 to 2.5 g/cm^3"),
    "plastic": Material(950, "plain", _CALLISTER + " (polypropylene 0.91, polyethylene 0.96 g/cm^3)"),
    "rubber": Material(1100, "plain", _PLAIN + "filled rubber, 0.95 to 1.2 g/cm^3"),
    "wood": Material(650, "wood", "Forest Products Laboratory, Wood Handbook (2010), chapter 5 (beech, maple)"),
    "paper": Material(800, "plain", _PLAIN + "uncoated book paper"),
    "wax": Material(900, "plain", _PLAIN + "paraffin, just below water"),
    "soap": Material(1050, "plain", _PLAIN + "bar soap, just above water"),
    "foam": Material(60, "speckle", _PLAIN + "flexible polyurethane foam, 20 to 80 kg/m^3"),
    "hollow": Material(
        350, "plain", _PLAIN + "toys and cases averaged over the body; a tennis ball has 58 g in 150 cm^3"
    ),
    "food": Material(1000, "plain", _FAO + " (drinks and liquid foods: 0.98 to 1.09 g/ml)"),
    "dry": Material(420, "plain", _FAO + " (powders: 0.2 to 0.55 g/ml)"),
    "fruit": Material(850, "fruit", _PLAIN + "fruit that floats on water"),
    "egg": Material(1030, "speckle", _PLAIN + "a fresh egg just sinks in water"),
    "bread": Material(270, "speckle", _PLAIN + "bread, cake and mushrooms, mostly air"),
    "electronics": Material(1700, "plain", _PLAIN + "phones and remotes, 120 to 200 g in 70 to 110 cm^3"),
    "bristle": Material(300, "stripes", _PLAIN + "nylon tufts, about a quarter filled"),
}


def material(name: str) -> Material:
    """The material of that name."""
    if name not in MATERIALS:
        raise unknown("material", name, list(MATERIALS))
    return MATERIALS[name]
