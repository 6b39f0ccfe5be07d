from types import SimpleNamespace

import pytest

from gauge.errors import GaugeError
from gauge.rollout import preflight as module
from gauge.rollout.preflight import preflight
from gauge.suites import libero, load

TASKS = load("libero_goal").tasks[:2]


def refuse():
    raise GaugeError("the policy server at ws://box:1 does not answer")


def test_nothing_is_said_when_all_is_well(tmp_path):
    preflight(TASKS, tmp_path, [lambda: None])


def test_one_problem_keeps_its_own_sentence(tmp_path):
    with pytest.raises(GaugeError, match=r"^the policy server at ws://box:1 does not answer$"):
        preflight(TASKS, tmp_path, [refuse])


def test_all_problems_are_listed_before_anything_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(libero, "benchmark_root", lambda: tmp_path)
    with pytest.raises(GaugeError, match="5 problems, nothing was run") as error:
        preflight(TASKS, tmp_path, [refuse])
    assert str(error.value).count("is missing") == 4


def test_a_nearly_full_disk_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: SimpleNamespace(free=50 * 2**20))
    with pytest.raises(GaugeError, match="only 50 MB free, 200 MB needed; free some or set outputs="):
        preflight(TASKS, tmp_path)
