"""Who reaches the goal of a scenario: the expert from its starts, and recorded actions played without looking."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gauge.certify.solution import End, Solution
from gauge.certify.starts import target
from gauge.errors import SceneError
from gauge.policies.expert import ExpertPolicy
from gauge.policies.replay import OpenLoop
from gauge.rollout.episode import Episode
from gauge.rollout.plan import EpisodePlan
from gauge.rollout.success import EndAtSuccess, Watcher
from gauge.suites.certificate import Share

if TYPE_CHECKING:
    from gauge.sim.scene import Scene


class Tried(NamedTuple):
    """What came of the expert's tries.

    Attributes:
        solved: in how many it reached the goal for good.
        steps: its mean control steps.
        first: the first solution that holds when it is played alone.
        both: in how many the goal that it was not to reach was reached as well.
    """

    solved: Share
    steps: float
    first: Solution | None
    both: Share


def tried(scene: "Scene", plans: Iterable[EpisodePlan], verify: bool = True) -> Tried:
    """Let the expert try each of the starts; without `verify` there is no solution.

    Raises:
        SceneError: an episode could not be evaluated.
    """
    from gauge.demos.recording import record

    number, steps, both = 0, list[int](), list[bool]()
    first: Solution | None = None
    for plan in plans:
        said, demo = record(scene, ExpertPolicy(), plan)
        if said.status == "error":
            raise SceneError(f"{plan.task.id}: the expert's episode could not be run: {said.reason}")
        number += 1
        both += [] if said.told_success is None else [said.told_success]
        if demo is not None and said.success_final and said.success_step is not None:
            steps.append(said.success_step)
            first = first or (_verified(scene, demo.actions, plan) if verify else None)
    mean = round(float(np.mean(steps)), 1) if steps else 0.0
    return Tried(Share(len(steps), number), mean, first, Share(sum(both), len(both)))


def replayed(scene: "Scene", solution: Solution, plans: Iterable[EpisodePlan]) -> Share:
    """In how many of the starts the goal is ever reached by the solution's actions alone.

    Raises:
        SceneError: an episode could not be evaluated.
    """
    ends = [play(scene, solution, plan) for plan in plans]
    return Share(sum(end is not None for end in ends), len(ends))


def play(scene: "Scene", solution: Solution, plan: EpisodePlan, watcher: Watcher | None = None) -> End | None:
    """How the solution's actions, played open loop, reach the goal; None if they never do. Someone may watch.

    Raises:
        SceneError: the episode could not be evaluated.
    """
    short = replace(plan, horizon=len(solution.actions))
    player = OpenLoop(solution.actions.astype(np.float64), "witness")
    said = Episode(scene, player, short, watcher=watcher or EndAtSuccess()).run()
    if said.status == "error":
        raise SceneError(f"{plan.task.id}: a replay could not be run: {said.reason}")
    if said.success_step is None:
        return None
    x, y, z = target(scene)
    return End(said.success_step, scene.start_hash(), (round(x, 4), round(y, 4), round(z, 4)))


def _verified(scene: "Scene", actions: NDArray[np.float64], plan: EpisodePlan) -> Solution | None:
    """The actions in single precision, as they are stored, if alone they reach the goal from the same start."""
    stored = actions.astype(np.float32)
    end = play(scene, Solution(plan.rollout, stored, End(0)), plan)
    return None if end is None else Solution(plan.rollout, stored, end)
