import pytest

from gauge.errors import GaugeError
from gauge.suites import SUITES, load


def test_the_benchmark_has_130_tasks_whose_files_are_the_released_ones():
    assert {name: len(load(name).tasks) for name in SUITES} == {
        "libero_spatial": 10,
        "libero_object": 10,
        "libero_goal": 10,
        "libero_10": 10,
        "libero_90": 90,
    }
    assert [problem for name in SUITES for task in load(name).tasks for problem in task.problems()] == []


def test_the_instruction_is_stored_and_free_of_file_name_debris():
    task = load("libero_10").tasks[0]
    assert task.name == "LIVING_ROOM_SCENE2_put_both_the_alphabet_soup_and_the_tomato_sauce_in_the_basket"
    assert task.instruction == "put both the alphabet soup and the tomato sauce in the basket"
    assert all("SCENE" not in t.instruction and "_" not in t.instruction for n in SUITES for t in load(n).tasks)


def test_tasks_are_chosen_by_index_or_name_in_suite_order():
    suite = load("libero_goal")
    assert suite.select(None) == suite.tasks
    assert [t.index for t in suite.select([3, suite.tasks[1].name])] == [1, 3]


def test_a_wrong_suite_task_or_index_names_what_is_there():
    with pytest.raises(GaugeError, match="unknown suite 'libero_objects'; did you mean libero_object"):
        load("libero_objects")
    with pytest.raises(GaugeError, match="did you mean push_the_plate_to_the_front_of_the_stove"):
        load("libero_goal").select(["push_the_plate"])
    with pytest.raises(GaugeError, match="libero_goal has tasks 0 to 9, not 10"):
        load("libero_goal").select([10])
    with pytest.raises(GaugeError, match=r"suite.tasks is empty"):
        load("libero_goal").select([])


def test_missing_and_changed_files_are_all_listed(tmp_path, monkeypatch):
    from gauge.suites import libero

    task = load("libero_goal").tasks[0]
    changed = tmp_path / task.bddl
    changed.parent.mkdir(parents=True)
    changed.write_text("(define)")
    monkeypatch.setattr(libero, "benchmark_root", lambda: tmp_path)
    first, second = task.problems()
    assert "is not the released file" in first
    assert "is missing" in second
