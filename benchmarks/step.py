"""One control step over raw physics: how much the controller costs on top of MuJoCo.

    python benchmarks/step.py [--suite libero_goal] [--task 0] [--steps 100] [--repeats 5]

Three ways to advance the same scene by 50 ms: 25 bare `mj_step`, gauge's lean step, and robosuite's own
`env.step` without cameras. The last line is the median ratio of lean to bare.
"""

import argparse
import statistics
import time
from collections.abc import Callable

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
backend.prepare("auto")

import mujoco  # noqa: E402
import numpy as np  # noqa: E402

from gauge.sim.scene import DUMMY_ACTION, Scene  # noqa: E402
from gauge.suites import load  # noqa: E402

SUBSTEPS = 25


def milliseconds(step: Callable[[np.ndarray], object], actions: np.ndarray) -> float:
    """Mean processor time of one control step; the physics has one thread, and other load does not count."""
    began = time.process_time()
    for action in actions:
        step(action)
    return 1000 * (time.process_time() - began) / len(actions)


def main() -> None:
    """Measure in turn and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument("--task", type=int, default=0)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    task = load(options.suite).tasks[options.task]
    scene = Scene(task)
    actions = np.random.default_rng(0).uniform(-0.3, 0.3, (options.steps, 7))

    def bare(_: np.ndarray) -> None:
        for _ in range(SUBSTEPS):
            mujoco.mj_step(scene.model, scene.data)

    rows = []
    for _ in range(options.repeats):
        row = []
        for step in (bare, scene.step, scene.env.step):
            scene.start(1, 0)
            for _ in range(10):
                scene.step(DUMMY_ACTION)  # the torques it leaves hold the arm up for the bare steps
            row.append(milliseconds(step, actions))
        rows.append(row)
        print("bare {:5.2f} ms   lean {:5.2f} ms   robosuite {:5.2f} ms".format(*row), flush=True)
    print(f"{task.id}, medians of {options.repeats}")
    print(f"robosuite over lean {statistics.median(r[2] / r[1] for r in rows):.2f}")
    print(f"ratio {statistics.median(r[1] / r[0] for r in rows):.2f}")


if __name__ == "__main__":
    main()
