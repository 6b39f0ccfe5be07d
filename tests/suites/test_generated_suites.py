import subprocess
import sys
from dataclasses import replace

import pytest

from gauge.suites import checks, generate
from gauge.suites.planned import PLAN, subsuites
from gauge.suites.rules import groups
from gauge.suites.scenario import ABOUT, load_folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("scenarios")
    generate.build(made)
    return made


def test_the_plan_has_the_papers_twelve_counts():
    rows = list(subsuites({}))
    assert [row.total for row in rows] == [23, 22, 23, 22, 23, 22, 28, 17, 26, 19, 35, 10]
    assert sum(row.total for row in rows) == 270
    assert all(row.done == 0 and row.missing == list(row.planned) for row in rows)


def test_every_rule_belongs_to_the_plan_and_no_group_has_more_than_planned():
    built = {}
    for one in generate.made():
        key = (one.about.capability, one.about.split, one.about.group)
        built[key] = built.get(key, 0) + 1
    assert built
    for (capability, split, group), number in built.items():
        assert number <= PLAN[capability][split][group]


def test_the_same_rules_give_the_same_files_and_those_are_committed(folder, tmp_path):
    generate.build(tmp_path)
    written = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
    assert written == {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.*")}
    committed = [path for path in generate.FOLDER.rglob("*.*") if path.suffix == ".bddl" or path.name == ABOUT]
    assert written == {path.relative_to(generate.FOLDER): path.read_bytes() for path in committed}


def test_the_committed_scenarios_pass_every_check_that_reads():
    assert list(checks.problems()) == []


def test_the_three_texts_of_a_layout_share_scene_and_goal(folder):
    found = {task.name: task for task in load_folder(folder, "made").tasks}
    visual, semantic, common = (found[f"{kind}_L01"] for kind in ("visual", "semantic", "common"))
    assert visual.layout == semantic.layout == common.layout == found["visual_L02"].layout
    assert len({visual.instruction, semantic.instruction, common.instruction}) == 3
    assert semantic.about.twin == common.about.twin == "visual_L01"
    assert semantic.about.sibling == "semantic_L02"


def test_an_edited_file_and_a_file_of_no_rule_are_found(tmp_path):
    generate.build(tmp_path)
    path = next(tmp_path.rglob("visual_L01.bddl"))
    path.write_text(path.read_text() + "; edited\n")
    (path.parent / "stray.bddl").write_text(path.read_text())
    found = list(checks.problems(tmp_path))
    assert any("visual_L01.bddl in id is not what the rules make" in problem for problem in found)
    assert any("stray.bddl is made by no rule" in problem for problem in found)
    assert any("the same scene, goal and text" in problem for problem in found)
    generate.build(tmp_path)
    assert list(checks.problems(tmp_path)) == []


def test_a_text_that_names_its_target_is_found():
    group = next(one for one in groups() if one.name == "V1a")
    first = replace(group.members[0], texts={"common_sense": "put the soup in the basket"})
    assert list(checks._leaks(replace(group, members=(first,)))) == [
        "V1a: L01: the text of common_sense names its target: 'soup'"
    ]
    assert list(checks._leaks(group)) == []


def test_crowded_layouts_and_targets_in_one_place_are_found():
    group = next(one for one in groups() if one.name == "V1a")
    crowded = replace(group, objects={"milk": (0.0, 0.0), "butter": (0.0, 0.06)})
    assert list(checks._crowded(crowded)) == ["V1a: milk and butter are 0.060 m apart; at least 0.1 are needed"]
    found = list(checks._ranks("id", [group] * 6))
    assert "id: the target is number 4 by distance to the robot in 6 of 12 goals" in found
    assert any("too few places" in problem for problem in found)


def test_the_command_counts():
    done = subprocess.run([sys.executable, "-m", "gauge.suites", "count"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1].split()[:3] == ["visual_perception", "id", "23"]
    assert done.stdout.splitlines()[-1].split()[:2] == ["all", "270"]


def test_a_layout_that_is_another_or_its_mirror_image_is_found():
    group = next(one for one in groups() if one.layout == "T2a")
    near = {name: (x + 0.02, y) for name, (x, y, *_) in group.objects.items()}
    mirrored = {name: (x, -y) for name, (x, y, *_) in group.objects.items()}
    for objects, text in ((near, "T2 near: T2 T2a"), (mirrored, "T2 near: the mirror image of T2 T2a")):
        found = list(checks._copies([group, replace(group, layout="near", objects=objects)]))
        assert any(fault.startswith(text) for fault in found)
    moved = group.objects | {"plate": (-0.15, 0.1)}
    assert list(checks._copies([group, replace(group, layout="moved", objects=moved)])) == []


def test_what_the_arm_cannot_reach_in_all_starts_is_found():
    group = next(one for one in groups() if one.name == "V1a")
    assert list(checks._far(group)) == []
    far = replace(group, shift=(0.3, 0.3))
    assert any(problem.startswith("V1a: orange_juice starts ") for problem in checks._far(far))
    other = replace(group, objects=group.objects | {"milk": (0.5, 0.0)})
    assert list(checks._far(other)) == []  # no goal names it
