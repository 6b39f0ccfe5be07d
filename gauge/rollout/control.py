"""`control=`: the evaluated policy with its eyes covered, or told of another task, as reference beside its score."""

from collections.abc import Sequence
from dataclasses import replace

from gauge import vbddl
from gauge.rollout.plan import EpisodePlan
from gauge.suites import Suite, Task
from gauge.suites.scenario import Scenario


def told_otherwise(plans: Sequence[EpisodePlan], suite: Suite) -> list[EpisodePlan]:
    """The same episodes, in which the policy is told the instruction of another task of the suite; the goal stays."""
    others = {task.id: other(task, suite.tasks) for task in dict.fromkeys(plan.task for plan in plans)}
    return [replace(plan, other=others[plan.task.id]) for plan in plans]


def other(task: Task, suite: Sequence[Task]) -> Task:
    """Whose instruction a policy is told in place of the task's own; the task itself where all have the same.

    It is that of the sibling; else of the next task of the suite that the scene has everything for, else of the next.
    """
    at, here = suite.index(task), set(vbddl.load(task.bddl_path).types)
    sibling = task.about.sibling if isinstance(task, Scenario) else ""
    found = [one for one in (*suite[at + 1 :], *suite[:at]) if one.instruction != task.instruction]
    found.sort(key=lambda one: (one.name != sibling, not _wanted(one) <= here))  # stable: else as they come
    return found[0] if found else task


def _wanted(task: Task) -> set[str]:
    """Names of the things that the goal is about."""
    parsed = vbddl.load(task.bddl_path)
    goal = str(parsed.goal)
    return {name for name in parsed.types if name in goal}
