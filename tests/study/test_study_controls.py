"""`controls=true` in a study, as a person types it: planned, run in real scenes, and on the page beside the scores."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

HELPERS = Path(__file__).parents[1]
TYPED = (
    "model=torch",
    "model.module=torch_nets:Net",
    "model.image_size=[16,16]",
    "suite=libero_goal",
    "suite.tasks=[7,8]",
    "suite.horizon=100",
    "rollouts=1",
    "stage=zero_shot",
    "controls=true",
)


def study(outputs: Path, *typed: str) -> tuple[int, str, str]:
    paths = os.pathsep.join([str(HELPERS), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "gauge.study", *TYPED, f"outputs={outputs}", *typed]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.process
def test_a_plan_counts_the_controls(tmp_path: Path) -> None:
    code, out, err = study(tmp_path, "--dry-run")
    assert code == 0, err
    line = next(line for line in out.splitlines() if "zero_shot: controls" in line)
    assert line.split()[2:5] == ["2", "3", "6"]  # scenarios, cells, episodes


@pytest.mark.sim
def test_controls_stand_beside_the_scores(tmp_path: Path) -> None:
    code, out, err = study(tmp_path)
    assert code == 0, err
    assert "Controls (clean scenes" in out
    assert "Open loop, one demonstration of the expert played from every start" in out
    found = json.loads((tmp_path / "main" / "stages" / "zero_shot" / "result.json").read_text())
    columns = found["tables"]["controls"]["columns"]
    episodes = dict(zip(zip(columns["model"], columns["control"], strict=True), columns["n"], strict=True))
    assert episodes == dict.fromkeys([("torch", one) for one in ("policy", "black", "swapped", "told")], 2) | {
        ("open_loop", "open loop"): 2
    }
    code, again, err = study(tmp_path)
    assert code == 0, err
    assert "zero_shot: unchanged" in again
