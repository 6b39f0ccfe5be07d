"""Checks of `:goal`: names, predicates, quantifiers, and whether it holds before anything was done."""

from collections.abc import Iterator, Mapping

from gauge.errors import GaugeError, unknown
from gauge.vbddl.check_layout import error, warning
from gauge.vbddl.check_start import OPPOSITE
from gauge.vbddl.goal import And, Exists, ForAll, Goal, Literal, Not, Or, ground, literals, truth
from gauge.vbddl.names import Names
from gauge.vbddl.problems import Problem
from gauge.vbddl.task import Task


def goal(task: Task, names: Names) -> Iterator[Problem]:
    """Problems of the goal."""
    yield from _quantifiers(task.goal, task.members)
    try:
        plain = ground(task.goal, task.members)
    except GaugeError as fault:
        yield error(task.places.get(":goal"), str(fault))
        return
    found = {
        (literal.place, fault) for literal in dict.fromkeys(literals(plain)) for fault in names.literal_faults(literal)
    }
    yield from (error(place, fault) for place, fault in found)
    if not found:
        yield from _at_start(task, plain)


def _quantifiers(tree: Goal, members: Mapping[str, tuple[str, ...]]) -> Iterator[Problem]:
    match tree:
        case And(parts) | Or(parts):
            for part in parts:
                yield from _quantifiers(part, members)
        case Not(part):
            yield from _quantifiers(part, members)
        case ForAll(_, kind, body, place) | Exists(_, kind, body, place):
            if kind not in members:
                yield error(place, f"nothing of the type is declared: {unknown('type', kind, list(members))}")
            yield from _quantifiers(body, members)
        case Literal():
            return


def _at_start(task: Task, plain: Goal) -> Iterator[Problem]:
    """An error if `:init` states the whole goal, a warning for each part that it states."""
    known: dict[Literal, bool] = {}
    for fact in task.init:
        if isinstance(fact, Literal):
            known[fact] = True
            if fact.predicate in OPPOSITE:
                known[Literal(OPPOSITE[fact.predicate], fact.arguments)] = False
    if truth(plain, known) is True:
        yield error(task.places.get(":goal"), "the goal holds at the start: :init states all of it")
        return
    for part in plain.parts if isinstance(plain, And) else ():
        if truth(part, known) is True:
            yield warning(part.place, "this part of the goal holds at the start: :init states it")
