"""Checks of `:init`: what LIBERO can set up, each thing placed once and after what it stands on."""

from collections.abc import Iterator

from gauge.vbddl.check_layout import error, warning
from gauge.vbddl.goal import Literal, Not
from gauge.vbddl.names import Names
from gauge.vbddl.predicates import PREDICATES
from gauge.vbddl.problems import Problem
from gauge.vbddl.task import Task

OPPOSITE = {
    "Open": "Close",
    "Close": "Open",
    "TurnOn": "TurnOff",
    "TurnOff": "TurnOn",
    "TurnLeft": "TurnRight",
    "TurnRight": "TurnLeft",
    "Upright": "Lying",
    "Lying": "Upright",
}


def start(task: Task, names: Names) -> Iterator[Problem]:
    """Problems of the facts of `:init`."""
    sound: list[Literal] = []
    for fact in task.init:
        if isinstance(fact, Not):
            yield error(fact.place, "':init' cannot state that something does not hold; leave the fact out")
            continue
        faults = list(names.literal_faults(fact)) or [fault for fault in [_unsettable(fact, names)] if fault]
        yield from (error(fact.place, fault) for fault in faults)
        if not faults:
            sound.append(fact)
    yield from _contradictions(sound)
    yield from _lying(names, sound)
    yield from _placements(task, names, sound)


def _unsettable(fact: Literal, names: Names) -> str:
    """Why LIBERO cannot set up a well-formed fact; empty if it can."""
    if not PREDICATES[fact.predicate.lower()].can_start:
        return f"'{fact.predicate}' cannot be set up at the start; only {_settable()} can"
    if fact.predicate not in ("On", "In"):
        return ""
    name, place = fact.arguments
    region = names.regions.get(place)
    if region is not None and names.on_table(region):
        return f"In places inside a model's region; write (On {name} {place})" if fact.predicate == "In" else ""
    if name not in names.movable:
        return f"{name!r} is a fixture; it can only be placed on a region of the table"
    if region is None and place not in names.movable:
        kind = names.kind(place)
        known = ", ".join(f"{place}_{each}" for each in (kind.regions if kind else ()))
        return f"LIBERO places nothing on the fixture {place!r}; name a region of it: {known or 'it has none'}"
    return ""


def _settable() -> str:
    return ", ".join(predicate.name for predicate in PREDICATES.values() if predicate.can_start)


def _contradictions(facts: list[Literal]) -> Iterator[Problem]:
    seen: set[Literal] = set()
    for fact in facts:
        if fact in seen:
            twice = f"{fact} is stated twice"
            places = fact.predicate in ("On", "In")
            yield error(fact.place, f"{twice}; LIBERO fails on it") if places else warning(fact.place, twice)
        opposite = Literal(OPPOSITE.get(fact.predicate, ""), fact.arguments)
        if opposite in seen:
            yield error(fact.place, f"{fact} contradicts {opposite}")
        seen.add(fact)


def _lying(names: Names, facts: list[Literal]) -> Iterator[Problem]:
    """What lies does so on the table: LIBERO's samplers for regions of models cannot tilt anything."""
    where = {fact.arguments[0]: names.regions.get(fact.arguments[1]) for fact in facts if fact.predicate == "On"}
    for fact in facts:
        region = where.get(fact.arguments[0])
        if fact.predicate == "Lying" and (region is None or not names.on_table(region)):
            yield error(fact.place, f"{fact.arguments[0]!r} can start lying only on a region of {names.table}")


def _placements(task: Task, names: Names, facts: list[Literal]) -> Iterator[Problem]:
    """Placements in LIBERO's order: on the table, on sites, in sites, on objects; each needs its support placed."""
    placing = [fact for fact in dict.fromkeys(facts) if fact.predicate in ("On", "In")]
    placed: set[str] = set()
    for fact in sorted(placing, key=lambda fact: _phase(fact, names)):
        name, place = fact.arguments
        region = names.regions.get(place)
        support = region.target if region else place
        if name in placed:
            yield error(fact.place, f"{name!r} is placed twice; {fact} is one place too many")
        elif support != names.table and support not in placed:
            order = " (LIBERO places on sites first, then on objects in the order of the facts)"
            yield error(fact.place, f"{name!r} is placed on {support!r}, which is not placed before it{order}")
        placed.add(name)
    mentioned = {
        fact.arguments[0] for fact in task.init if isinstance(fact, Literal) and fact.predicate in ("On", "In")
    }
    for thing in (*task.fixtures, *task.objects):
        if thing.name not in mentioned and thing.name != names.table:
            yield error(thing.place, f"{thing.name!r} is placed nowhere; add (On {thing.name} REGION) to :init")


def _phase(fact: Literal, names: Names) -> int:
    region = names.regions.get(fact.arguments[1])
    if region is None:
        return 3
    if names.on_table(region):
        return 0
    return 1 if fact.predicate == "On" else 2
