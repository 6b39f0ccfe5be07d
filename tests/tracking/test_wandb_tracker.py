"""The tracker against a stand-in for W&B that misbehaves on demand, and against W&B itself without a network."""

import importlib.util
import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gauge import tracking
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.tracking.wandb_run import WandbOptions
from gauge.tracking.wandb_tracker import WandbTracker

CELL = Cell({"name": "pi0"}, {"name": "goal"}, Combination())

FAKE = """
import json, os, time

def say(**what):
    with open(os.environ["FAKE_SAID"], "a") as file:
        file.write(json.dumps(what) + "\\n")

class Settings:
    def __init__(self, **given): pass

def teardown(): pass

def init(settings, **given):
    say(init=given)
    if os.environ["FAKE"] == "unreachable" and given["mode"] != "offline":
        raise TimeoutError("no route to the server")
    if os.environ["FAKE"] == "blocks at once":
        time.sleep(30)
    return Run()

class Summary:
    def update(self, values): say(summary=values)

class Run:
    summary, count = Summary(), 0
    def define_metric(self, name, step_metric=None): pass
    def log(self, values):
        self.count += 1
        if os.environ["FAKE"] == "busy" and self.count % 10:
            raise RuntimeError("429 Too Many Requests")
        if os.environ["FAKE"] == "dies":
            os._exit(7)
        say(log=values)
    def finish(self):
        if os.environ["FAKE"] == "blocks at the end":
            time.sleep(30)
        say(finish=True)
"""

