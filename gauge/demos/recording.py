"""An episode whose states and actions are noted, which goes on until the goal has held, and can be played again."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Combination
from gauge.core.policy import Policy
from gauge.core.record import EpisodeRecord
from gauge.demos.config import items_json
from gauge.perturbations.base import Bound
from gauge.policies.replay import OpenLoop
from gauge.records.demo import Array, Demo, Origin, is_noop
from gauge.rollout.episode import Episode
from gauge.rollout.plan import EpisodePlan
from gauge.sim.scene import Scene

FIXTURE_FIELDS = ("body_pos", "body_quat")


@dataclass(slots=True)
class Recording:
    """Watches an episode and ends it when the goal has held for `hold_steps` actions in a row, as LIBERO's recorder.

    `first` is the control step at which the goal first held; `states` and `actions` are those of every step.
    """

    hold_steps: int = 10
    states: list[Array] = field(default_factory=list)
    actions: list[Array] = field(default_factory=list)
    held: int = 0
    first: int | None = None
    last: Array | None = None
    fixtures: dict[str, Array] = field(default_factory=dict)

    def before(self, scene: Scene, action: NDArray[np.float64]) -> None:
        """Note the action and the state it is taken in."""
        if not self.states:
            self.fixtures = {name: np.array(getattr(scene.model, name)) for name in FIXTURE_FIELDS}
        self.states.append(full_state(scene))
        self.actions.append(np.array(action))

    def after(self, scene: Scene, holds: bool) -> bool:
        """Note where it led."""
        self.last = full_state(scene)
        self.held = self.held + 1 if holds else 0
        if holds and self.first is None:
            self.first = len(self.actions)
        return self.held >= self.hold_steps


def record(
    scene: Scene,
    policy: Policy,
    plan: EpisodePlan,
    bound: Sequence[Bound] = (),
    hold_steps: int = 10,
    take: int = 0,
    fingerprint: dict[str, str] | None = None,
) -> tuple[EpisodeRecord, Demo | None]:
    """Run one episode; the demonstration is None unless the goal was reached.

    No-ops after the first success, when a scripted policy has nothing left to do, are cut off.
    """
    seen = Recording(hold_steps)
    found = Episode(scene, policy, plan, bound, fingerprint or {}, seen).run()
    if found.status != "success" or seen.last is None or seen.first is None:
        return found, None
    actions, states = np.array(seen.actions), np.array(seen.states)
    length = _end(actions, seen.first)
    final = states[length] if length < len(states) else seen.last
    hand, joints = _proprioception(scene, states[:length])
    demo = Demo(
        actions=actions[:length],
        states=states[:length],
        proprioception=hand,
        joints=joints,
        origin=_origin(scene, plan, take, found, seen.first, bound),
        final_state=final,
        fixtures=seen.fixtures,
    )
    return replace(found, success_step=seen.first), demo


def full_state(scene: Scene) -> Array:
    """Time, positions and velocities now, [1 + nq + nv]."""
    data = scene.data
    return np.concatenate([[data.time], data.qpos, data.qvel])


def verify(scene: Scene, demo: Demo, plan: EpisodePlan, bound: Sequence[Bound] = (), hold_steps: int = 10) -> str:
    """Play the actions again from the same start; empty if everything is the same, else what is not.

    The start must be the same to the bit, so must the state after the last action, and the goal must hold there
    and after ten idle steps.
    """
    policy = OpenLoop(demo.actions, "replay")
    again = Recording(hold_steps)
    episode = Episode(scene, policy, plan, bound, watcher=again)
    found = episode.run()
    if found.status == "error":
        return f"the replay could not be run: {found.reason}"
    if episode.start_hash != demo.origin.start_hash:
        return f"the replay starts elsewhere (start {episode.start_hash}, recorded {demo.origin.start_hash})"
    length = len(demo)
    reached = again.states[length] if length < len(again.states) else again.last
    if reached is None or demo.final_state is None or not np.array_equal(reached, demo.final_state):
        return "the replay of the actions ends in another state"
    return "" if found.success_final else "the goal does not hold after the replay and ten idle steps"


def _end(actions: Array, first: int) -> int:
    """How many actions are kept: up to the first success, and on to the last one that is no no-op."""
    busy = np.flatnonzero(~is_noop(actions))
    return max(first, int(busy[-1]) + 1 if len(busy) else 0)


def _proprioception(scene: Scene, states: Array) -> tuple[Array, Array]:
    """What the hand feels in each state, [T, 8], and the arm's joint angles, [T, 7]."""
    arm = np.array(scene.env.robots[0]._ref_joint_pos_indexes)
    rows = []
    for state in states:
        scene.look(state[1 : 1 + scene.model.nq])
        rows.append(scene.proprioception())
    return np.array(rows), states[:, 1 + arm]


def _origin(
    scene: Scene, plan: EpisodePlan, take: int, found: EpisodeRecord, first: int, bound: Sequence[Bound]
) -> Origin:
    task = plan.task
    return Origin(
        scenario_id=task.id,
        instruction=task.instruction,
        rollout=plan.rollout,
        take=take,
        problem=str(type(scene.env).__name__),
        bddl=task.bddl,
        seed=plan.seed,
        scene_hash=found.scene_hash,
        start_hash=found.start_hash,
        model_identity=found.model_identity,
        success_step=first,
        settle_steps=plan.settle_steps,
        horizon=plan.horizon,
        stepper=scene.stepper,
        items=items_json(Combination.of(one.item for one in bound)),
        fingerprint=found.fingerprint,
    )
