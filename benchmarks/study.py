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
from dataclasses import dataclass
from pathlib import Path

SKILLS = (1.3, 0.9, 0.1, 0.0, -0.1, -0.2, -0.3, -0.4, -0.5, -0.8, -1.2, -1.5)
LINE = re.compile(r"^(\w+): .* \(episodes ([\d.]+) s, analysis ([\d.]+) s\)$")
EPISODES = "episodes-*.jsonl"


@dataclass(frozen=True)
class Took:
    """One run of the command.

    Attributes:
        wall_s, cpu_s: of the command and all its jobs.
        stages: stage to (episodes, analysis) wall seconds.
    """

    wall_s: float
    cpu_s: float
    stages: dict[str, tuple[float, float]]


def study(outputs: Path, options: argparse.Namespace) -> Took:
    """Run the command; its stages are printed as they end."""
    skills = ",".join(map(str, SKILLS[: options.models]))
    command = [sys.executable, "-m", "gauge.study", "study=big", f"outputs={outputs}", "model=synthetic"]
    command += [f"model.skill={skills}", "suite=synthetic", f"rollouts={options.rollouts}", "anchor_models=all"]
    command += ["cluster=local", f"cluster.parallel={options.parallel}"]
    began, before = time.monotonic(), processor_s()
    found = {}
    with tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if match := LINE.match(line):
                    found[match[1]] = (float(match[2]), float(match[3]))
                    print(line, end="", flush=True)
        if process.returncode:
            errors.seek(0)
            raise SystemExit(errors.read()[-5000:])
    return Took(time.monotonic() - began, processor_s() - before, found)


def processor_s() -> float:
    """Processor seconds of all commands so far, their jobs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
        first = study(outputs, options)
        count, size = records(outputs / "big")
        ran = sum(seconds for seconds, _ in first.stages.values())
        print(f"{count:,} records, {size:.2f} GB; written in {ran / 60:.1f} min", flush=True)
        print(f"the whole study: {first.wall_s / 60:.1f} min, processors {first.cpu_s / 60:.1f} min", flush=True)
        shutil.rmtree(outputs / "big" / "stages")
        again = study(outputs, options)
        print(f"all analysis: {again.wall_s:.0f} s, processors {again.cpu_s:.0f} s", flush=True)
        unchanged = study(outputs, options)
        print(f"the same command, nothing changed: {unchanged.wall_s:.0f} s, processors {unchanged.cpu_s:.0f} s")
    finally:
        if options.folder is None:
            shutil.rmtree(outputs, ignore_errors=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"largest process: {used.ru_maxrss / 2**20:.2f} GB")


if __name__ == "__main__":
    main()
