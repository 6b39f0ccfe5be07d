import json

import pytest
from demo_samples import make_demo

from gauge.demos.gate import Limits, Measure
from gauge.demos.store import create, open_set
from gauge.errors import GaugeError
from gauge.records.demo_file import write_demos

LIMITS = Limits(pause_steps=4, noop_steps=3, detour=1.5)
WHAT = {"suite": "libero_object", "tasks": ["milk"], "seed": 0, "states": [20, None]}
GOOD = Measure(100, 1.0, 0, 0)


def filled(folder, outcomes):
    made = create(folder, WHAT, 2, LIMITS)
    for index, measure in enumerate(outcomes):
        if measure is not None:
            write_demos(made.path("milk", index), [make_demo(seed=index)])
        made.store("milk", index, {"rollout": index}, measure, "" if measure else "the goal was not reached")
    return made


def test_a_set_is_read_back(tmp_path):
    filled(tmp_path, [GOOD, None, GOOD, GOOD])
    found = open_set(tmp_path)
    assert (found.what, found.n, found.limits) == (WHAT, 2, LIMITS)
    assert found.selection("milk").kept == (0, 2)
    assert [kept.path.name for kept in found.kept()] == ["000.hdf5", "002.hdf5"]
    assert all(kept.path.is_file() for kept in found.kept())


def test_a_trajectory_without_an_outcome_counts_for_nothing(tmp_path):
    made = filled(tmp_path, [GOOD])
    write_demos(made.path("milk", 1), [make_demo()])
    (tmp_path / "milk" / ".001.json-deadbeef").write_text('{"reas')
    assert set(made.outcomes("milk")) == {0}


def test_another_number_or_gate_is_the_same_set_another_seed_is_not(tmp_path):
    filled(tmp_path, [GOOD, GOOD, GOOD])
    wider = create(tmp_path, {**WHAT, "tasks": ["soup"]}, 3, Limits(9, 9, 2.0))
    assert wider.n == 3
    assert wider.what["tasks"] == ["milk", "soup"]
    assert len(wider.selection("milk").kept) == 3
    with pytest.raises(GaugeError, match=r"holds another set .seed 0 there, 1 here.; choose another folder="):
        create(tmp_path, {**WHAT, "seed": 1}, 3, LIMITS)


def test_a_folder_without_a_set_and_damaged_files_are_named(tmp_path):
    with pytest.raises(GaugeError, match=r"holds no set\.json"):
        open_set(tmp_path)
    made = filled(tmp_path, [GOOD])
    (tmp_path / "milk" / "000.json").write_text("{")
    with pytest.raises(GaugeError, match=r"000\.json cannot be read"):
        made.outcomes("milk")
    (tmp_path / "set.json").write_text(json.dumps({"what": {}}))
    with pytest.raises(GaugeError, match="does not describe a set"):
        open_set(tmp_path)
