"""Relation words of an instruction against where things are."""

import numpy as np

from gauge.validate.relations import broken, lost
from gauge.vbddl.goal import Literal

TYPES = {"bowl_1": "black_bowl", "bowl_2": "black_bowl", "plate_1": "plate", "ramekin_1": "glazed_ramekin"}
CLEAN = {
    "bowl_1": np.array([0.0, 0.10, 0.9]),
    "bowl_2": np.array([0.1, -0.20, 0.9]),
    "plate_1": np.array([0.0, 0.25, 0.9]),
    "ramekin_1": np.array([0.0, -0.05, 0.9]),
}
CENTER = np.zeros(3)


def moved(instruction, *offset):
    now = {**CLEAN, "bowl_1": CLEAN["bowl_1"] + [*offset, 0.0]}
    return broken(instruction, "bowl_1", TYPES, CLEAN, now, CENTER)


def test_left_and_right_are_the_order_among_things_of_one_kind():
    told = "pick up the left bowl"
    assert moved(told, 0.0, -0.25) == []
    assert moved(told, 0.0, -0.35) == ["left"]
    assert moved("put the bowl at the front away", 0.15, 0.0) == ["front"]
    assert moved("pick up the bowl", 0.15, -0.35) == []


def test_next_to_is_being_nearest_among_things_of_one_kind():
    told = "pick up the black bowl next to the plate"
    assert moved(told, 0.0, -0.1) == []
    assert moved(told, 0.5, -0.2) == ["next"]


def test_between_is_lying_on_the_stretch_between_both():
    told = "pick up the black bowl between the plate and the ramekin"
    assert moved(told, 0.05, 0.05) == []
    assert moved(told, 0.0, 0.14) == ["between"]


def test_what_was_not_true_before_is_not_lost():
    told = "pick up the black bowl next to the ramekin"
    far = {**CLEAN, "bowl_1": np.array([1.0, 1.0, 0.9])}
    assert broken(told, "bowl_1", TYPES, far, {**far, "bowl_1": np.array([1.0, 1.1, 0.9])}, CENTER) == []


def test_statements_of_the_start_that_no_longer_hold_are_named():
    on, inside = Literal("On", ("bowl_1", "stove_1")), Literal("In", ("bowl_2", "drawer_1"))
    assert lost({on: True, inside: False}, {on: False, inside: False}) == ["On bowl_1 stove_1"]
