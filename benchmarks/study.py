"""A study of the paper's size on synthetic models: how long its records and its analysis take, and how much memory.

    python benchmarks/study.py [--rollouts 50] [--models 12] [--parallel 2] [--folder DIR]

The study is the ordinary command with cluster=local: 270 scenarios, all perturbation values on the anchors, all models
at every stage. Then its results, not its records, are removed and the same command is timed again: that is the
analysis alone, reading the records included. The folder (about 3.5 GB) is removed at the end unless --folder names one.
"""

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKILLS = (1.3, 0.9, 0.1, 0.0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.8, -1.2, -1.5)
LINE = re.compile(r"^(\w+): .* \(episodes ([\d.]+) s, analysis ([\d.]+) s\)$", re.MULTILINE)
EPISODES = "episodes-*.jsonl"


def study(outputs: Path, options: argparse.Namespace) -> tuple[float, dict[str, tuple[float, float]]]:
    """Wall seconds of the command, and (episodes, analysis) seconds by stage."""
    skills = ",".join(map(str, SKILLS[: options.models]))
    command = [sys.executable, "-m", "gauge.study", "study=big", f"outputs={outputs}", "model=synthetic"]
    command += [f"model.skill={skills}", "suite=synthetic", f"rollouts={options.rollouts}", "anchor_models=all"]
    command += ["cluster=local", f"cluster.parallel={options.parallel}"]
    began = time.monotonic()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    found = {name: (float(ran), float(analysed)) for name, ran, analysed in LINE.findall(done.stdout)}
    return time.monotonic() - began, found


def records(folder: Path) -> tuple[int, float]:
    """How many records a study holds, and their GB."""
    files = list(folder.glob(f"*/{EPISODES}"))
    return sum(path.read_bytes().count(b"\n") for path in files), sum(path.stat().st_size for path in files) / 1e9


def main() -> None:
    """Run both and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rollouts", type=int, default=50)
    parser.add_argument("--models", type=int, default=len(SKILLS))
    parser.add_argument("--parallel", type=int, default=2)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    outputs = options.folder or Path(tempfile.mkdtemp(prefix="gauge-study-"))
    try:
        wall, first = study(outputs, options)
        count, size = records(outputs / "big")
        shutil.rmtree(outputs / "big" / "stages")
        again, second = study(outputs, options)
        unchanged, _ = study(outputs, options)
    finally:
        if options.folder is None:
            shutil.rmtree(outputs, ignore_errors=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = sum(seconds for seconds, _ in first.values())
    print(f"{count:,} records, {size:.2f} GB; written in {ran / 60:.1f} min; the whole study took {wall / 60:.1f} min")
    for stage, (_, seconds) in second.items():
        print(f"analysis of {stage:<14} {seconds:6.1f} s")
    print(f"all analysis {again:.0f} s; the same command again, nothing changed: {unchanged:.0f} s")
    print(f"processor time of all of it: {(used.ru_utime + used.ru_stime) / 60:.1f} min")
    print(f"largest process: {used.ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
