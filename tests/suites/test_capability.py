import pytest

from gauge.errors import GaugeError
from gauge.suites.capability import load
from gauge.suites.planned import CAPABILITIES


def test_a_scenario_is_the_same_in_every_suite_that_has_it() -> None:
    whole, half = load("all", "all", None), load("visual_perception_id", "visual_perception", "id")
    assert [task.index for task in whole.tasks] == list(range(len(whole.tasks)))
    by_id = {task.id: task for task in whole.tasks}
    assert len(by_id) == len(whole.tasks)
    for task in half.tasks:
        assert by_id[task.id].layout == task.layout  # type: ignore[attr-defined]
    assert {task.capability for task in whole.tasks} <= set(CAPABILITIES)  # type: ignore[attr-defined]


def test_both_halves_are_the_whole() -> None:
    name = "visual_perception"
    halves = [load(f"{name}_{split}", name, split) for split in ("id", "ood")]
    assert [task.id for half in halves for task in half.tasks] == [task.id for task in load(name, name, None).tasks]
    assert [{task.split for task in half.tasks} for half in halves] == [{"id"}, {"ood"}]  # type: ignore[attr-defined]
    assert len({half.digest for half in halves}) == 2


def test_wrong_names_are_refused() -> None:
    with pytest.raises(GaugeError, match="unknown capability 'visual'"):
        load("x", "visual", None)
    with pytest.raises(GaugeError, match=r"suite\.split=test is neither id nor ood"):
        load("x", "visual_perception", "test")
