"""The three criteria on findings that pass, changed in one number each."""

from dataclasses import replace

import pytest

from gauge.validate.amounts import Amount
from gauge.validate.finding import Finding, Tries
from gauge.validate.judge import open_question, reasons

GOOD = Finding(
    amount=Amount("0.1", "0.1", True),
    intruded=(),
    left=(),
    pixel_mean=5.0,
    pixel_share=0.2,
    target_changed=0.4,
    likeness=0.8,
    luminance=120.0,
    target_seen=1.0,
    target_px=30,
    clean_px=32,
    overlap_mm=0.5,
    overlapping="bowl_1_main and plate_1_main",
    clean_overlap_mm=0.4,
    speed=0.01,
    clean_speed=0.01,
    solved_already=False,
    task_differs=(),
    relations=(),
    same_physics=False,
    expert=Tries(1, True),
    clean_expert=Tries(1, True),
)
CATEGORIES = {"noise": "visual", "light_specular": "visual", "camera_distance": "spatial", "action_noise": "control"}


def judged(attribute, category="spatial", **changed):
    return list(reasons(CATEGORIES.get(attribute, category), attribute, replace(GOOD, **changed)))


@pytest.mark.parametrize("attribute", ["noise", "camera_distance", "action_noise", "target_object_orientation"])
def test_a_good_finding_has_no_reason_against_it(attribute):
    assert judged(attribute) == []


@pytest.mark.parametrize(
    ("attribute", "changed", "criterion", "said"),
    [
        ("camera_distance", {"amount": Amount("1.5", "1.4", False)}, "effect", "stated 1.5, measured 1.4"),
        ("camera_distance", {"intruded": ("light_pos",)}, "effect", "also changed: light_pos"),
        ("camera_distance", {"left": ("cam_pos",)}, "effect", "not undone: cam_pos"),
        ("light_specular", {"pixel_share": 0.0004, "pixel_mean": 1.25}, "effect", "0.04% of the pixels"),
        ("noise", {"likeness": 0.99}, "effect", "0.990"),
        ("noise", {"likeness": 0.1}, "feasibility", "no longer recognisable"),
        ("target_object_orientation", {"target_changed": 0.01}, "effect", "looks as before: 1.0%"),
        ("target_object_scale", {"overlap_mm": 2.5}, "feasibility", "plate_1_main overlap by 2.50 mm (at most 2.00)"),
        ("target_object_scale", {"speed": 0.5}, "feasibility", "not at rest after settling: 0.500"),
        ("target_object_scale", {"solved_already": True}, "feasibility", "holds already"),
        ("camera_distance", {"target_px": 9}, "feasibility", "9 pixels wide (at least 10)"),
        ("image_shift", {"target_seen": 0.3}, "feasibility", "30% of the target is in view"),
        ("light_diffuse", {"luminance": 4.0}, "feasibility", "mean luminance 4.0"),
        ("action_noise", {"expert": Tries(3, False)}, "feasibility", "in none of 3 episodes"),
        ("target_object_position", {"relations": ("left",)}, "semantics", "no longer true: left"),
        ("target_object_position", {"task_differs": ("goal_state",)}, "semantics", "goal_state differ"),
    ],
)
def test_each_failed_criterion_is_named_with_the_measured_number(attribute, changed, criterion, said):
    ((found, why),) = judged(attribute, **changed)
    assert found == criterion
    assert said in why


def test_a_start_that_is_deep_already_may_stay_as_deep():
    assert judged("target_object_scale", clean_overlap_mm=6.0, overlap_mm=6.4) == []
    assert judged("target_object_scale", clean_overlap_mm=6.0, overlap_mm=6.6) != []


def test_a_target_that_is_narrow_anyway_need_not_be_wider_from_elsewhere():
    assert judged("camera_distance", clean_px=6, target_px=6) == []


def test_an_expert_that_fails_without_the_value_says_nothing_against_it():
    lost = replace(GOOD, expert=Tries(3, False), clean_expert=Tries(3, False))
    assert list(reasons("control", "action_noise", lost)) == []
    assert "does not solve the clean scene either" in open_question("control", lost)
    assert open_question("visual", lost) == ""
    assert open_question("control", GOOD) == ""


def test_visual_values_are_not_asked_of_the_expert():
    assert judged("light_specular", expert=None, clean_expert=None) == []
