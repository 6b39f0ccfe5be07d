"""All checks of a task: what would make it fail, or mean something else, once it runs."""

from collections.abc import Iterator

from gauge.vbddl.catalogue import Catalogue
from gauge.vbddl.check_goal import goal
from gauge.vbddl.check_layout import error, layout, warning
from gauge.vbddl.check_start import start
from gauge.vbddl.check_swap import swap
from gauge.vbddl.instruction import suspicious
from gauge.vbddl.names import Names
from gauge.vbddl.pool import catalogue_for
from gauge.vbddl.problems import Problem
from gauge.vbddl.task import Task

DOMAIN = "robosuite"


def check(task: Task, catalogue: Catalogue | None = None) -> tuple[Problem, ...]:
    """Every problem of the task in the order of the file; none means that it can be built and judged.

    Nothing is simulated: whether objects fit, reach rest and leave the goal open is for the scene to say.
    """
    names = Names(task, catalogue or catalogue_for(task.types.values()))
    return tuple(sorted(set(problems_of(task, names, readable_goal=True))))


def problems_of(task: Task, names: Names, readable_goal: bool) -> Iterator[Problem]:
    """The problems one by one, without those of a goal that could not be read."""
    if task.domain != DOMAIN:
        message = f"domain {task.domain!r} cannot be simulated here, only {DOMAIN} can"
        yield error(task.places.get(":domain"), message)
        return
    yield from layout(task, names)
    if names.workspace is not None:  # without it every name on the table would be reported
        yield from start(task, names)
        yield from swap(task, names)
        yield from goal(task, names) if readable_goal else ()
    yield from (warning(task.places.get(":language"), message) for message in suspicious(task.instruction))
