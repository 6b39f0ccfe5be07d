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


_CALLISTER = "Callister, Materials Science and Engineering, 8th ed., appendix B.1"
_FAO = "FAO/INFOODS Density Database 2.0 (2012)"

MATERIALS = {
    "aluminium": Material(2700, "brushed", _CALLISTER),
    "steel": Material(7850, "brushed", _CALLISTER),
    "iron": Material(7200, "speckle", _CALLISTER),
    "glass": Material(2500, "plain", _CALLISTER),
    "ceramic": Material(2400, "glaze", _CALLISTER + " (porcelain: 2400)"),
    "plastic": Material(950, "plain", _CALLISTER + " (polypropylene and polyethylene: 910 to 960)"),
    "rubber": Material(1100, "plain", _CALLISTER),
    "wood": Material(650, "wood", "Forest Products Laboratory, Wood Handbook (2010), table 5-3 (beech, maple)"),
    "cardboard": Material(690, "plain", "TAPPI: paperboard, about 0.69 g/cm^3"),
    "paper": Material(800, "plain", "ISO 534: uncoated book paper, 0.8 g/cm^3"),
    "wax": Material(900, "plain", "paraffin, 0.88 to 0.92 g/cm^3 (CRC Handbook)"),
    "soap": Material(1050, "plain", "bar soap, 1.0 to 1.1 g/cm^3"),
    "foam": Material(60, "speckle", "flexible polyurethane foam, 20 to 80 kg/m^3"),
    "hollow": Material(350, "plain", "whole body averaged; a tennis ball has 58 g in 150 cm^3 (ITF rules)"),
    "food": Material(1000, "plain", _FAO + ": liquids and canned food, 950 to 1050"),
    "dry": Material(420, "plain", _FAO + ": flour, rice, cereal and sugar packed loosely, 150 to 850"),
    "fruit": Material(850, "fruit", _FAO + ": apple 0.79, banana 0.95, lemon 0.95 g/cm^3"),
    "egg": Material(1030, "speckle", _FAO + ": whole egg 1.03 g/cm^3"),
    "bread": Material(270, "speckle", _FAO + ": bread 0.22 to 0.42 g/cm^3"),
    "electronics": Material(1700, "plain", "phones and remotes, 120 to 200 g by 70 to 110 cm^3"),
    "bristle": Material(300, "stripes", "nylon tufts, about a quarter filled"),
}


def material(name: str) -> Material:
    """The material of that name."""
    if name not in MATERIALS:
        raise unknown("material", name, list(MATERIALS))
    return MATERIALS[name]
