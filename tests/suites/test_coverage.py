from dataclasses import replace

import pytest

from gauge import vbddl
from gauge.suites import coverage, generate
from gauge.suites.libero import SUITES
from gauge.suites.scenario import load_folder


@pytest.fixture(scope="module")
def found():
    suite = load_folder(generate.FOLDER, "suites")
    return {task.name: (task, vbddl.load(task.bddl_path)) for task in suite.tasks}


def test_liberos_tasks_cover_what_the_design_counted():
    inside, anywhere = coverage.covered(*coverage.INSIDE), coverage.covered(*SUITES)
    assert (len(inside.words), len(anywhere.words)) == (69, 79)
    assert ("akita_black_bowl", "plate") in inside.pairs
    assert ("white_bowl", "plate") in anywhere.pairs - inside.pairs
    assert "flat_stove.cook_region" in inside.places
    assert inside.moved < anywhere.moved


def test_a_target_of_the_wrong_half_and_a_known_text_are_found(found):
    scenario, task = found["visual_L30"]
    assert list(coverage.faults(scenario, task)) == []
    inside = replace(scenario, about=replace(scenario.about, split="id"))
    assert any(
        "no task of the 40 moves gen_flashlight_0000 to basket" in fault for fault in coverage.faults(inside, task)
    )
    scenario, task = found["semantic_L01"]
    outside = replace(scenario, about=replace(scenario.about, split="ood"))
    faults = list(coverage.faults(outside, task))
    assert "semantic_L01: a task of the 130 moves already alphabet_soup" in faults
    assert "semantic_L01: every word of the text is one of LIBERO's" in faults


def test_too_many_objects_and_unknown_words_are_found(found):
    scenario, task = found["visual_L01"]
    crowd = replace(task, objects=task.objects + tuple(vbddl.Thing(f"extra_{n}", "butter") for n in range(3)))
    assert "visual_L01: 10 objects; the 40 tasks have 2 to 8" in list(coverage.faults(scenario, crowd))
    strange = replace(scenario, instruction="pick up the alphabet soup and hurl it into the basket")
    assert list(coverage.faults(strange, task)) == ["visual_L01: no task of the 40 says hurl, into"]
