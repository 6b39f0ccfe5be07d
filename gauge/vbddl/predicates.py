"""The predicates of V-BDDL: how many names each takes, of which kind, and what it says."""

from dataclasses import dataclass
from typing import Literal as Choice

Kind = Choice["object", "place", "region", "part", "switch", "solid"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate and the kinds of its arguments.

    object: a declared object or fixture; region: a declared region; place: either; part: an object or region that
    opens and closes; switch: an object that turns on and off, or to its sides; solid: an object that moves freely and
    has an upper end. `gauge.sim.predicates` has the exact rules.
    """

    name: str
    kinds: tuple[Kind, ...]
    meaning: str
    can_start: bool

    @property
    def usage(self) -> str:
        """How it is written, e.g. `(On OBJECT PLACE)`."""
        return f"({' '.join([self.name, *(kind.upper() for kind in self.kinds)])})"


_ALL = (
    Predicate("On", ("object", "place"), "rests on an object or within a region's top", True),
    Predicate("In", ("object", "region"), "its origin is inside a region's box", True),
    Predicate("Open", ("part",), "a drawer or door is open", True),
    Predicate("Close", ("part",), "a drawer or door is pushed shut", True),
    Predicate("TurnOn", ("switch",), "a knob is turned on", True),
    Predicate("TurnOff", ("switch",), "a knob is turned off", True),
    Predicate("TurnLeft", ("switch",), "a handle is turned to the left, seen from its front", False),
    Predicate("TurnRight", ("switch",), "a handle is turned to the right, seen from its front", False),
    Predicate("Upright", ("solid",), "stands the right way up, on something and still", False),
    Predicate("Lying", ("solid",), "lies on its side", True),
    Predicate("Up", ("object",), "its origin is at least 1 m above the floor", False),
    Predicate("InContact", ("object", "object"), "the two touch", False),
    Predicate("Stack", ("object", "object"), "On, and strictly higher", False),
)
PREDICATES = {predicate.name.lower(): predicate for predicate in _ALL}

REFUSED = {
    "true": "it holds always and says nothing about the scene",
    "false": "it never holds",
    "printjointstate": "it is LIBERO's debugging aid and holds always",
}
CONNECTIVES = ("and", "or", "not", "forall", "exists")
UNSUPPORTED = ("imply", "when", "forn", "forpairs", "fornpairs")


def canonical(word: str) -> str:
    """The predicate's proper spelling for a lower-case word; unknown words stay as they are."""
    known = PREDICATES.get(word)
    return known.name if known else word
