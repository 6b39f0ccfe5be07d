"""The goal of a task as a tree: literals under and, or, not, forall and exists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gauge.errors import GaugeError
from gauge.vbddl.problems import Place

MAX_LITERALS = 10_000


@dataclass(frozen=True, slots=True)
class Literal:
    """A predicate over names; an argument that starts with `?` is a variable of an enclosing quantifier."""

    predicate: str
    arguments: tuple[str, ...]
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """The literal in V-BDDL."""
        return f"({' '.join([self.predicate, *self.arguments])})"


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold."""

    parts: "tuple[Goal, ...]"
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds."""

    parts: "tuple[Goal, ...]"
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Goal"
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ForAll:
    """The body holds for every object of the type; `variable` starts with `?`."""

    variable: str
    type: str
    body: "Goal"
    place: Place | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Exists:
    """The body holds for at least one object of the type; `variable` starts with `?`."""

    variable: str
    type: str
    body: "Goal"
    place: Place | None = field(default=None, compare=False)


Goal = Literal | And | Or | Not | ForAll | Exists


def literals(goal: Goal) -> Iterator[Literal]:
    """All literals of the tree, from left to right, repeated ones too."""
    match goal:
        case Literal():
            yield goal
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part)
        case Not(part) | ForAll(body=part) | Exists(body=part):
            yield from literals(part)


def wants(goal: Goal) -> Iterator[Literal | Not]:
    """What a ground goal asks for: all of a conjunction, the first of alternatives; what must not hold as its `Not`."""
    match goal:
        case Literal() | Not(Literal()):
            yield goal
        case And(parts):
            for part in parts:
                yield from wants(part)
        case Or(parts):
            yield from wants(parts[0])


def ground(goal: Goal, members: Mapping[str, tuple[str, ...]]) -> Goal:
    """The goal without quantifiers: forall becomes And, exists becomes Or over the `members` of the type.

    Raises:
        GaugeError: nested quantifiers would give more than 10,000 literals.
    """
    size = _size(goal, members)
    if size > MAX_LITERALS:
        raise GaugeError(f"the goal's quantifiers make {size} literals; at most {MAX_LITERALS} are allowed")
    return _ground(goal, members, {})


def _size(goal: Goal, members: Mapping[str, tuple[str, ...]]) -> int:
    match goal:
        case Literal():
            return 1
        case And(parts) | Or(parts):
            return sum(_size(part, members) for part in parts)
        case Not(part):
            return _size(part, members)
        case ForAll(_, kind, body) | Exists(_, kind, body):
            return len(members.get(kind, ())) * _size(body, members)


def _ground(goal: Goal, members: Mapping[str, tuple[str, ...]], bound: Mapping[str, str]) -> Goal:
    match goal:
        case Literal(predicate, arguments, place):
            return Literal(predicate, tuple(bound.get(name, name) for name in arguments), place)
        case And(parts, place):
            return And(tuple(_ground(part, members, bound) for part in parts), place)
        case Or(parts, place):
            return Or(tuple(_ground(part, members, bound) for part in parts), place)
        case Not(part, place):
            return Not(_ground(part, members, bound), place)
        case ForAll(variable, kind, body, place):
            each = (_ground(body, members, {**bound, variable: name}) for name in members.get(kind, ()))
            return And(tuple(each), place)
        case Exists(variable, kind, body, place):
            each = (_ground(body, members, {**bound, variable: name}) for name in members.get(kind, ()))
            return Or(tuple(each), place)


def truth(goal: Goal, known: Mapping[Literal, bool]) -> bool | None:
    """Whether a ground goal holds given what is `known` of its literals; None where that does not decide it.

    Raises:
        GaugeError: the goal still has quantifiers.
    """
    match goal:
        case Literal():
            return known.get(goal)
        case And(parts):
            values = [truth(part, known) for part in parts]
            return False if False in values else None if None in values else True
        case Or(parts):
            values = [truth(part, known) for part in parts]
            return True if True in values else None if None in values else False
        case Not(part):
            value = truth(part, known)
            return None if value is None else not value
        case _:
            raise GaugeError("a goal with forall or exists has no truth value before ground() replaced them")
