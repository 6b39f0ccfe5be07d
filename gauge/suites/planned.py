"""How many scenarios each capability and split has, and of which groups: the plan that generated suites are held to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CAPABILITIES = (
    "visual_perception",
    "semantic_grounding",
    "common_sense",
    "spatial_reasoning",
    "action_reasoning",
    "compositional",
)
SPLITS = ("id", "ood")
_SHARED = {
    "id": {**dict.fromkeys(("V1a", "V1b", "V1c", "V2a", "V2b", "V2c", "V3a", "V3b", "V3c", "V4a"), 2), "V4b": 3},
    "ood": {**dict.fromkeys(("W1a", "W1b", "W1c", "W2a", "W2b", "W2c", "W3a", "W4a"), 2), "W3b": 3, "W4b": 3},
}
PLAN: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    "visual_perception": _SHARED,
    "semantic_grounding": _SHARED,
    "common_sense": _SHARED,
    "spatial_reasoning": {"id": {"S1": 10, "S2": 6, "S3": 6, "S4": 6}, "ood": {"T1": 5, "T2": 4, "T3": 4, "T4": 4}},
    "action_reasoning": {
        "id": {"A1": 9, "A2": 7, "A3": 1, "A4": 4, "A5": 2, "A6": 3},
        "ood": {"B1": 5, "B2": 5, "B3": 3, "B4": 3, "B5": 3},
    },
    "compositional": {
        "id": {"C1": 10, "C2": 7, "C3": 5, "C4": 8, "C5": 5},
        "ood": {"D1": 3, "D2": 2, "D3": 2, "D4": 2, "D5": 1},
    },
}


@dataclass(frozen=True, slots=True)
class Subsuite:
    """One capability in one split: what is planned and what is built, by group."""

    capability: str
    split: str
    planned: Mapping[str, int]
    built: Mapping[str, int]

    @property
    def total(self) -> int:
        """Scenarios planned."""
        return sum(self.planned.values())

    @property
    def done(self) -> int:
        """Scenarios built."""
        return sum(self.built.values())

    @property
    def missing(self) -> list[str]:
        """Groups that are not, or not wholly, built."""
        return [name for name, number in self.planned.items() if self.built.get(name, 0) < number]


def subsuites(built: Mapping[tuple[str, str, str], int]) -> Iterator[Subsuite]:
    """The twelve, given how many scenarios are built of each (capability, split, group)."""
    for capability in CAPABILITIES:
        for split in SPLITS:
            planned = PLAN[capability][split]
            here = {key[2]: number for key, number in built.items() if key[:2] == (capability, split)}
            yield Subsuite(capability, split, planned, here)
