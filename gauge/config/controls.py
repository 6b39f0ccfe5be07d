"""`control=`: what the policy is deprived of, from the config."""

from collections.abc import Iterable

from omegaconf import DictConfig

from gauge import vbddl
from gauge.config.check import spec
from gauge.core.control import Control
from gauge.errors import NotApplicableError
from gauge.suites import Task
from gauge.suites.scenario import Scenario

HEEDLESS = ("expert", "random", "noop", "replay", "replay_other", "synthetic", "teleop")  # neither look nor listen


def control(cfg: DictConfig, tasks: Iterable[Task], suite: Iterable[Task]) -> Control:
    """What the episodes of these tasks of a suite show and tell.

    Raises:
        NotApplicableError: the control changes nothing for this model or suite.
    """
    kind, model = cfg.control.kind, cfg.model
    if kind == "none":
        return Control()
    if model.kind in HEEDLESS:
        raise NotApplicableError(f"control={kind}: model={model.name} neither looks at pictures nor listens")
    if kind == "black":
        if not spec(model).cameras:
            raise NotApplicableError(f"control=black: model={model.name} looks at no picture")
        return Control(black=True)
    every = list(suite)
    return Control(told={task.id: swapped(task, every) for task in tasks})


def swapped(task: Task, suite: list[Task]) -> str:
    """The instruction of another task that the scene has everything for: the sibling, else the next one of the suite.

    Raises:
        NotApplicableError: all tasks of the suite have this instruction, or none fits into the scene.
    """
    sibling = task.about.sibling if isinstance(task, Scenario) else ""
    here, at = set(vbddl.load(task.bddl_path).types), suite.index(task)
    for other in sorted(suite[at + 1 :] + suite[:at], key=lambda one: one.name != sibling):  # else in suite order
        if other.instruction != task.instruction and _wanted(other) <= here:
            return other.instruction
    raise NotApplicableError(f"control=swapped: no other task of {task.suite} could be done in the scene of {task.id}")


def _wanted(task: Task) -> set[str]:
    """Names of the things that the goal is about."""
    parsed = vbddl.load(task.bddl_path)
    goal = str(parsed.goal)
    return {name for name in parsed.types if name in goal}
