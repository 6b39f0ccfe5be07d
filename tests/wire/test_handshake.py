import msgpack

from gauge.core.policy import PolicySpec
from gauge.wire.codec import encode
from gauge.wire.handshake import declared, differences, metadata

SPEC = PolicySpec(cameras=("agentview",), chunk=8, executed=4)


def test_what_is_declared_arrives() -> None:
    server = declared(encode(metadata("mine/1", SPEC, "abc")))
    assert (server.identity, server.session) == ("mine/1", "abc")
    assert server.spec == SPEC.to_json()
    assert differences(SPEC, server.spec) == ""


def test_how_many_actions_are_executed_is_the_clients_choice() -> None:
    assert differences(SPEC, PolicySpec(cameras=("agentview",), chunk=8, executed=8).to_json()) == ""
    assert "chunk" in differences(SPEC, PolicySpec(cameras=("agentview",), chunk=9, executed=4).to_json())


def test_images_are_compared_only_where_there_are_any() -> None:
    blind, small = PolicySpec(cameras=()), PolicySpec(cameras=(), image_size=(8, 8), orientation="mirrored")
    assert differences(blind, small.to_json()) == ""
    assert "image_size" in differences(PolicySpec(), small.to_json())


def test_a_missing_field_and_another_type_are_differences() -> None:
    server = SPEC.to_json() | {"chunk": "8"}
    del server["gripper"]
    lines = differences(SPEC, server).splitlines()
    assert [line.split() for line in lines] == [
        ["field", "profile", "server"],
        ["gripper", "close_positive", "not", "declared"],
        ["chunk", "8", "8"],
    ]


def test_a_plain_server_is_named_by_its_metadata() -> None:
    assert declared(msgpack.packb({"model": "pi05"})).identity == "openpi/0cdc7953331e"
    assert declared(msgpack.packb({})).spec is None
