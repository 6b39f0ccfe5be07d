"""How often an adaptive budget decides as the full grid does, and with which share of its rollouts.

    python benchmarks/adaptive.py [--stage screening] [--trials 210] [--first 1000] [--error 0.03] [--rollouts 50]

Every trial draws two policies, runs the paper's full grid (268 values, or the candidates of the screening, on 18
anchors) and a race over it, and asks whether the full grid refutes any decision of the race
(`gauge.protocol.rehearsal` and `rehearsal_choice`). A second full grid with other seeds, judged in the same way, shows
what the full grid itself can tell. Trials take turns with the three shapes of policies.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from gauge.core.metrics import wilson
from gauge.protocol import rehearsal, rehearsal_choice
from gauge.protocol.adaptive import ERROR
from gauge.protocol.rehearsal import SHAPES, Outcome

STAGES = {"sensitivity": rehearsal.rehearse, "screening": rehearsal_choice.rehearse}


def trial(stage: str, number: int, rollouts: int, error: float) -> Outcome:
    """The shapes take turns."""
    return STAGES[stage](SHAPES[number % len(SHAPES)], number, rollouts, error)


def line(name: str, outcomes: list[Outcome]) -> str:
    """A row of the table."""
    agrees, same, second, second_same, share, looks, off = np.array(outcomes, float).T
    low, high = wilson(int(agrees.sum()), len(agrees))
    cells = [name, len(agrees), f"{agrees.mean():.1%} [{100 * low:.1f}, {100 * high:.1f}]"]
    cells += [f"{part.mean():.1%}" for part in (same, second, second_same, share)]
    return f"| {' | '.join(map(str, cells))} | {share.max():.1%} | {looks.mean():.0f} | {off.max():.1f} |"


def main() -> None:
    """Run the trials and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stage", choices=STAGES, default="sensitivity")
    parser.add_argument("--trials", type=int, default=210)
    parser.add_argument("--first", type=int, default=0, help="seed of the first trial; the next ones follow")
    parser.add_argument("--rollouts", type=int, default=50)
    parser.add_argument("--error", type=float, default=ERROR)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    began = time.monotonic()
    numbers = range(options.first, options.first + options.trials)
    with ProcessPoolExecutor(options.processes) as pool:
        settings = ([value] * len(numbers) for value in (options.rollouts, options.error))
        found = list(pool.map(trial, [options.stage] * len(numbers), numbers, *settings))
    print(
        "| policies | trials | agrees | same | 2nd grid agrees | 2nd grid same | share | most | looks | off, points |"
    )
    print("|-|-|-|-|-|-|-|-|-|-|")
    for place, shape in enumerate(SHAPES):
        own = [one for number, one in zip(numbers, found, strict=True) if number % len(SHAPES) == place]
        print(line(shape, own))
    print(line("all", found))
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
