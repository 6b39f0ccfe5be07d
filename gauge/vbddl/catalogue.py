"""Problems and object types, from data files, so that checking a task needs no simulator.

`libero.json` is what the installed package says; `joints.json` are our rules for joints that it packages without any,
or with one that cannot be met.
"""

import json
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Limit:
    """When a joint counts as open, closed, on or off: `q OP limit` (rad, or m for drawers)."""

    comparison: str
    limit: float

    def holds(self, q: float) -> bool:
        """Whether the joint position `q` counts."""
        return OPERATORS[self.comparison](q, self.limit)


@dataclass(frozen=True, slots=True)
class Site:
    """A region of a model: its shape and the joints of the body that carries it."""

    shape: str
    joints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of object or fixture.

    Attributes:
        missing: model file that the packages lack, which makes the type unusable; else empty.
        fixture: whether it can be declared as a fixture (fixed to the table).
        movable: whether it can be declared as an object (free to move).
        joints: its hinges and slides.
        regions: its regions by name.
        states: by lower-case predicate (open, close, turnon, turnoff, turnleft, turnright) the rule of its joints.
        up: axis of its own frame (x, y or z) that points up when LIBERO stands it up; empty if none does.
    """

    missing: str
    fixture: bool
    movable: bool
    joints: tuple[str, ...]
    regions: Mapping[str, Site]
    states: Mapping[str, Limit]
    up: str = ""


@dataclass(frozen=True, slots=True)
class Workspace:
    """The table (or floor) of a problem: the type and the one name that LIBERO expects for it."""

    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything that a task may name: problems with their tables, and types."""

    package: str
    problems: Mapping[str, Workspace]
    types: Mapping[str, Kind]


@cache
def libero() -> Catalogue:
    """The catalogue of the packaged LIBERO, made by `python -m gauge.sim.catalogue`, with our rules for more joints."""
    raw, own = _read("libero.json"), joints()
    problems = {name: Workspace(**row) for name, row in raw["problems"].items()}
    types = {name: _kind(row, own.get(name, {})) for name, row in raw["types"].items()}
    return Catalogue(raw["package"], problems, types)


@cache
def joints() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Our rules for joints: by type and predicate the comparison `q`, the `limit` and the range of starts."""
    found: Mapping[str, Mapping[str, Mapping[str, Any]]] = _read("joints.json")
    return found


def _read(name: str) -> Any:
    return json.loads(files("gauge.vbddl").joinpath(name).read_text(encoding="utf-8"))


def _kind(row: Mapping[str, Any], own: Mapping[str, Any]) -> Kind:
    if "missing" in row:
        return Kind(row["missing"], True, True, (), {}, {})
    sites = {name: Site(site["shape"], tuple(site["joints"])) for name, site in row["regions"].items()}
    limits = {name: Limit(state["q"], state["limit"]) for name, state in (row["states"] | own).items()}
    return Kind("", row["fixture"], row["movable"], tuple(row["joints"]), sites, limits, row["up"])
