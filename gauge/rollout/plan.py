"""Which episodes a cell is made of, and which of them are still to be run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gauge.core.record import EpisodeRecord
from gauge.core.seeds import episode_seed
from gauge.errors import GaugeError
from gauge.suites import horizon as horizons
from gauge.suites.libero import Task


@dataclass(frozen=True, slots=True)
class EpisodePlan:
    """Which episode to run. Everything random in it follows from `seed`.

    `attempt` counts the tries over all runs of the cell; `crashes` the worker processes it cost in this one. The policy
    is told the instruction of `other`, if there is one, in place of the task's own.
    """

    cell_id: str
    task: Task
    rollout: int
    seed: int
    horizon: int
    settle_steps: int
    attempt: int = 1
    crashes: int = 0
    other: Task | None = None

    @property
    def told(self) -> str:
        """What the policy is told."""
        return (self.other or self.task).instruction


def plan_episodes(
    cell_id: str, tasks: Iterable[Task], rollouts: int, root_seed: int, horizon: int | None, settle_steps: int
) -> list[EpisodePlan]:
    """All episodes of a cell, task by task; rollout k starts from the task's initial state k.

    Without a horizon each task has that of its certificate (`gauge.suites.horizon`).

    Raises:
        GaugeError: more rollouts are asked for than a task has initial states.
    """
    if rollouts < 1:
        raise GaugeError(f"rollouts must be at least 1, not {rollouts}")
    plans = []
    for task in tasks:
        if rollouts > task.states:
            raise GaugeError(
                f"{task.suite} has {task.states} initial states per task, so rollouts can be 1 to "
                f"{task.states}, not {rollouts}: repeated states would not be independent episodes"
            )
        steps = horizons.of(task, horizon)
        for rollout in range(rollouts):
            seed = episode_seed(root_seed, task.id, rollout)
            plans.append(EpisodePlan(cell_id, task, rollout, seed, steps, settle_steps))
    return plans


def remaining(plans: Iterable[EpisodePlan], done: Mapping[tuple[str, int], EpisodeRecord]) -> list[EpisodePlan]:
    """The planned episodes without a result. An error is tried again, counted as the next attempt."""
    todo = []
    for plan in plans:
        record = done.get((plan.task.id, plan.rollout))
        if record is None:
            todo.append(plan)
        elif record.status == "error":
            todo.append(replace(plan, attempt=record.attempt + 1))
    return todo
