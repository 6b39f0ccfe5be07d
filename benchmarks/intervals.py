"""How often every 95% interval holds the truth, in simulated studies: the table of docs/protocol.md.

    python benchmarks/intervals.py [--trials 4000]

Every row is one kind of interval in one setting; `share` is the share of simulated studies whose interval holds the
true score. Its own standard error is 0.3 points with 4000 trials.
"""

import argparse
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from gauge.protocol import coverage

SIZES = {"270 scenarios": (23, 22), "60 scenarios": (6, 4), "36 scenarios": (3, 3), "18 scenarios": (2, 1)}
Found = dict[str, float]


def single(measure: Callable[[], float]) -> Found:
    """One share without a part's name."""
    return {"": measure()}


def rows(trials: int) -> list[tuple[str, str, Callable[[], Found]]]:
    """Interval, setting, and what measures it."""
    found: list[tuple[str, str, Callable[[], Found]]] = []
    for n in (50, 900, 2500):
        for p in (0.02, 0.1, 0.3, 0.5, 0.9, 0.98):
            found.append(("Wilson", f"rate {p}, {n} episodes", partial(single, partial(coverage.of_rate, p, n))))
    for n in (10, 50):
        measure = partial(coverage.of_rates, coverage.CLEAN_SHAPE, n, 5 * trials, 1)
        found.append(("Wilson", f"rates of unlike scenarios, {n} episodes", partial(single, measure)))
    for probabilities in (
        [0.5, 0.1, 0.2, 0.2],
        [0.2, 0.3, 0.05, 0.45],
        [0.3, 0.02, 0.03, 0.65],
        [0.05, 0.1, 0.0, 0.85],
    ):
        for n in (50, 900):
            setting = f"{n} pairs, {probabilities[1]:.0%} lost, {probabilities[2]:.0%} gained"
            measure = partial(coverage.of_paired_difference, probabilities, n, trials, 2)
            found.append(("Newcombe, paired", setting, partial(single, measure)))
    for kept in (0.95, 0.6, 0.1):
        measure = partial(coverage.of_paired_difference_in_scenarios, 18, kept, trials, 3)
        found.append(("Newcombe, paired", f"18 unlike scenarios x 50, {kept:.0%} left", partial(single, measure)))
    for before, after in ((0.5, 0.5), (0.2, 0.6), (0.9, 0.7), (0.98, 0.95)):
        for n in (50, 900):
            measure = partial(coverage.of_unpaired_difference, before, after, n, trials, 4)
            setting = f"{n} episodes each, {before} and {after}"
            found.append(("Newcombe, unpaired", setting, partial(single, measure)))
    for name, size in SIZES.items():
        if min(size) > 1:
            found.append(("bootstrap of ZS", name, partial(coverage.of_zero_shot, trials, *size, 11)))
        found.append(("bootstrap of R", name, partial(single, partial(coverage.of_r_score, trials, *size, 12))))
        found.append(("bootstrap of D-RMSD", name, partial(coverage.of_d_rmsd, trials // 2, *size, 13)))
    for kept in (0.001, 0.005, 0.02):
        measure = partial(coverage.of_small_r_score, trials, kept, 14)
        found.append(("bootstrap of R", f"18 scenarios, {kept:.1%} left", partial(single, measure)))
    return found


def main() -> None:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=4000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    planned = rows(options.trials)
    print("| interval | setting | share | within 93 to 97% |")
    print("|-|-|-|-|")
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = [(name, setting, pool.submit(measure)) for name, setting, measure in planned]
        for name, setting, future in waiting:
            for part, share in future.result().items():
                said = f"{name}, {part.replace('_', ' ')}" if part else name
                verdict = "yes" if 0.93 <= share <= 0.97 else "wider" if share > 0.97 else "**narrower**"
                print(f"| {said} | {setting} | {share:.1%} | {verdict} |", flush=True)


if __name__ == "__main__":
    main()
