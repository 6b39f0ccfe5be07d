"""Which perturbations go together, and in which tasks they make sense."""

import logging

import pytest
from perturbation_options import bound, shipped

from gauge.errors import GaugeError, NotApplicableError
from gauge.perturbations.combine import applicable, fitting, refuse_conflicts
from gauge.perturbations.roles import roles
from gauge.suites import load

GOAL, TEN = load("libero_goal").tasks, load("libero_10").tasks
DRAWER, BOWL_ON_STOVE, PLATE_TO_STOVE, BOWL_ON_PLATE = GOAL[0], GOAL[1], GOAL[5], GOAL[8]
WHITE_MUG = TEN[4]


@pytest.mark.parametrize(
    ("task", "target", "placed", "movable"),
    [
        (DRAWER, "wooden_cabinet_1", "", False),
        (BOWL_ON_STOVE, "akita_black_bowl_1", "flat_stove_1", True),
        (PLATE_TO_STOVE, "plate_1", "", True),
        (BOWL_ON_PLATE, "akita_black_bowl_1", "plate_1", True),
        (load("libero_object").tasks[0], "alphabet_soup_1", "basket_1", True),
    ],
)
def test_target_and_placed_object_come_from_the_goal(task, target, placed, movable):
    found = roles(task.bddl_path)
    assert (found.target, found.placed, found.movable) == (target, placed, movable)


@pytest.mark.parametrize("suite", ["libero_spatial", "libero_object", "libero_goal", "libero_10", "libero_90"])
def test_every_task_has_a_target(suite):
    for task in load(suite).tasks:
        found = roles(task.bddl_path)
        assert found.target in found.types
        assert found.placed in ("", *found.types)


@pytest.mark.parametrize(
    ("task", "name", "value", "reason"),
    [
        (DRAWER, "target_object_position", "x+3", "wooden_cabinet_1 is fixed in the scene"),
        (DRAWER, "target_object_orientation", 30, "wooden_cabinet_1 is fixed in the scene"),
        (DRAWER, "placed_object_color", "red", "puts nothing onto or into an object"),
        (PLATE_TO_STOVE, "placed_object_texture", "ceramic", "puts nothing onto or into an object"),
        (load("libero_spatial").tasks[0], "target_object_color", "red", "calls akita_black_bowl_1 black"),
        (WHITE_MUG, "target_object_color", "yellow", "calls something else white|calls something else yellow"),
        (WHITE_MUG, "light_diffuse", "red", "names a colour .white.|names a colour .yellow."),
        (BOWL_ON_PLATE, "background_surface", "martin_novak_wood_table", "has this texture already"),
    ],
)
def test_what_makes_no_sense_in_a_task_says_why(task, name, value, reason):
    import re

    assert re.search(reason, applicable(task, [bound(name, value)]))


@pytest.mark.parametrize(
    ("task", "name", "value"),
    [
        (BOWL_ON_PLATE, "target_object_color", "red"),
        (BOWL_ON_PLATE, "placed_object_color", "black"),
        (DRAWER, "target_object_color", "red"),
        (WHITE_MUG, "light_diffuse", 0.2),
        (load("libero_object").tasks[0], "background_surface", "martin_novak_wood_table"),
    ],
)
def test_what_makes_sense_is_run(task, name, value):
    assert applicable(task, [bound(name, value)]) == ""


def test_tasks_where_it_makes_no_sense_are_left_out_and_named(caplog):
    with caplog.at_level(logging.WARNING):
        kept = fitting(GOAL, [bound("placed_object_color", "red")])
    assert [task.index for task in kept] == [1, 2, 3, 4, 6, 8, 9]
    assert "libero_goal/open_the_middle_drawer_of_the_cabinet is left out: not applicable" in caplog.text


def test_none_left_is_an_error_and_no_item_leaves_all():
    with pytest.raises(NotApplicableError, match="cannot be moved"):
        fitting([DRAWER], [bound("target_object_position", "x+3")])
    assert fitting(GOAL, []) == GOAL


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("camera_distance", "camera_vertical", "the outside camera"),
        ("target_object_color", "target_object_texture", "the look of the target object"),
        ("background", "background_surface", "the floor or the work surface"),
    ],
)
def test_two_perturbations_of_the_same_thing_are_a_conflict(one, other, what):
    with pytest.raises(GaugeError, match=f"{one} and {other} both change {what}"):
        refuse_conflicts([shipped(one), shipped("noise"), shipped(other)])


def test_different_things_go_together():
    refuse_conflicts(map(shipped, ["target_object_color", "placed_object_color", "camera_distance", "light_shadow"]))
    refuse_conflicts([shipped("target_object_position"), shipped("target_object_orientation")])


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("background", "rustic", "not a floor and a wall style"),
        ("background", "moss+ceramic", "unknown floor style 'moss'"),
        ("background_surface", "marble", "unknown texture of background_surface 'marble'; did you mean marble_floor"),
        ("target_object_color", "pink", "unknown value 'pink'; allowed: red, green"),
        ("target_object_texture", "gold", "unknown texture"),
        ("light_direction", "90", "takes azimuth/elevation"),
        ("light_direction", "90/5", "elevation is out of bounds"),
        ("light_shadow", "maybe", "unknown value 'maybe'; allowed: on"),
        ("target_object_position", "z+3", "an axis and centimetres"),
        ("target_object_position", "x+30", "allowed: -20 to 20 cm"),
        ("robot_initial_state", 476, "allowed: 25, 75, 125"),
        ("robot_initial_state", "475", "not a stored index"),
        ("gripper_state", 1.2, "out of bounds"),
        ("camera_distance", 0.2, "out of bounds; allowed: 0.7 to 3"),
        ("camera_vertical", 40, "out of bounds; allowed: -30 to 35"),
    ],
)
def test_a_bad_value_is_one_sentence(name, value, words):
    with pytest.raises(GaugeError, match=words):
        shipped(name).validate(value)


def test_values_between_the_levels_are_allowed_and_have_one_spelling():
    assert shipped("background").validate("light-gray+ceramic") == "light-gray+ceramic"
    assert shipped("target_object_position").validate("x+3.0") == "x+3"
    assert shipped("light_direction").validate("-90/45") == "270/45"
    assert shipped("light_shadow").validate(True) == "on"
    assert shipped("camera_distance").validate(1.25) == 1.25


@pytest.mark.parametrize("name", ["target_object_position", "robot_initial_state", "gripper_state", "light_shadow"])
def test_what_cannot_move_during_an_episode_says_so(name):
    with pytest.raises(GaugeError, match="cannot change during an episode"):
        shipped(name).item(shipped(name).levels, "dynamic")
