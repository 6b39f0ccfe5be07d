"""Whether a task can still be solved: the scripted expert tries, and its clean actions where only actions change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.errors import SceneError
from gauge.perturbations.base import ActionPerturbation, Bound
from gauge.policies.expert import ExpertPolicy
from gauge.policies.replay import OpenLoop
from gauge.rollout.plan import EpisodePlan
from gauge.validate.finding import Tries

if TYPE_CHECKING:
    from gauge.core.policy import Observation, Policy
    from gauge.core.record import EpisodeRecord
    from gauge.sim.scene import Scene


class Watched(ExpertPolicy):
    """The expert, whose actions are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.actions: list[NDArray[np.float64]] = []

    def act(self, observation: "Observation") -> NDArray[np.float64]:
        """The next action, [1, 7]."""
        chunk = super().act(observation)
        self.actions += list(chunk)
        return chunk


class Expert:
    """Tries the planned episodes of a task one by one until one is solved."""

    def __init__(self, plans: Sequence[EpisodePlan]) -> None:
        self._plans = plans
        self._solution: tuple[EpisodePlan, NDArray[np.float64]] | None = None
        self.clean = Tries(0, False)

    def begin(self, scene: "Scene") -> None:
        """Try the clean scene, and keep how it was solved."""
        for tried, plan in enumerate(self._plans, 1):
            policy = Watched()
            record = _run(scene, policy, plan, ())
            self.clean = Tries(tried, record.status == "success")
            if self.clean.solved:
                self._solution = (plan, np.array(policy.actions))
                return

    def solves(self, scene: "Scene", bound: Bound) -> Tries:
        """Whether it solves the task with this value; an episode that cannot be evaluated is no try.

        A value that changes the executed actions alone can throw the expert off course, which corrects what it sees,
        although the task can be solved: then the actions that solved the clean scene are played as they are.

        Raises:
            SceneError: none of the episodes could be evaluated.
        """
        records = []
        for plan in self._plans:
            records.append(_run(scene, ExpertPolicy(), plan, [bound]))
            if records[-1].status == "success":
                break
        tried = [record for record in records if record.status != "error"]
        if not tried:
            raise SceneError(f"the expert's episodes could not be run: {records[0].reason}")
        solved = tried[-1].status == "success"
        if not solved and self._solution is not None and isinstance(bound.perturbation, ActionPerturbation):
            plan, actions = self._solution
            if _run(scene, OpenLoop(actions, "expert/open-loop"), plan, [bound]).status == "success":
                return Tries(len(tried) + 1, True, "open loop")
        return Tries(len(tried), solved)


def _run(scene: "Scene", policy: "Policy", plan: EpisodePlan, bound: Sequence[Bound]) -> "EpisodeRecord":
    from gauge.rollout.episode import Episode

    return Episode(scene, policy, plan, bound).run()
