"""A few moments of real episodes to which the expert brought the hand, with what it did next."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import PolicySpec
from gauge.core.seeds import episode_seed
from gauge.errors import IncompleteError
from gauge.perturbations.base import Bound
from gauge.records.demo import Demo
from gauge.suites.libero import Task

Array = NDArray[np.float64]
GAP = 10  # steps between a moment and the one before it
FRESH = 5  # first steps in which the arm has only begun to move


@dataclass(frozen=True)
class Moment:
    """What there was to see, and what the expert did.

    Attributes:
        task, name: where it is from.
        instruction: of the task.
        images: camera name to uint8 [H, W, 3], upright, in the policy's size.
        state: proprioception in the policy's layout.
        hand: [3], position (m).
        expert: [T, 7], its next actions.
        step: control steps since the start.
        before: the moment `GAP` steps earlier; None for that one itself.
    """

    task: str
    name: str
    instruction: str
    images: dict[str, NDArray[np.uint8]]
    state: Array
    hand: Array
    expert: Array
    step: int
    before: "Moment | None" = None


def places(actions: Array) -> dict[str, int]:
    """Steps of the expert's actions [T, 7] that tell conventions apart, each with at least `GAP` steps before it.

    On the way to the object, aligned with it just before the hand closes, with it on the way, and just before letting
    go. A task without a grasp has evenly spread moments.
    """
    last = len(actions) - GAP
    closing = np.flatnonzero(np.diff(actions[:, 6]) > 0) + 1
    opening = np.flatnonzero(np.diff(actions[:, 6]) < 0) + 1
    if not len(closing):
        found = {f"part {k + 1}": round(last * (k + 1) / 4) for k in range(4)}
    else:
        close = int(closing[0])
        begun = GAP + FRESH
        let_go = next((int(step) for step in opening if step > close), last)
        found = {
            "begun": begun,
            "a third of the way": begun + (close - begun) // 3,
            "two thirds of the way": begun + 2 * (close - begun) // 3,
            "aligned": close - 2,
            "carrying": (close + let_go) // 2,
            "above the goal": let_go - 2,
        }
    return {name: step for name, step in found.items() if GAP <= step <= last}


def gather(
    task: Task,
    states: Sequence[int],
    spec: PolicySpec,
    renderer: str,
    horizon: int,
    seed: int = 0,
    scatter_cm: float | None = None,
) -> list[Moment]:
    """Let the expert play from those official states, and look at its moments as the policy would.

    Raises:
        IncompleteError: the expert did not reach the goal from any of them.
    """
    from gauge.demos.crew import Stage
    from gauge.demos.recording import record
    from gauge.demos.scatter import scattered
    from gauge.policies.expert import ExpertPolicy
    from gauge.rollout.plan import EpisodePlan
    from gauge.sim.scene import Scene

    stage, found = Stage(renderer), []
    try:
        scene: Scene = stage.scene(task)
        for state in states:
            root = episode_seed(seed, task.id, state)
            bound: list[Bound] = [] if scatter_cm is None else [scattered(scatter_cm, root)]
            plan = EpisodePlan("", task, state, root, horizon, 10)
            _, demo = record(scene, ExpertPolicy(), plan, bound)
            if demo is not None:
                found += [_moment(scene, demo, name, step, spec) for name, step in places(demo.actions).items()]
    finally:
        stage.close()
    if not found:
        raise IncompleteError(f"the expert reached the goal of {task.id} from none of its states {list(states)}")
    return found


def _moment(scene: object, demo: Demo, name: str, step: int, spec: PolicySpec, first: bool = False) -> Moment:
    from gauge.sim.scene import Scene

    assert isinstance(scene, Scene)
    before = None if first else _moment(scene, demo, f"before {name}", step - GAP, spec, first=True)
    scene.set_state(demo.states[step])
    scene.look()
    layouts = {"none": lambda: np.zeros(0), "controller_pose_rot6d": scene.controller_pose}
    return Moment(
        task=demo.origin.scenario_id,
        name=name,
        instruction=demo.origin.instruction,
        images={camera: scene.frame(camera, spec.image_size) for camera in spec.cameras},
        state=layouts.get(spec.state, scene.proprioception)(),
        hand=demo.proprioception[step, :3].copy(),
        expert=demo.actions[step : step + GAP].copy(),
        step=step,
        before=before,
    )