Said = Callable[[], list[dict[str, object]]]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """What the stand-in for W&B was told, message by message."""
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "wandb.py").write_text(FAKE)
    path = tmp_path / "said.jsonl"
    monkeypatch.setenv("FAKE_SAID", str(path))
    monkeypatch.setenv("FAKE", "works")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "fake"))
    monkeypatch.delenv("WANDB_MODE", raising=False)
    return lambda: [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "my study" / CELL.name
    path.mkdir(parents=True)
    return path


def evaluate(tracker: tracking.Tracker, episodes: int = 3, pause_s: float = 0.0) -> float:
    """One cell's calls; returns how long the episodes' took, in seconds."""
    tracker.start(CELL, {"workers": 4})
    began = time.monotonic()
    for i in range(episodes):
        tracker.episode(EpisodeRecord(CELL.id, "a", i, i, "fail" if i == 1 else "success", steps=100))
        time.sleep(pause_s)
    took = time.monotonic() - began - pause_s * episodes
    tracker.finish({"rate": 0.5})
    return took


def test_what_is_logged(folder: Path, said: Said, caplog: pytest.LogCaptureFixture) -> None:
    evaluate(WandbTracker(WandbOptions(project="p", tags=["t"]), folder))
    start, *logs, summary, end = said()
    assert start["init"] == {
        "project": "p",
        "entity": None,
        "id": f"my_study-{CELL.id}",
        "name": CELL.name,
        "group": "my study",
        "tags": ["t"],
        "config": {"workers": 4, "cell": CELL.to_json()},
        "dir": str(folder),
        "mode": "online",
        "resume": "allow",
    }
    assert [log["log"] for log in logs] == [
        {"episodes": 1, "success_rate": 1.0, "errors": 0, "steps": 100},
        {"episodes": 2, "success_rate": 0.5, "errors": 0, "steps": 200},
        {"episodes": 3, "success_rate": 2 / 3, "errors": 0, "steps": 300},
    ]
    assert (summary, end) == ({"summary": {"rate": 0.5}}, {"finish": True})
    assert caplog.text == ""


def test_restarts_continue_one_run(folder: Path, said: Said) -> None:
    done: list[EpisodeRecord] = []
    for attempt in range(3):
        tracker = WandbTracker(WandbOptions(), folder)
        tracker.start(CELL, {}, done)
        done.append(EpisodeRecord(CELL.id, "a", attempt, 0, "success"))
        tracker.episode(done[-1])
        tracker.finish({})
    starts = [message["init"] for message in said() if "init" in message]
    assert len({start["id"] for start in starts}) == 1  # type: ignore[index]
    assert [message["log"]["episodes"] for message in said() if "log" in message] == [1, 2, 3]  # type: ignore[index]


def test_errors_are_in_no_rate(folder: Path, said: Said) -> None:
    tracker = WandbTracker(WandbOptions(), folder)
    tracker.start(CELL, {})
    tracker.episode(EpisodeRecord(CELL.id, "a", 0, 0, "error"))
    tracker.finish({})
    assert {"log": {"episodes": 1, "success_rate": None, "errors": 1, "steps": 0}} in said()


def test_the_mode_of_the_environment_wins(folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_MODE", "offline")
    evaluate(WandbTracker(WandbOptions(mode="online"), folder))
    assert said()[0]["init"]["mode"] == "offline"  # type: ignore[index]


@pytest.mark.parametrize(
    ("fault", "warning"),
    [
        ("unreachable", "TimeoutError: no route to the server; logged offline instead"),
        ("busy", "RuntimeError: 429 Too Many Requests (90 faults in all)"),
        ("blocks at once", "it did not finish within 1 s"),
        ("blocks at the end", "it did not finish within 1 s"),
        ("dies", "its process ended with code 7"),
    ],
)
def test_whatever_goes_wrong_is_one_warning(
    folder: Path,
    said: Said,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: str,
    warning: str,
) -> None:
    monkeypatch.setenv("FAKE", fault)
    limit_s = 1.0 if "blocks" in fault else 10.0
    began = time.monotonic()
    took = evaluate(WandbTracker(WandbOptions(timeout_s=limit_s), folder), episodes=100)
    assert took < 0.5
    assert time.monotonic() - began < limit_s + 2
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert warning in record.message
    assert "the records on disk are complete" in record.message


def test_what_the_pipe_cannot_hold_is_dropped_and_counted(
    folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FAKE", "blocks at once")
    tracker = WandbTracker(WandbOptions(timeout_s=0.5), folder)
    assert evaluate(tracker, episodes=5000) < 2
    assert 3000 < tracker.run.dropped < 5000
    assert f"; {tracker.run.dropped} messages were dropped" in caplog.text


def test_after_a_traffic_jam_the_totals_are_right(folder: Path, said: Said) -> None:
    tracker = WandbTracker(WandbOptions(), folder)
    evaluate(tracker, episodes=5000)
    logs = [message["log"] for message in said() if "log" in message]
    assert len(logs) == 5000 - tracker.run.dropped
    assert all(log["steps"] == 100 * log["episodes"] for log in logs)  # type: ignore[index]
    assert said()[-2] == {"summary": {"rate": 0.5}}


def test_a_missing_package(folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    evaluate(WandbTracker(WandbOptions(), folder))
    assert [record.message for record in caplog.records] == [
        "tracking=wandb needs the package wandb (pip install wandb); nothing is tracked"
    ]


def test_a_folder_that_cannot_be_written(folder: Path, said: Said, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "wandb").write_text("a file where W&B's folder should be")
    evaluate(WandbTracker(WandbOptions(), folder))
    (record,) = caplog.records
    assert "W&B cannot start" in record.message


def test_no_process_is_left_behind(folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE", "blocks at the end")
    tracker = WandbTracker(WandbOptions(timeout_s=0.5), folder)
    tracker.start(CELL, {})
    assert tracker.run.child is not None
    pid = tracker.run.child.pid
    tracker.finish({})
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_the_child_ends_when_its_parent_is_killed(folder: Path, said: Said, tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.tracking.wandb_run import WandbOptions
from gauge.tracking.wandb_tracker import WandbTracker
tracker = WandbTracker(WandbOptions(), Path(sys.argv[1]))
tracker.start(Cell({"name": "pi0"}, {"name": "goal"}, Combination()), {})
os.kill(os.getpid(), 9)
"""
    environment = {**os.environ, "PYTHONPATH": ":".join([str(tmp_path / "fake"), *sys.path])}
    subprocess.run([sys.executable, "-c", code, str(folder)], env=environment, check=False)
    deadline = time.monotonic() + 10
    while {"finish": True} not in said() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert {"finish": True} in said()


REAL = """
import logging, sys
from pathlib import Path
from gauge import tracking
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
logging.basicConfig(format="WARNED %(message)s")
cell = Cell({"name": "pi0"}, {"name": "goal"}, Combination())
tracker = tracking.build("wandb", {"kind": "wandb", "mode": "online", "timeout_s": 5.0}, Path(sys.argv[1]))
tracker.start(cell, {"workers": 1})
for i in range(5):
    tracker.episode(EpisodeRecord(cell.id, "a", i, i, "success", steps=10))
tracker.finish({"rate": 1.0})
"""


def run_for_real(folder: Path, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    home.mkdir()
    clean = {"HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": ":".join(sys.path), **environment}
    command = [sys.executable, "-c", REAL, str(folder)]
    return subprocess.run(
        command, env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, cwd=home, check=False
    )


@pytest.mark.parametrize("environment", [{}, {"WANDB_MODE": "offline"}], ids=["no key", "offline"])
def test_real_wandb_without_a_key(folder: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    pytest.importorskip("wandb")
    ended = run_for_real(folder, tmp_path / "home", **environment)
    assert ended.returncode == 0
    warned = ended.stderr.count("WARNED")
    assert warned == (0 if environment else 1)
    assert "No API key configured" in ended.stderr or environment
    (log,) = folder.glob("wandb/offline-run-*/*.wandb")
    assert log.read_bytes().count(b"success_rate") >= 5
    assert list((tmp_path / "home").iterdir()) == []


def test_real_wandb_with_a_silent_server(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("wandb")
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        began = time.monotonic()
        ended = run_for_real(folder, tmp_path / "home", WANDB_API_KEY="0" * 40, WANDB_BASE_URL=url)
    assert time.monotonic() - began < 15
    assert ended.returncode == 0
    assert ended.stderr.count("WARNED W&B: it did not finish within 5 s") == 1
