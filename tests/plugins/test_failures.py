"""A failing job never takes the others with it, and the command's exit code says what happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_command import APP, cells, labels, sweep_folder, toy

THREE = ["-m", "perturbation=image_shift", "value.at=0.02,0.04,0.06"]


@pytest.mark.parametrize(
    ("fault", "code", "reason"),
    [
        ("user", 2, "the toy does not like this value"),
        ("incomplete", 3, "one toy episode has no result"),
        ("gap", 3, "1 of 4 episodes could not be evaluated"),
        ("bug", 1, "ZeroDivisionError: the toy has a bug"),
    ],
)
def test_one_of_three_fails(tmp_path: Path, fault: str, code: int, reason: str) -> None:
    done = toy(*THREE, cwd=tmp_path, faults={"image_shift=0.04": fault})
    assert done.returncode == code, done.stderr
    assert {"image_shift=0.02", "image_shift=0.06"} <= set(labels(tmp_path))
    assert "1 of 3 job(s) failed" in done.stderr
    assert reason in done.stderr
    assert done.stdout == "3 results\n"
    [log] = (tmp_path / "outputs" / "main").glob("*image_shift=0.04*/log.txt")
    assert f"log: {log}" in done.stderr
    if fault != "gap":
        assert "Traceback" in log.read_text()
        assert reason in log.read_text()


def test_the_worst_failure_decides_the_exit_code(tmp_path: Path) -> None:
    faults = {"image_shift=0.02": "user", "image_shift=0.04": "incomplete"}
    done = toy(*THREE, cwd=tmp_path, faults=faults)
    assert done.returncode == 3
    assert "2 of 3 job(s) failed" in done.stderr


def test_in_processes_of_their_own_every_kind_of_failure_stays_alone(tmp_path: Path) -> None:
    faults = {"image_shift=0.02": "kill", "image_shift=0.04": "lambda", "image_shift=0.06": "user"}
    typed = ["-m", "perturbation=image_shift", "value.at=0.02,0.04,0.06,0.08", "cluster=local"]
    done = toy(*typed, cwd=tmp_path, faults=faults)
    assert done.returncode == 1, done.stderr
    assert "3 of 4 job(s) failed" in done.stderr
    assert "ended without a result (killed or out of memory)" in done.stderr
    assert "'extra' is a function" in done.stderr
    assert "the toy does not like this value" in done.stderr
    assert "image_shift=0.08" in labels(tmp_path)
    [log] = (tmp_path / "outputs" / "main").glob("*image_shift=0.06*/log.txt")
    assert "Traceback" in log.read_text()


def test_a_killed_process_is_incomplete_not_a_bug(tmp_path: Path) -> None:
    done = toy(*THREE, "cluster=local", cwd=tmp_path, faults={"image_shift=0.04": "kill"})
    assert done.returncode == 3, done.stderr
    assert labels(tmp_path) == ["image_shift=0.02", "image_shift=0.06"]


@pytest.mark.parametrize("cluster", ["debug", "local"])
def test_fail_fast_starts_no_further_job(tmp_path: Path, cluster: str) -> None:
    typed = [*THREE, "fail_fast=true", f"cluster={cluster}", *(["cluster.parallel=1"] if cluster == "local" else [])]
    done = toy(*typed, cwd=tmp_path, faults={"image_shift=0.04": "user"})
    assert done.returncode == 2
    assert labels(tmp_path) == ["image_shift=0.02"]
    assert "1 job(s) were not started (fail_fast=true)" in done.stderr
    assert json.loads((sweep_folder(tmp_path) / "report.json").read_text()) == ["COMPLETED", "FAILED"]


def test_a_preempted_job_starts_again_and_ends(tmp_path: Path) -> None:
    done = toy("-m", "seed=1", "cluster=local", cwd=tmp_path, faults={"clean": "preempt"})
    assert done.returncode == 0, done.stderr
    [cell] = cells(tmp_path)
    assert (Path(cell["folder"]) / "attempted").exists()
    [job] = json.loads((sweep_folder(tmp_path) / "jobs.json").read_text())["jobs"]
    assert "this job is preempted" in Path(job["log"]).read_text()


def test_jobs_run_in_processes_of_their_own_from_the_same_folder(tmp_path: Path) -> None:
    done = toy(*THREE, "cluster=local", "cluster.parallel=3", "outputs=./out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "outputs").symlink_to(tmp_path / "out")
    found = cells(tmp_path)
    assert len({cell["pid"] for cell in found}) == 3
    assert {cell["cwd"] for cell in found} == {str(tmp_path)}
    jobs = json.loads((sweep_folder(tmp_path) / "jobs.json").read_text())["jobs"]
    assert sorted(job["folder"] for job in jobs) == sorted(cell["folder"] for cell in found)
    assert all(job["id"].isdigit() and Path(job["log"]).is_file() for job in jobs)


def test_an_interrupt_stops_the_processes(tmp_path: Path) -> None:
    command = [sys.executable, str(APP), *THREE, "cluster=local"]
    env_faults = json.dumps({f"image_shift={level}": "sleep" for level in (0.02, 0.04, 0.06)})
    driver = subprocess.Popen(
        command, cwd=tmp_path, env={**os.environ, "TOY_FAULTS": env_faults}, stderr=subprocess.PIPE, text=True
    )
    pids: list[Path] = []
    limit = time.monotonic() + 60
    while len(pids) < 2 and time.monotonic() < limit:
        time.sleep(0.2)
        pids = list(tmp_path.glob("outputs/main/*/pid"))
    driver.send_signal(signal.SIGINT)
    _, errors = driver.communicate(timeout=60)
    assert driver.returncode == 130, errors
    assert errors.splitlines()[-1] == "interrupted; run the same command again to continue"
    assert len(pids) == 2
    assert not any(Path(f"/proc/{path.read_text()}").exists() for path in pids)
