import msgpack

from gauge.core.contract import whole
from gauge.core.policy import PolicySpec
from gauge.wire.codec import encode
from gauge.wire.handshake import declared, metadata

SPEC = PolicySpec(cameras=("agentview",), chunk=8, executed=4)


def test_what_is_declared_arrives() -> None:
    server = declared(encode(metadata("mine/1", SPEC, "abc")))
    assert (server.identity, server.session) == ("mine/1", "abc")
    assert server.spec == SPEC.to_json()
    assert whole(SPEC, server.spec) == []


def test_a_plain_server_is_named_by_its_metadata() -> None:
    assert declared(msgpack.packb({"model": "pi05"})).identity == "openpi/0cdc7953331e"
    assert declared(msgpack.packb({})).spec is None
