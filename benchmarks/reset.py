"""The start of an episode: a stored start of a compiled scene beside LIBERO's hard reset.

    python benchmarks/reset.py [--suite libero_goal] [--task 0] [--repeats 5]

Both begin with a compiled environment and end with the official initial state set and forwarded. LIBERO's
environment renders, as in published evaluations, so its reset also uploads meshes and textures again. The
last line is the median ratio of LIBERO's time to gauge's.
"""

import argparse
import statistics
import time

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
backend.prepare("auto")

from gauge.sim.libero import build_env, global_seed, load_states  # noqa: E402
from gauge.sim.scene import Scene  # noqa: E402
from gauge.suites import load  # noqa: E402

STARTS = 20  # of gauge's, per repeat: one alone is too short to time


def main() -> None:
    """Measure in turn and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument("--task", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    task = load(options.suite).tasks[options.task]
    build_env(task).close()  # importing LIBERO and compiling numba is not what is measured
    from libero.libero.envs.env_wrapper import OffScreenRenderEnv

    reference = OffScreenRenderEnv(bddl_file_name=str(task.bddl_path), camera_heights=256, camera_widths=256)
    scene, states = Scene(task), load_states(task)
    rows = []
    for repeat in range(options.repeats):
        began = time.perf_counter()
        with global_seed(repeat):
            reference.reset()
        reference.set_init_state(states[repeat])
        theirs = time.perf_counter() - began
        began = time.perf_counter()
        for index in range(STARTS):
            scene.start(repeat, index)
        ours = (time.perf_counter() - began) / STARTS
        rows.append((theirs, ours))
        print(f"LIBERO {1000 * theirs:7.1f} ms   gauge {1000 * ours:6.2f} ms", flush=True)
    reference.close()
    scene.close()
    print(f"{task.id}: median start of an episode {1000 * statistics.median(r[1] for r in rows):.2f} ms")
    print(f"ratio {statistics.median(r[0] / r[1] for r in rows):.1f}")


if __name__ == "__main__":
    main()
