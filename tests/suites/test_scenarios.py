import json
import pickle
from pathlib import Path

import pytest
from scenario_files import APPLE, write

from gauge.errors import GaugeError
from gauge.suites.scenario import About, load_folder
from gauge.vbddl import TaskFileError, parse

GOAL = "(On gen_apple_0001_1 akita_black_bowl_1) (Not"


def test_a_folder_of_files_is_a_suite(tmp_path):
    write(tmp_path / "fruit", "b_apple")
    write(tmp_path, "a_apple")
    suite = load_folder(tmp_path, "mine")
    assert [task.id for task in suite.tasks] == ["mine/a_apple", "mine/b_apple"]
    first = suite.tasks[0]
    assert first.instruction == "Put the apple in the bowl; don't spill (it rolls)"
    assert first.states == 50
    assert first.bddl_path == tmp_path / "a_apple.bddl"
    assert first.problems() == []
    assert suite.select(["b_apple"]) == (suite.tasks[1],)
    assert pickle.loads(pickle.dumps(suite)) == suite
    assert {first, *suite.tasks} == set(suite.tasks)


def test_siblings_share_their_layout_and_another_start_does_not(tmp_path):
    write(tmp_path, "one")
    write(tmp_path, "other_goal", old=GOAL, new="(InContact gen_apple_0001_1 akita_black_bowl_1) (Not")
    write(tmp_path, "other_text", old="Put the apple", new="Lay the apple")
    write(tmp_path, "other_place", old="-0.18", new="-0.19")
    layouts = [task.layout for task in load_folder(tmp_path, "mine").tasks]
    assert layouts[0] == layouts[1] == layouts[3] != layouts[2]
    digests = {task.bddl_sha256 for task in load_folder(tmp_path, "mine").tasks}
    assert len(digests) == 4


def test_what_is_known_about_a_scenario_stands_beside_it(tmp_path):
    write(tmp_path, "one")
    row = {"capability": "spatial_reasoning", "split": "id", "skills": ["pick", "place"]}
    (tmp_path / "scenarios.json").write_text(json.dumps({"one": row}))
    about = load_folder(tmp_path, "mine").tasks[0].about
    assert about == About(capability="spatial_reasoning", split="id", skills=("pick", "place"))
    assert about.row() == row


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ('{"one": {"capabillity": "x"}}', "unknown entry 'capabillity'; did you mean capability"),
        ("[]", "is no JSON object"),
        ("{", "is not JSON"),
        ('{"one": 3}', "one: "),
    ],
)
def test_a_broken_table_is_named(tmp_path, table, sentence):
    write(tmp_path, "one")
    (tmp_path / "scenarios.json").write_text(table)
    with pytest.raises(GaugeError, match=sentence):
        load_folder(tmp_path, "mine")


def test_all_broken_files_are_listed_at_once(tmp_path):
    write(tmp_path, "no_type", old="- gen_apple_0001", new="- gen_aple_0001")
    write(tmp_path, "no_region", old="main_table_bowl_region)", new="main_table_bowls_region)")
    with pytest.raises(GaugeError) as caught:
        load_folder(tmp_path, "mine")
    assert "no_type.bddl:9:" in str(caught.value)
    assert "did you mean gen_" in str(caught.value)
    assert "no_region.bddl:12:" in str(caught.value)


def test_folders_without_files_and_equal_names_are_refused(tmp_path):
    with pytest.raises(GaugeError, match=r"no \.bddl file below"):
        load_folder(tmp_path, "mine")
    with pytest.raises(GaugeError, match="is no folder"):
        load_folder(tmp_path / "nowhere", "mine")
    write(tmp_path / "a", "same")
    write(tmp_path / "b", "same")
    with pytest.raises(GaugeError, match="two files are called same"):
        load_folder(tmp_path / "a" / "..", "mine")


def test_a_file_that_changes_after_it_was_read_is_a_problem(tmp_path):
    path = write(tmp_path, "one")
    task = load_folder(tmp_path, "mine").tasks[0]
    path.write_text(APPLE + "; edited\n")
    assert "was changed after the suite was read" in task.problems()[0]
    path.unlink()
    assert "is missing" in task.problems()[0]


def test_the_objects_of_the_pool_are_types_of_task_files():
    assert parse(APPLE).types["gen_apple_0001_1"] == "gen_apple_0001"
    receptacle = APPLE.replace("- akita_black_bowl", "- gen_bowl_0003")
    receptacle = receptacle.replace("(:regions", "(:regions\n (contain_region (:target akita_black_bowl_1))")
    goal = "(In gen_apple_0001_1 akita_black_bowl_1_contain_region) (Not"
    assert parse(receptacle.replace(GOAL, goal)).objects[1].type == "gen_bowl_0003"
    no_inside = APPLE.replace("(:regions", "(:regions\n (contain_region (:target gen_apple_0001_1))")
    goal = "(In akita_black_bowl_1 gen_apple_0001_1_contain_region) (Not"
    with pytest.raises(TaskFileError, match="has no regions"):
        parse(no_inside.replace(GOAL, goal))


def test_the_scenario_of_the_docs_is_sound():
    text = (Path(__file__).parents[2] / "docs" / "own_scenario.md").read_text(encoding="utf-8")
    example = next(block for block in text.split("```") if "(define" in block)
    assert parse(example.strip()).instruction == "put the apple in the bowl"
