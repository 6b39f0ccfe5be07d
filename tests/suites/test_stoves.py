"""Nothing starts on a stove."""

from dataclasses import replace

import numpy as np
import pytest

from gauge.suites import stoves
from gauge.suites.arrangements import arrangements
from gauge.suites.rules import Group, groups


@pytest.fixture
def group() -> Group:
    """A scene with a stove, whose own x points away from the robot, at (-0.36, -0.25)."""
    return next(one for one in groups() if one.layout == "A4b")


def test_what_may_start_over_the_plate_is_named(group: Group) -> None:
    x, y, *_ = group.fixtures["flat_stove"]
    on_it = replace(group, objects={**group.objects, "butter": (x + 0.142, y)})
    assert list(stoves.faults(on_it)) == ["A4b: butter may start on the flat_stove; move one of them"]


def test_jitter_and_turn_count(group: Group) -> None:
    x, y, yaw, *_ = group.fixtures["flat_stove"]
    beside = replace(group, half=0.01, objects={"butter": (x + 0.2, y + 0.11)}, swap=())
    assert list(stoves.faults(beside)) == []
    assert list(stoves.faults(replace(beside, half=0.02)))
    assert list(stoves.faults(replace(beside, fixtures={"flat_stove": (x, y, yaw, 0.3)})))


def test_what_stands_on_something_else_is_left_alone(group: Group) -> None:
    on_the_cabinet = replace(group, objects={"butter": "white_cabinet.top_side"})
    assert list(stoves.faults(on_the_cabinet)) == []


def test_no_scene_has_anything_on_its_stove_in_any_order() -> None:
    assert [fault for one in groups() for order in arrangements(one) for fault in stoves.faults(order)] == []


@pytest.mark.sim
def test_the_stoves_measures_are_those_of_its_model() -> None:
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene
    from gauge.suites import capability

    scene = Scene(next(one for one in capability.load("all", "all", None).tasks if one.name == "action_A1a_stove"))
    scene.start(0, 0)
    body = scene.data.body("flat_stove_1_main")
    corners = 2 * np.array(list(np.ndindex(2, 2, 2))) - 1
    found = []
    for geom in np.flatnonzero(scene.model.body_rootid[scene.model.geom_bodyid] == body.id):
        centre, half = scene.model.geom_aabb[geom][:3], scene.model.geom_aabb[geom][3:]
        world = scene.data.geom_xpos[geom] + (centre + corners * half) @ scene.data.geom_xmat[geom].reshape(3, 3).T
        found.append((world - body.xpos) @ body.xmat.reshape(3, 3))
    low, high = np.concatenate(found).min(axis=0), np.concatenate(found).max(axis=0)
    assert (low[:2] + high[:2]) / 2 == pytest.approx([stoves.MIDDLE_M, 0.0], abs=0.002)
    assert (high[:2] - low[:2]) / 2 == pytest.approx(stoves.HALF_M, abs=0.002)
    scene.close()
