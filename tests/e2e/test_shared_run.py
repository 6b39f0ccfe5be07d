"""`python -m gauge.run policy=shared` as a person types it: no process outlives it, whatever ends it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.sim
SMALL = ["suite=libero_goal", "suite.tasks=[0]", "suite.horizon=20", "rollouts=4", "video=off", "policy=shared"]
KEEP = ("cell_id", "scenario_id", "rollout", "seed", "status", "scene_hash", "start_hash", "steps", "model_identity")


def start(outputs, *arguments):
    environment = {**os.environ, "GAUGE_OUTPUTS": str(outputs)}
    return subprocess.Popen(
        [sys.executable, "-m", "gauge.run", *SMALL, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def records(outputs):
    lines = [line for path in outputs.glob("*/*/episodes-*.jsonl") for line in path.read_text().splitlines()]
    return sorted(tuple(json.loads(line)[name] for name in KEEP) for line in lines if line.endswith("}"))


def wait_for(condition, timeout_s):
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, f"not within {timeout_s} s"
        time.sleep(0.05)


def group(process):
    """The processes of the command that still exist."""
    return subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True, text=True).stdout.split()


def test_shared_and_per_worker_store_the_same(tmp_path):
    for name, override in (("shared", "workers=2"), ("own", "policy=per_worker")):
        process = start(tmp_path / name, "model=random", override)
        _, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert ("the shared policy answered 8 observations in" in err) == (name == "shared")
        wait_for(lambda: not group(process), 5)  # noqa: B023 - called at once
    assert len(records(tmp_path / "own")) == 4
    assert records(tmp_path / "own") == records(tmp_path / "shared")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_the_command(tmp_path, number):
    process = start(tmp_path, "model=random", "workers=2", "rollouts=20")
    wait_for(lambda: records(tmp_path), 120)
    assert len(group(process)) >= 4  # the command, two workers and the policy
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does
    else:
        process.send_signal(number)
    began = time.monotonic()
    process.wait(30)
    wait_for(lambda: not group(process), 5)
    assert time.monotonic() - began < 5.0
    assert process.returncode == (130 if number == signal.SIGINT else -number)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["model=noop"], "model=noop answers one episode at a time and cannot be shared: leave policy=per_worker"),
        (["model=expert"], "model=expert answers one episode at a time and cannot be shared"),
        (["model=remote", "model.name=x"], "model=remote is one server for all workers already"),
        (["model=random", "workers=0"], "policy=shared needs workers to share it: add workers=1 or more"),
        (["model=random", "policy_batch=0"], "policy_batch=0 is too small: it is at least 1, or null for no limit"),
        (["model=random", "policy_timeout_s=0"], "policy_timeout_s=0.0 must be more than 0 seconds"),
        (["model=random", "policy=share"], "unknown policy 'share'; did you mean shared"),
    ],
)
def test_what_cannot_be_shared_is_refused_at_once(tmp_path, arguments, reason):
    process = start(tmp_path, *arguments)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert reason in err
