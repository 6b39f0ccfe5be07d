import numpy as np
import pytest
from demo_samples import TASK, make_demo

from gauge.demos.gate import Limits, Measure
from gauge.demos.stats import by_task, dropped, histogram, report
from gauge.demos.store import create
from gauge.errors import GaugeError
from gauge.records.demo_file import write_demos


def test_statistics_are_by_task():
    found = by_task([make_demo(10, 0), make_demo(14, 1), make_demo(8, 2, scenario_id="libero_goal/open_it")])
    assert found[TASK].steps == (10, 14)
    assert found[TASK].spread_m > 0.01
    assert found["libero_goal/open_it"].spread_m == 0.0


def test_a_histogram_counts_every_action_once():
    actions = np.linspace(-1.0, 1.0, 200)[:, None] * np.ones(7)
    shares = histogram(actions)
    assert shares.shape == (7, 10)
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert np.allclose(shares, 0.1)


def test_the_report_shows_counts_actions_reasons_and_a_plot(tmp_path, capsys):
    made = create(tmp_path / "set", {"tasks": ["milk"]}, 2, Limits(5, 5, 1.5))
    for index in range(2):
        write_demos(made.path("milk", index), [make_demo(seed=index)])
        made.store("milk", index, {}, Measure(12, 1.0, 0, 0), "")
    made.store("milk", 2, {}, None, "the goal was not reached within 280 steps (failed: no grasp of milk_1)")
    report(tmp_path / "set", tmp_path / "plots" / "a.png")
    shown = " ".join(capsys.readouterr().out.split())
    assert "2 24 12-12-12" in shown
    assert "gripper" in shown
    assert "dropped milk 2: the goal was not reached within 280 steps (failed: no grasp of milk_1)" in shown
    assert (tmp_path / "plots" / "a.png").read_bytes().startswith(b"\x89PNG")


def test_equal_reasons_share_a_line(tmp_path):
    made = create(tmp_path, {"tasks": ["milk"]}, 1, Limits(5, 5, 1.5))
    for index in range(3):
        made.store("milk", index, {}, None, "gone")
    assert list(dropped(tmp_path)) == ["dropped  milk 0, 1, 2: gone"]


def test_an_empty_set_is_an_error_and_says_why_it_is_empty(tmp_path, capsys):
    made = create(tmp_path, {"tasks": ["milk"]}, 1, Limits(5, 5, 1.5))
    made.store("milk", 0, {}, None, "gone")
    with pytest.raises(GaugeError, match="holds no demonstration"):
        report(tmp_path, None)
    assert "dropped  milk 0: gone" in capsys.readouterr().out
