import numpy as np
import pytest

from gauge.core.contract import Difference, agree, declared_part, demanded, table, whole
from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError

SPEC = PolicySpec(cameras=("agentview",), chunk=8, executed=4)


def fields(differences: list[Difference]) -> list[str]:
    return [one.field for one in differences]


def test_how_many_actions_are_executed_is_the_evaluations_choice() -> None:
    assert whole(SPEC, PolicySpec(cameras=("agentview",), chunk=8, executed=8).to_json()) == []
    assert fields(whole(SPEC, PolicySpec(cameras=("agentview",), chunk=9, executed=4).to_json())) == ["chunk"]


def test_images_are_compared_only_where_there_are_any() -> None:
    blind, small = PolicySpec(cameras=()), PolicySpec(cameras=(), image_size=(8, 8), orientation="mirrored")
    assert whole(blind, small.to_json()) == []
    assert "image_size" in fields(whole(PolicySpec(), small.to_json()))


def test_a_missing_field_and_another_type_are_differences() -> None:
    server = SPEC.to_json() | {"chunk": "8"}
    del server["gripper"]
    assert [line.split() for line in table(whole(SPEC, server)).splitlines()] == [
        ["field", "profile", "server"],
        ["gripper", "close_positive", "not", "declared"],
        ["chunk", "8", "8"],
    ]


def test_who_declares_a_part_is_held_to_that_part() -> None:
    assert declared_part(SPEC, {"chunk": 8, "cameras": ("agentview",)}) == []
    assert declared_part(SPEC, {"gripper": "open_positive"}) == [
        Difference("gripper", "close_positive", "open_positive")
    ]
    assert declared_part(SPEC, {"colour": "bgr"}) == [Difference("colour", "not declared", "bgr")]


def test_what_is_demanded_may_be_nested_and_said_in_arrays() -> None:
    wanted = {"video": {"keys": ["a", "b"]}, "model": "x"}
    assert demanded(wanted, {"video": {"keys": ("a", "b")}, "model": "x", "more": 1}) == []
    assert demanded(wanted, {"video": {"keys": ["a"]}}) == [
        Difference("video.keys", "a, b", "a"),
        Difference("model", "x", "not declared"),
    ]
    assert fields(demanded({"model": 1}, {"model": np.ones(2)})) == ["model"]
    assert fields(demanded({"on": 1}, {"on": True})) == ["on"]
    assert fields(demanded({"model": "x"}, "no mapping at all")) == ["model"]


def test_a_refusal_shows_the_table() -> None:
    agree("the server", [], "do something")
    said = r"the server and this model's profile differ:\n  field  profile  module\n  chunk  8        9\ndo something"
    with pytest.raises(GaugeError, match=said):
        agree("the server", declared_part(SPEC, {"chunk": 9}), "do something", "module")
