"""How close `gauge.plan` comes to a real small study: planned over measured duration.

    python benchmarks/plan.py [--models expert,random] [--suite libero_goal] [--workers 1] [--rollouts 10]

A pilot of two rollouts measures the rates, as somebody would before a large study: scenarios differ in their length.
Then a zero-shot study of the same three scenarios is planned and run, in real MuJoCo scenes, in a process of its own,
whose whole time counts: its start, the compilation of scenes and the analysis. Nothing is rendered for `expert` and
`random`; `--models` takes any that acts by itself. The last line is the ratio.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def command(verb: str, options: argparse.Namespace, outputs: Path, study: str, *more: str) -> tuple[str, float]:
    """What a command printed, and its wall seconds."""
    chosen = [f"model={options.models}", f"suite={options.suite}", f"workers={options.workers}", "video=off"]
    typed = [sys.executable, "-m", f"gauge.{verb}", f"outputs={outputs}", f"study={study}", *chosen, *more]
    began = time.perf_counter()
    done = subprocess.run(typed, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout, time.perf_counter() - began


def main() -> None:
    """Measure rates, plan, run, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="expert,random")
    parser.add_argument("--suite", default="libero_goal")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rollouts", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gauge-plan-") as folder:
        outputs = Path(folder)
        small = ("suite.tasks=[1,3,8]", f"rollouts={options.rollouts}", "stage=zero_shot")
        command("study", options, outputs, "pilot", *small, "rollouts=2")
        page, _ = command("plan", options, outputs, "small", *small)
        _, seconds = command("study", options, outputs, "small", *small)
    print(page)
    planned = 3600 * float(re.findall(r"^ all .* ([\d.]+) *$", page, re.MULTILINE)[-1])
    print(f"planned {planned:.0f} s, measured {seconds:.0f} s")
    print(f"ratio {planned / seconds:.2f} planned over measured")


if __name__ == "__main__":
    main()
