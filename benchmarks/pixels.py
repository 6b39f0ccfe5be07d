"""How well what goals move is seen outside beside inside: pixels in the agent view of 256 x 256.

    python benchmarks/pixels.py [--capability compositional] [--starts 3]

Certificates have the fewest pixels of a goal's first thing in any of 50 starts. Here it is everything that the goal
moves, in a typical start: the median over some starts of each thing, the mean over the things of a goal, the mean over
the goals of a half. The last line is the ratio of the halves.
"""

import argparse
from collections.abc import Iterator
from statistics import fmean, median

import numpy as np

from gauge.sim import backend

# MuJoCo takes the renderer when it is imported: all that imports it comes after this.
backend.prepare("auto")

from gauge import vbddl  # noqa: E402
from gauge.certify.starts import SEED  # noqa: E402
from gauge.protocol.separability import compared  # noqa: E402
from gauge.sim.scene import Scene  # noqa: E402
from gauge.suites import Task, capability  # noqa: E402
from gauge.validate.bench import target_mask  # noqa: E402
from gauge.vbddl.goal import Literal, wants  # noqa: E402


def main() -> None:
    """Measure and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--capability", default="compositional")
    parser.add_argument("--starts", type=int, default=3)
    options = parser.parse_args()

    halves: dict[str, list[float]] = {"id": [], "ood": []}
    for split, found in halves.items():
        for task in capability.load(options.capability, options.capability, split).tasks:
            seen = list(pixels(task, options.starts))
            if seen:
                found.append(fmean(seen))
                print(f"{task.id}: {' '.join(f'{one:.0f}' for one in seen)}", flush=True)
    inside, outside, d = compared(*map(np.array, halves.values()))
    print(f"{inside:.0f} pixels inside and {outside:.0f} outside, {d:+.2f} pooled standard deviations apart")
    print(f"ratio {outside / inside:.2f}")


def pixels(task: Task, starts: int) -> Iterator[float]:
    """Of each thing that the goal moves, its median over the starts."""
    parsed = vbddl.load(task.bddl_path)
    about = {one.arguments[0] for one in wants(parsed.goal) if isinstance(one, Literal)}
    moved = [one.name for one in parsed.objects if one.name in about]
    if not moved:
        return
    scene = Scene(task)
    seen: dict[str, list[int]] = {name: [] for name in moved}
    for index in range(starts):
        scene.start(SEED, index)
        for name in moved:
            seen[name].append(int(target_mask(scene, name).sum()))
    scene.close()
    yield from (float(median(each)) for each in seen.values())


if __name__ == "__main__":
    main()
