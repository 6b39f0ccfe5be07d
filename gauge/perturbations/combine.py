"""Whether perturbations go together, and whether they make sense in a task: asked before anything is run."""

import logging
from collections.abc import Iterable, Sequence
from itertools import combinations

from gauge.errors import GaugeError, NotApplicableError
from gauge.perturbations.base import Bound, Perturbation
from gauge.perturbations.roles import roles
from gauge.suites import Task

log = logging.getLogger(__name__)


def refuse_conflicts(chosen: Iterable[Perturbation]) -> None:
    """Refuse two perturbations of the same thing, of which only the last would arrive.

    Raises:
        GaugeError: there are two.
    """
    for one, other in combinations(chosen, 2):
        if one.touches and one.touches == other.touches and one.attribute != other.attribute:
            raise GaugeError(
                f"{one.attribute} and {other.attribute} both change {one.touches}: only one of them can be in a "
                "combination"
            )


def applicable(task: Task, bound: Sequence[Bound]) -> str:
    """Why the items make no sense in the task; empty if they do, or if the task is synthetic and has no scene."""
    if not task.bddl:
        return ""
    for item, perturbation in bound:
        try:
            perturbation.fit(roles(task.bddl_path), task.instruction, item.values)
        except NotApplicableError as reason:
            return str(reason)
    return ""


def fitting(tasks: Sequence[Task], bound: Sequence[Bound]) -> tuple[Task, ...]:
    """The tasks in which all items make sense; the others are named in the log with the reason.

    Raises:
        NotApplicableError: there is none.
    """
    reasons = {task: applicable(task, bound) if bound else "" for task in tasks}
    left_out = {task: reason for task, reason in reasons.items() if reason}
    if len(left_out) == len(tasks):
        raise NotApplicableError(next(iter(left_out.values())))
    for task, reason in left_out.items():
        log.warning("%s is left out: not applicable: %s", task.id, reason)
    return tuple(task for task in tasks if task not in left_out)
