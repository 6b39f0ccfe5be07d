"""The rules that scenarios are generated from: one YAML file per family of groups, read into typed groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gauge.errors import GaugeError
from gauge.suites.planned import CAPABILITIES, SPLITS
from gauge.vbddl.task import Swap

Position = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One goal in a group's scene, with one instruction per capability.

    Attributes:
        name: last part of the scenarios' names.
        goal: literals as lists of words; names are those of the group, `not` in front negates.
        texts, values: instruction and value of the diagnostic variable by capability.
        skills: what the robot has to do, in order.
        group: which group of the plan it counts for; the scene's own unless it says otherwise.
    """

    name: str
    goal: tuple[tuple[str, ...], ...]
    texts: Mapping[str, str]
    values: Mapping[str, str]
    skills: tuple[str, ...]
    group: str

    @property
    def subgoals(self) -> int:
        """How many things the goal wants to hold; what it wants to hold no longer follows from those."""
        return sum(literal[0] != "not" for literal in self.goal)


@dataclass(frozen=True, slots=True)
class Group:
    """One scene and its siblings.

    Attributes:
        name, split: which group of the plan this is part of.
        layout: name of the scene; a group of the plan may have several.
        arena: table, floor, kitchen, living or study.
        half: half-size of the regions that objects start in, m.
        shift: how far the scene as a whole may start to either side along x and y, m.
        fixtures: position (x, y, yaw) by name, or (x, y, yaw, how far it may start turned to either side, rad).
        objects: position (x, y), (x, y, half) or (x, y, half x, half y) by name, or the name of what carries it.
        zones: places on the table that only goals or `swap` name: (x, y, half), (x, y, half, yaw) where a fixture may
            come to stand, or (x, y, half, red, green, blue) if it is seen.
        swap: sets of groups that exchange their places from start to start; names are of fixtures, objects and zones.
        init: further facts of the start, e.g. open drawers.
        members: at least two goals.
        prefixes: first part of the scenarios' names by capability.
        diagnostic, reason: by capability.
    """

    name: str
    split: str
    layout: str
    arena: str
    half: float
    shift: tuple[float, float]
    fixtures: Mapping[str, Position]
    objects: Mapping[str, Position | str]
    zones: Mapping[str, Position]
    swap: Swap
    init: tuple[tuple[str, ...], ...]
    members: tuple[Member, ...]
    prefixes: Mapping[str, str]
    diagnostic: Mapping[str, str]
    reason: Mapping[str, str]

    def yaw(self, name: str) -> float | None:
        """How a fixture stands that starts in this place, rad; None if the place says nothing of it."""
        if name in self.fixtures:
            return self.fixtures[name][2]
        place = self.zones.get(name, ())
        return place[3] if len(place) == 4 else None

    def halves(self, name: str) -> tuple[float, float]:
        """Half-sizes (x, y, m) of the region that an object starts in; 0 for what has none of its own on the table."""
        place = self.objects.get(name, "")
        if isinstance(place, str):
            return 0.0, 0.0
        return (self.half, self.half) if len(place) == 2 else (place[2], place[-1])


@cache
def groups() -> tuple[Group, ...]:
    """All groups of all files, in order of file and place.

    Raises:
        GaugeError: a file is not as it should be.
    """
    import yaml

    found: list[Group] = []
    for path in sorted(files("gauge.suites.rules").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".yaml"):
            raw = yaml.safe_load(path.read_text(encoding="utf-8"))
            try:
                found += [_group(raw, one) for one in raw["groups"]]
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise GaugeError(f"gauge/suites/rules/{path.name}: {type(error).__name__}: {error}") from error
    return tuple(found)


def _group(head: Mapping[str, Any], raw: Mapping[str, Any]) -> Group:
    capabilities = head["capabilities"]
    unknown = [name for name in capabilities if name not in CAPABILITIES]
    if unknown or head["split"] not in SPLITS:
        raise KeyError(*unknown, head["split"])
    return Group(
        name=raw["group"],
        split=head["split"],
        layout=raw.get("layout", raw["group"]),
        arena=raw["arena"],
        half=float(raw["half"]),
        shift=_pair(raw.get("shift", head["shift"])),
        fixtures={name: tuple(map(float, at)) for name, at in raw.get("fixtures", {}).items()},
        objects={name: at if isinstance(at, str) else tuple(map(float, at)) for name, at in raw["objects"].items()},
        zones={name: tuple(map(float, at)) for name, at in raw.get("zones", {}).items()},
        swap=tuple(tuple(map(_together, groups)) for groups in raw.get("swap", ())),
        init=tuple(tuple(fact) for fact in raw.get("init", ())),
        members=tuple(_member(head, raw["group"], one) for one in raw["members"]),
        prefixes=head["prefixes"],
        diagnostic=head["diagnostic"],
        reason=head["reason"],
    )


def _together(raw: str | Sequence[str]) -> tuple[str, ...]:
    """A group that exchanges its places: one name alone, or a list of them."""
    return (raw,) if isinstance(raw, str) else tuple(raw)


def _pair(raw: tuple[float, float]) -> tuple[float, float]:
    x, y = map(float, raw)
    return x, y


def _member(head: Mapping[str, Any], group: str, raw: Mapping[str, Any]) -> Member:
    """Text and value may be the same for all capabilities, which is written without naming them."""
    capabilities = head["capabilities"]

    def each(entry: str | Mapping[str, str]) -> Mapping[str, str]:
        return dict.fromkeys(capabilities, entry) if isinstance(entry, str) else {k: entry[k] for k in capabilities}

    goal = tuple(tuple(literal) for literal in raw["goal"])
    skills = tuple(raw.get("skills", head["skills"]))
    return Member(raw["name"], goal, each(raw["text"]), each(raw["value"]), skills, raw.get("group", group))
