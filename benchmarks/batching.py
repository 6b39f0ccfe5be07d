"""What answering several environments in one call saves, on real scenes with one policy for all workers.

    python benchmarks/batching.py [--workers 4] [--cost 0.4] [--steps 60] [--repeats 3]

The policy takes `cost` seconds for every call, however many observations are in it, which is how a large network
behaves on an accelerator that a single observation does not fill. The same episodes are run with one observation
per call (`policy_batch=1`) and with whatever waits when the policy becomes free. Scenes are compiled before, and
nothing is rendered. The last line is the median ratio of the two times.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import BatchPolicy, Observation, PolicySpec
from gauge.core.record import EpisodeRecord
from gauge.rollout.plan import EpisodePlan, plan_episodes
from gauge.rollout.pool import WorkerPool
from gauge.rollout.worker import Sharing, WorkerSetup
from gauge.suites import load


class FixedCost(BatchPolicy[np.random.Generator]):
    """Rests a little at random; every call takes equally long."""

    identity = "fixed-cost/1"
    spec = PolicySpec(cameras=(), state="none", chunk=10, executed=10)

    def __init__(self, cost_s: float) -> None:
        self._cost_s = cost_s

    def begin(self, instruction: str, rng: np.random.Generator) -> np.random.Generator:
        """The generator is all there is to remember."""
        return rng

    def act_batch(
        self, states: Sequence[np.random.Generator], observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        """Sleep once, then draw every row from its own generator."""
        time.sleep(self._cost_s)
        return [rng.uniform(-0.2, 0.2, (10, 7)) for rng in states]


def run(
    pool: WorkerPool, plans: Sequence[EpisodePlan], folder: Path, cost_s: float, max_batch: int | None
) -> tuple[float, float]:
    """Seconds for all plans, and observations per call."""
    sharing = Sharing(60.0, max_batch)
    setup = WorkerSetup(partial(FixedCost, cost_s), f"fixed cost {cost_s}", (), folder, {}, sharing=sharing)
    records: list[EpisodeRecord] = []
    pool._host.process(setup)  # so that its start is not measured
    calls, rows = pool._host.tally
    began = time.perf_counter()
    pool.run(plans, setup, 600.0, records.append, frozenset)
    seconds = time.perf_counter() - began
    assert {record.status for record in records} == {"fail"}, records[0].reason
    return seconds, (pool._host.tally[1] - rows) / (pool._host.tally[0] - calls)


def main() -> None:
    """Measure and print; the ratio line comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--cost", type=float, default=0.4, help="seconds per call")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()

    task = load("libero_goal").tasks[:1]
    plans = plan_episodes("benchmark", task, options.workers, 0, options.steps, 10)
    pool = WorkerPool(options.workers, "osmesa", 2.0)
    pairs = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(pool, plans, Path(folder), 0.0, None)  # compiles the scene in every worker
            for _ in range(options.repeats):
                single, _ = run(pool, plans, Path(folder), options.cost, 1)
                batched, size = run(pool, plans, Path(folder), options.cost, None)
                pairs.append((single, batched))
                print(f"one per call {single:6.2f} s   batched {batched:6.2f} s, {size:.2f} per call", flush=True)
        finally:
            pool.close()
    episodes = options.workers * 3600
    single, batched = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{options.workers} workers, {options.cost:g} s per call, {options.steps} steps, chunk 10")
    print(f"median episodes per hour: one per call {episodes / single:.0f}, batched {episodes / batched:.0f}")
    print(f"ratio {statistics.median(one / other for one, other in pairs):.2f}")


if __name__ == "__main__":
    main()
