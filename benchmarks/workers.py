"""Episodes per hour with two workers over one: what a second process brings on this machine.

    python benchmarks/workers.py [--model random] [--suite libero_goal] [--tasks 0,1,2,3] [--rollouts 25] [--repeats 3]

Each run of `gauge.run` is made twice, with a fifth of the rollouts and with all; the difference is what the further
episodes took, without the start and the compilation of scenes. One and two workers take turns. The last line is the
median of the pairwise ratios.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time


def run_s(options: argparse.Namespace, workers: int, rollouts: int) -> float:
    """Wall seconds of the whole command in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="gauge-workers-") as folder:
        typed = [sys.executable, "-m", "gauge.run", f"outputs={folder}", f"workers={workers}", "video=off"]
        typed += [f"model={options.model}", f"suite={options.suite}", f"suite.tasks=[{options.tasks}]"]
        began = time.perf_counter()
        done = subprocess.run([*typed, f"rollouts={rollouts}"], check=False, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return time.perf_counter() - began


def per_hour(options: argparse.Namespace, workers: int) -> float:
    """Episodes an hour, start and compilation left out."""
    few = max(1, options.rollouts // 5)
    took = run_s(options, workers, options.rollouts) - run_s(options, workers, few)
    return 3600 * (options.rollouts - few) * len(options.tasks.split(",")) / took


def main() -> None:
    """Measure in turn and print; the ratio comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="random")
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument(
        "--tasks", default="0,1,2,3", help="indices of scenarios; a multiple of two of them shares well"
    )
    parser.add_argument("--rollouts", type=int, default=25)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    ratios = []
    for _ in range(options.repeats):
        one, two = per_hour(options, 1), per_hour(options, 2)
        ratios.append(two / one)
        print(f"{one:.0f} episodes an hour with one worker, {two:.0f} with two: {ratios[-1]:.2f}", flush=True)
    print(f"ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
