"""What LIBERO's tasks cover, and whether each scenario is inside or outside where it says it is.

Inside is LIBERO's spatial, object, goal and 10 suites (40 tasks); outside is what none of all 130 has. What only
libero_90 has is neither: it may stand around, but nothing is diagnosed by it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from gauge import vbddl
from gauge.suites.libero import SUITES, load
from gauge.suites.scenario import Scenario
from gauge.vbddl.goal import And, Goal, Literal

INSIDE = SUITES[:4]
SHARED = ("visual_perception", "semantic_grounding", "common_sense")
CLUTTERED = ("W4a", "W4b")  # groups that have more objects than any of the 40 tasks on purpose
WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True, slots=True)
class Covered:
    """Values that a set of tasks has.

    Attributes:
        moved: types of what goals move.
        pairs: what is moved and where to, as types.
        places: where things are moved to.
        arenas: problem classes.
        movables: the fewest and the most objects of a task.
        words: all words of all instructions.
    """

    moved: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    places: frozenset[str]
    arenas: frozenset[str]
    movables: tuple[int, int]
    words: frozenset[str]


@cache
def covered(*suites: str) -> Covered:
    """What these suites of LIBERO's have."""
    tasks = [(one.instruction, vbddl.load(one.bddl_path)) for suite in suites for one in load(suite).tasks]
    pairs = {pair for _, task in tasks for pair in moves(task)}
    numbers = [len(task.objects) for _, task in tasks]
    return Covered(
        frozenset(pair[0] for pair in pairs),
        frozenset(pairs),
        frozenset(pair[1] for pair in pairs),
        frozenset(task.problem for _, task in tasks),
        (min(numbers), max(numbers)),
        frozenset(word for text, _ in tasks for word in WORD.findall(text)),
    )


def moves(task: vbddl.Task) -> Iterator[tuple[str, str]]:
    """Types of what the goal puts somewhere, and of that place: an object's type, a site as `type.site`, or `table`."""
    sites = {region.full_name: region for region in task.regions}
    for literal in _literals(task.goal):
        if literal.predicate in ("On", "In"):
            name, place = literal.arguments
            if place not in sites:
                yield task.types[name], task.types[place]
            elif sites[place].ranges:
                yield task.types[name], "table"
            else:
                yield task.types[name], f"{task.types[sites[place].target]}.{sites[place].name}"


def _literals(goal: Goal) -> Iterator[Literal]:
    """The literals of a conjunction."""
    if isinstance(goal, Literal):
        yield goal
    elif isinstance(goal, And):
        for part in goal.parts:
            yield from _literals(part)


def faults(one: Scenario, task: vbddl.Task) -> Iterator[str]:
    """What is covered and should not be, or should be and is not, for the suites whose goal is one pick and place."""
    about, inside, anywhere = one.about, covered(*INSIDE), covered(*SUITES)
    if about.capability not in (*SHARED, "spatial_reasoning"):
        return
    pairs, words = set(moves(task)), set(WORD.findall(one.instruction.lower()))
    if about.split == "id":
        yield from _missing(one, "no task of the 40 moves", {" to ".join(pair) for pair in pairs - inside.pairs})
        if about.capability != "common_sense":
            yield from _missing(one, "no task of the 40 says", words - inside.words)
    else:
        if about.capability in SHARED:
            known = {pair[0] for pair in pairs} & anywhere.moved
            yield from _missing(one, "a task of the 130 moves already", known)
        if about.capability != "visual_perception" and words <= anywhere.words:
            yield f"{one.name}: every word of the text is one of LIBERO's"
        yield from _missing(one, "no task of the 40 has the destination", {pair[1] for pair in pairs} - inside.places)
    if task.problem not in inside.arenas:
        yield f"{one.name}: no task of the 40 is in {task.problem}"
    fewest, most = inside.movables
    if not fewest <= len(task.objects) <= most and about.group not in CLUTTERED:
        yield f"{one.name}: {len(task.objects)} objects; the 40 tasks have {fewest} to {most}"


def _missing(one: Scenario, what: str, values: set[str]) -> Iterator[str]:
    if values:
        yield f"{one.name}: {what} {', '.join(sorted(values))}"
