"""What a sweep costs per cell before its first episode: composing, checking, listing; no episode is run.

    python benchmarks/sweep.py [--cells 10000]

Sweeps `seed` of a synthetic model with a task that returns at once, in this process. The overhead is this process's
CPU time over the number of cells, with what a sweep of ten cells takes subtracted as the start. Prints the peak
memory; the last line is the rate.
"""

import argparse
import resource
import sys
import tempfile
import time

from omegaconf import DictConfig

from gauge.config.entry import hydra_entry

SMALL = 10


def nothing(cfg: DictConfig) -> dict[str, object]:
    """A job without work."""
    return {"cell_id": "", "n": 0, "errors": 0}


def sweep(cells: int, folder: str) -> float:
    """CPU seconds of a sweep over that many seeds."""
    seeds = ",".join(map(str, range(cells)))
    chosen = ["model=synthetic", "suite=libero_goal", f"seed={seeds}", f"outputs={folder}"]
    quiet = ["hydra/job_logging=none", "hydra/hydra_logging=none", "hydra.output_subdir=null"]
    sys.argv = ["sweep.py", "-m", *chosen, *quiet]
    began = time.process_time()
    hydra_entry(nothing)
    return time.process_time() - began


def main() -> None:
    """Measure and print; the rate comes last."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        start = min(sweep(SMALL, f"{folder}/small{k}") for k in range(2))
        whole = sweep(options.cells, f"{folder}/whole")
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    each = (whole - start) / (options.cells - SMALL)
    print(f"{options.cells} cells: {whole:.1f} s of CPU, {memory_mb:.0f} MB at most")
    print(f"rate {1000 * each:.1f} ms per cell")


if __name__ == "__main__":
    main()
