"""One try at a demonstration, in a worker process: record it, verify it by replay, store it with its outcome."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gauge.core.policy import Policy
from gauge.core.seeds import episode_seed, seed
from gauge.demos.gate import Measure, measure
from gauge.demos.scatter import scattered
from gauge.demos.selection import Outcome
from gauge.demos.store import open_set
from gauge.perturbations.base import Bound
from gauge.policies.replay import OpenLoop
from gauge.records.demo_file import read_demo, write_demos
from gauge.rollout.plan import EpisodePlan

if TYPE_CHECKING:
    from gauge.core.record import EpisodeRecord
    from gauge.demos.crew import Stage
    from gauge.records.demo import Demo
    from gauge.sim.scene import Scene, Stepper


@dataclass(frozen=True, slots=True)
class Setup:
    """What all tries of a set share, plain and picklable.

    Attributes:
        folder: the set's folder.
        policy: builds the policy; None when recorded actions are played.
        bound: perturbation items of the scene with their code.
        hold_steps: control steps in a row for which the goal must hold before an episode ends.
        stepper: who advances the physics.
        fingerprint: versions and machine, stored with every demonstration.
        scatter_cm: how far loose objects start from their official places at most, other ones in every episode.
    """

    folder: Path
    policy: Callable[[], Policy] | None
    bound: Sequence[Bound]
    hold_steps: int
    stepper: "Stepper"
    fingerprint: dict[str, str]
    scatter_cm: float | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """Episode `index` of its task: rollout and seed are in `plan`, `source` is the file whose actions are played.

    `own` are items of this episode alone: where its objects were scattered.
    """

    setup: Setup
    plan: EpisodePlan
    index: int
    take: int = 0
    source: Path | None = None
    own: tuple[Bound, ...] = ()

    @property
    def bound(self) -> list[Bound]:
        """All items of the episode's scene."""
        return [*self.setup.bound, *self.own]

    def run(self, stage: "Stage") -> tuple[Outcome, bool]:
        """Its outcome, and whether it is stored: an episode in error is not, and is tried again another time."""
        from gauge.demos.recording import record

        setup, began = self.setup, time.perf_counter()
        scene = stage.scene(self.plan.task, setup.stepper, setup.bound)
        policy = self._policy()
        try:
            found, demo = record(scene, policy, self.plan, self.bound, setup.hold_steps, self.take, setup.fingerprint)
        finally:
            policy.close()
        if found.status == "error":
            return Outcome(None, found.reason), False
        reason = self._judge(scene, found, demo, getattr(policy, "status", ""))
        good = measure(demo) if demo is not None and not reason else None
        self._store(found, demo, good, reason, time.perf_counter() - began)
        return Outcome(good, reason), True

    def _policy(self) -> Policy:
        if self.source is not None:
            demo = read_demo(self.source)
            return OpenLoop(demo.actions, f"replay/{demo.digest}")
        assert self.setup.policy is not None
        return self.setup.policy()

    def _judge(self, scene: "Scene", found: "EpisodeRecord", demo: "Demo | None", status: str) -> str:
        """Why this is no demonstration; empty if it is one."""
        from gauge.demos.recording import verify

        if demo is None:
            held = "was not reached" if found.success_step is None else "did not last"
            return f"the goal {held} within {self.plan.horizon} steps" + (f" ({status})" if status else "")
        if not found.success_final:
            return "the goal no longer held after ten idle steps"
        return verify(scene, demo, self.plan, self.bound, self.setup.hold_steps)

    def _store(
        self, found: "EpisodeRecord", demo: "Demo | None", good: Measure | None, reason: str, seconds: float
    ) -> None:
        """The trajectory first: an outcome is a promise that it is there."""
        target, name = open_set(self.setup.folder), self.plan.task.name
        row: dict[str, Any] = {"rollout": self.plan.rollout, "take": self.take, "seed": self.plan.seed}
        row |= {"start_hash": found.start_hash, "model_identity": found.model_identity, "wall_s": round(seconds, 3)}
        if demo is not None and good is not None:
            write_demos(target.path(name, self.index), [demo])
            row |= {"digest": demo.digest, "success_step": demo.origin.success_step}
        target.store(name, self.index, row, good, reason)


def numbered(setup: Setup, base: EpisodePlan, index: int, states: range, root_seed: int) -> Attempt:
    """Episode `index` of a task: the official states in order, again from the first with another seed each round."""
    rollout, take = states[index % len(states)], index // len(states)
    root = episode_seed(root_seed, base.task.id, rollout)
    chosen = root if take == 0 else seed(root, "take", take)
    own = () if setup.scatter_cm is None else (scattered(setup.scatter_cm, chosen),)
    return Attempt(setup, replace(base, rollout=rollout, seed=chosen), index, take, own=own)
