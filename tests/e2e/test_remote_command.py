"""A policy server and the evaluation as two processes, and what happens when one of them goes away."""

import os
import re
import signal
import subprocess
import sys

import pytest
from commands import command, finish, records, wait_for_records

pytestmark = pytest.mark.sim
PROFILE = ["model=remote", "model.name=served", "model.cameras=[]", "model.state=none", "model.executed=10"]
SMALL = ["suite=libero_goal", "suite.tasks=[0]", "suite.horizon=20", "rollouts=3", "video=off"]
INHERITED = ("DISPLAY", "MUJOCO_GL", "PYOPENGL_PLATFORM", "GAUGE_RENDERER_LOADED")
QUICK = ["model.attempts=1", "model.connect_timeout_s=2"]


def serve(port=0):
    """A served random policy and its port."""
    server = subprocess.Popen(
        [sys.executable, "-m", "gauge.serve", "model=random", f"port={port}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    for line in server.stdout:
        found = re.search(r"port (\d+)", line)
        if found:
            return server, int(found[1])
    raise AssertionError("the server said no port")


def stop(server):
    server.send_signal(signal.SIGKILL)
    server.wait()
    server.stdout.close()


def test_a_served_policy_gives_the_results_of_the_same_policy_in_process(tmp_path):
    server, port = serve()
    code, _, err = finish(command(*PROFILE, *SMALL, f"model.port={port}", outputs=tmp_path / "remote"))
    stop(server)
    assert code == 0, err
    assert finish(command("model=random", *SMALL, outputs=tmp_path / "local"))[0] == 0
    essence = ("scenario_id", "rollout", "seed", "status", "scene_hash", "start_hash", "steps", "model_identity")
    remote, local = (
        sorted(tuple(record[name] for name in essence) for record in records(tmp_path / side))
        for side in ("remote", "local")
    )
    assert remote == local


def test_without_a_server_nothing_is_started(tmp_path):
    code, _, err = finish(command(*PROFILE, *SMALL, *QUICK, "model.port=9", outputs=tmp_path))
    assert code in (2, 3)
    assert err.count("error:") == 1
    assert "9" in err
    assert records(tmp_path) == []


def test_a_server_that_dies_costs_errors_not_failures_and_a_later_run_makes_up_for_them(tmp_path):
    server, port = serve()
    run = [*PROFILE, *SMALL, *QUICK, f"model.port={port}", "rollouts=12", "stop_after_errors=20"]
    process = command(*run, outputs=tmp_path)
    wait_for_records(tmp_path, 1)
    stop(server)
    code, out, err = finish(process)
    assert code == 3, err
    statuses = [record["status"] for record in records(tmp_path)]
    assert statuses.count("error") >= 1
    assert statuses.count("fail") >= 1
    assert "could not be evaluated" in err
    server, port = serve()
    code, out, err = finish(command(*run, f"model.port={port}", outputs=tmp_path))
    stop(server)
    assert code == 0, err
    assert "0/12" in out


def test_no_renderer_is_one_sentence(tmp_path):
    looks = ["model=random", "perturbation=image_shift", "value.at=0.1", *SMALL, "rollouts=1"]
    environment = {k: v for k, v in os.environ.items() if k not in INHERITED}
    code, _, err = finish(command(*looks, "renderer=glfw", outputs=tmp_path, environment=environment))
    assert code == 2, err
    assert "error: no frame can be rendered here" in err
    assert "renderer=osmesa" in err
    assert "Traceback" not in err
