"""Whole expert episodes with the lean stepper and with robosuite's own: the same outcome, the same end.

    python benchmarks/equality.py [--suites libero_object libero_goal] [--states 5] [--tasks 10] [--match TEXT]

Each episode runs twice from the same start with the same seeds. The expert sees the simulator's state, so a
difference that contacts amplify also changes its actions; therefore the lean run's actions are then played
in robosuite's stepper as well, and the object poses of that replay are compared. Where these differ by more than
1 mm, the same actions are played in both steppers once more with MuJoCo's contact solver run to its end: what is
then left is due to the stepper, what is gone is due to where the solver starts and stops. Prints a row per episode
that differs and a summary; the last line is the share of episodes with equal outcome.
"""

import argparse
from typing import NamedTuple

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
backend.prepare("auto")

import numpy as np  # noqa: E402

from gauge.core.policy import Observation  # noqa: E402
from gauge.core.seeds import episode_seed, seed, stream  # noqa: E402
from gauge.policies.expert import ExpertPolicy  # noqa: E402
from gauge.sim.scene import DUMMY_ACTION, Scene  # noqa: E402
from gauge.suites import Task, load  # noqa: E402

HORIZON = 520  # LIBERO's longest
ROBOT_JOINTS = 9
EQUAL_M = 1e-3


class Run(NamedTuple):
    """Success step (None without success), the actions, and the joint positions at the end."""

    success: int | None
    actions: list[np.ndarray]
    positions: np.ndarray


def begin(scene: Scene, task: Task, state: int) -> int:
    """Start and settle; the episode's seed."""
    root = episode_seed(0, task.id, state)
    scene.start(seed(root, "start"), state)
    for _ in range(10):
        scene.step(DUMMY_ACTION)
    return root


def act(scene: Scene, task: Task, state: int) -> Run:
    """The expert's episode."""
    root = begin(scene, task, state)
    expert, actions = ExpertPolicy(), []
    expert.reset(task.instruction, stream(root, "policy"))
    for step in range(HORIZON):
        observation = Observation({}, np.zeros(0), task.instruction, step, scene)
        actions.append(expert.act(observation)[0])
        scene.step(actions[-1])
        if scene.success():
            return Run(step + 1, actions, scene.data.qpos.copy())
    return Run(None, actions, scene.data.qpos.copy())


def play(scene: Scene, task: Task, state: int, actions: list[np.ndarray]) -> Run:
    """Given actions, open loop, to the first success."""
    begin(scene, task, state)
    for step, action in enumerate(actions):
        scene.step(action)
        if scene.success():
            return Run(step + 1, actions, scene.data.qpos.copy())
    return Run(None, actions, scene.data.qpos.copy())


def distance(one: Run, other: Run) -> float:
    """Largest difference of any joint position that is not the robot's (m or rad) at the ends of two runs."""
    return float(np.abs(one.positions - other.positions)[ROBOT_JOINTS:].max())


def converged(scene: Scene, task: Task, state: int, actions: list[np.ndarray]) -> float:
    """Distance between the steppers when the contact solver of neither stops early (m or rad)."""
    options = scene.model.opt
    before = options.tolerance, options.iterations
    options.tolerance, options.iterations = 1e-15, 300
    ends = []
    for scene.stepper in ("lean", "robosuite"):
        ends.append(play(scene, task, state, actions))
    options.tolerance, options.iterations = before
    return distance(*ends)


def main() -> None:
    """Compare and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    suites = ["libero_spatial", "libero_object", "libero_goal", "libero_10"]
    parser.add_argument("--suites", nargs="+", default=suites)
    parser.add_argument("--tasks", type=int, default=10)
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--match", default="", help="only tasks whose id holds this text")
    options = parser.parse_args()

    equal, replayed, total, ends = 0, 0, 0, []
    for suite in options.suites:
        for task in (one for one in load(suite).tasks[: options.tasks] if options.match in one.id):
            scene = Scene(task)
            for state in range(options.states):
                scene.stepper = "lean"
                lean = act(scene, task, state)
                scene.stepper = "robosuite"
                replay = play(scene, task, state, lean.actions)
                reference = act(scene, task, state)
                apart = distance(replay, lean)
                total += 1
                equal += (lean.success is None) == (reference.success is None)
                replayed += (lean.success is None) == (replay.success is None)
                ends.append(apart)
                if apart > EQUAL_M or lean.success != reference.success:
                    steps = f"success at {lean.success} / {reference.success}, replay {replay.success}"
                    exact = (
                        f", {converged(scene, task, state, lean.actions):.1e} m converged" if apart > EQUAL_M else ""
                    )
                    print(f"{task.id} state {state}: {steps}, objects {1000 * apart:.2f} mm apart{exact}", flush=True)
            scene.close()
    within = sum(apart <= EQUAL_M for apart in ends)
    print(f"{total} episodes: outcome equal in {equal}, open-loop replay in {replayed}")
    print(f"object joints after the replay within 1 mm (1e-3) in {within}, median {np.median(ends):.2g} m")
    print(f"ratio {equal / total:.3f}")


if __name__ == "__main__":
    main()
