"""Horizons: what was asked for, else what certificates say, else the plain one."""

from dataclasses import replace

import pytest
from scenario_files import write

from gauge.rollout.plan import plan_episodes
from gauge.suites import certificate, horizon
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.libero import load
from gauge.suites.scenario import load_folder

STARTS = Starts((1,), ("aa",), ((0.0, 0.0),), (1.0, 1.0), (), (0.5, 0.5), 100)
FOUND = Certificate(
    "ff", "01", STARTS, Share(9, 10), 100.0, Witness(0, 99, "01.npz"), Share(0, 9), Share(0, 9), "expert", "mujoco"
)


@pytest.fixture
def tasks(tmp_path):
    for name in ("long", "none", "unsolved"):
        write(tmp_path, name)
    certificate.write(tmp_path, {"long": FOUND, "unsolved": replace(FOUND, witness=None, steps=0.0)})
    return load_folder(tmp_path, "mine").tasks


def test_a_certificate_says_how_long_unless_a_number_was_asked_for(tasks):
    assert [horizon.of(task, None) for task in tasks] == [259, 400, 400]
    assert [horizon.of(task, 50) for task in tasks] == [50, 50, 50]
    plans = plan_episodes("cell", tasks, 2, 0, None, 10)
    assert [plan.horizon for plan in plans] == [259, 259, 400, 400, 400, 400]


def test_released_tasks_have_none(tasks):
    assert horizon.certified(load("libero_goal").tasks[0]) is None


def test_other_horizons_make_other_cells(tasks, tmp_path):
    before = horizon.identity(tasks, None)
    assert horizon.identity(tasks, 300) == 300
    certificate.write(tmp_path, {"long": replace(FOUND, steps=120.0)})
    assert horizon.identity(tasks, None) != before


def test_what_is_used_is_said(tasks):
    said = "horizons of 3 scenarios: 1 as certified (259 to 259 control steps), 2 without certificate (400)"
    assert horizon.sentence(tasks, None) == said
    assert horizon.sentence(tasks, 300) == ""
    assert horizon.sentence(load("libero_goal").tasks, 300) == ""
