"""`python -m gauge.study` as a person types it, with synthetic models: nothing is simulated."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

pytestmark = pytest.mark.process
STAGES = ("zero_shot", "anchors", "sensitivity", "screening", "combinatorial")
SMALL = (
    "model=synthetic",
    "model.skill=1.5,0.8",
    "suite=synthetic",
    "perturbations=[action_noise,robot_initial_state,image_shift]",
    "levels=2",
)


def command(outputs: Path, *typed: str) -> list[str]:
    return [sys.executable, "-m", "gauge.study", *SMALL, f"outputs={outputs}", *typed]


def study(outputs: Path, *typed: str) -> tuple[int, str, str]:
    done = subprocess.run(command(outputs, *typed), capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def results(outputs: Path) -> dict[str, dict[str, object]]:
    folder = outputs / "main" / "stages"
    return {stage: json.loads((folder / stage / "result.json").read_text()) for stage in STAGES}


def test_all_stages_then_nothing_then_what_changed(tmp_path: Path) -> None:
    code, out, err = study(tmp_path, "rollouts=4")
    assert code == 0, err
    assert all(f"{stage}: " in out for stage in STAGES)
    first = results(tmp_path)
    assert all(found["missing"] == 0 for found in first.values())
    page = (tmp_path / "main" / "stages" / "combinatorial" / "summary.md").read_text()
    assert "synthetic" in page.splitlines()[0]
    code, out, err = study(tmp_path, "rollouts=4")
    assert code == 0, err
    assert out.count("unchanged") == len(STAGES)
    assert results(tmp_path) == first
    code, out, err = study(tmp_path, "rollouts=4", "threshold=0.5")
    assert code == 0, err
    assert "zero_shot: unchanged" in out
    assert "anchors: unchanged" not in out
    code, out, err = study(tmp_path, "rollouts=5", "--dry-run")
    assert code == 0, err
    zero = next(line for line in out.splitlines() if "zero_shot" in line)
    assert "2,700" in zero
    assert "2,160" in zero


def test_an_adaptive_budget_says_what_it_spent_and_the_full_one_adds_the_rest(tmp_path: Path) -> None:
    typed = ("perturbations=[action_noise,robot_initial_state]", "rollouts=12", "stage=screening")
    code, out, err = study(tmp_path, *typed, "study.budget=adaptive", "error=0.1")
    assert code == 0, err
    assert out.count("Adaptive budget: ") == 2
    stages = tmp_path / "main" / "stages"
    spent = pd.read_csv(stages / "sensitivity" / "budget.csv")
    assert (spent.rollouts < 12).any()
    rates = pd.read_csv(stages / "sensitivity" / "rates.csv").query("combination != 'clean'")
    assert dict(zip(spent.combination, spent.rollouts, strict=True)) == rates.groupby("combination").n.max().to_dict()
    code, out, err = study(tmp_path, *typed, "study.budget=adaptive", "error=0.1")
    assert code == 0, err
    assert out.count("unchanged") == 4
    code, out, err = study(tmp_path, *typed)
    assert code == 0, err
    assert "sensitivity: unchanged" not in out
    rates = pd.read_csv(stages / "sensitivity" / "rates.csv")
    assert (rates.n == 12).all()
    assert not (stages / "sensitivity" / "budget.csv").exists()


@pytest.mark.slow
def test_a_killed_study_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert study(whole, "rollouts=4", "stage=sensitivity")[0] == 0
    process = subprocess.Popen(
        command(killed, "rollouts=4", "stage=sensitivity"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 300
    while time.monotonic() < end and not list(killed.glob("main/*/episodes-*.jsonl")):
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert study(killed, "rollouts=4", "stage=sensitivity")[0] == 0
    for stage in STAGES[:3]:
        one, other = (
            json.loads((side / "main" / "stages" / stage / "result.json").read_text()) for side in (whole, killed)
        )
        assert one["digest"] == other["digest"]
        assert one["records"] == other["records"]


def test_faults_are_one_sentence(tmp_path: Path) -> None:
    code, _, err = study(tmp_path, "stage=sensitivty")
    assert code == 2
    assert "did you mean sensitivity" in err
    code, _, err = study(tmp_path, "budget=adaptiv", "error=0.7")
    assert code == 2
    assert "budget=adaptiv is neither full nor adaptive" in err
    assert "error=0.7 is not a probability" in err
    code, _, err = study(tmp_path, "perturbation=image_shift")
    assert code == 2
    assert err.startswith("error: ")
    assert not (tmp_path / "main").exists()
