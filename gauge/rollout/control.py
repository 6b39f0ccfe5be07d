"""`control=`: the evaluated policy with its eyes covered, or told of another task, as reference beside its score."""

from collections.abc import Sequence
from dataclasses import replace

from gauge.rollout.plan import EpisodePlan
from gauge.suites import Suite


def told_otherwise(plans: Sequence[EpisodePlan], suite: Suite) -> list[EpisodePlan]:
    """The same episodes, in which the policy is told the instruction of the suite's next task; the goal stays."""
    others = prompts(suite)
    return [replace(plan, prompt=others[plan.task.id]) for plan in plans]


def prompts(suite: Suite) -> dict[str, str]:
    """For every task by its id the instruction of the next one that has another; its own where all have the same."""
    order = [task.instruction for task in suite.tasks]
    found = {}
    for index, task in enumerate(suite.tasks):
        later = [*order[index + 1 :], *order[:index]]
        found[task.id] = next((one for one in later if one != task.instruction), task.instruction)
    return found
