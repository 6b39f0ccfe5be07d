"""A short evaluation during training: real episodes, judged as everywhere else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gauge.core.policy import Policy
from gauge.core.seeds import episode_seed
from gauge.errors import IncompleteError
from gauge.rollout.plan import EpisodePlan
from gauge.suites import load
from gauge.train.frames import Aim

if TYPE_CHECKING:
    from gauge.core.record import EpisodeRecord


@dataclass(frozen=True)
class ClosedLoop:
    """The same episodes at every evaluation.

    Attributes:
        tasks: those of the demonstrations.
        rollouts: episodes per task, from its official initial states `first_state` on; 0 evaluates nothing.
        first_state: choose states that the final evaluation leaves out.
        seed: root of the episodes' seeds.
        renderer: as everywhere.
    """

    tasks: Sequence[Aim]
    rollouts: int
    first_state: int
    seed: int
    renderer: str

    def plans(self) -> list[EpisodePlan]:
        """All of them, task by task.

        Raises:
            GaugeError: a task that there is not.
        """
        found = []
        for aim in self.tasks:
            suite, _, name = aim.scenario.partition("/")
            task = load(suite).select([name])[0]
            for state in range(self.first_state, self.first_state + self.rollouts):
                seed = episode_seed(self.seed, task.id, state)
                found.append(EpisodePlan("", task, state, seed, aim.horizon, aim.settle_steps))
        return found

    def run(self, policy: Policy) -> "Iterator[EpisodeRecord]":
        """Play them one after the other in this process.

        Raises:
            IncompleteError: an episode could not be evaluated, so the evaluations could not be compared.
        """
        from gauge.demos.crew import Stage
        from gauge.rollout.episode import Episode

        stage = Stage(self.renderer)
        try:
            for plan in self.plans():
                found = Episode(stage.scene(plan.task), policy, plan).run()
                if found.status == "error":
                    raise IncompleteError(f"{plan.task.id} from state {plan.rollout} could not be run: {found.reason}")
                yield found
        finally:
            stage.close()
