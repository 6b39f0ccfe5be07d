import resource
from contextlib import suppress
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gauge.errors import GaugeError
from gauge.wire.codec import MAX_MESSAGE_BYTES, decode, encode

INTEGERS = hnp.integer_dtypes(endianness="?") | hnp.unsigned_integer_dtypes()
DTYPES = hnp.boolean_dtypes() | INTEGERS | hnp.floating_dtypes()
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary()
MESSAGES = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (a != a and b != b))


@given(MESSAGES)
def test_round_trip(message: Any) -> None:
    assert same(decode(encode(message)), message)


EDITS = st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=5)


@given(MESSAGES, EDITS, st.integers(0, 9))
def test_mutated_bytes_are_decoded_or_refused(message: Any, edits: list[tuple[int, int]], cut: int) -> None:
    data = bytearray(encode(message))
    for position, byte in edits:
        data[position % len(data)] = byte
    with suppress(GaugeError):
        decode(bytes(data[: len(data) - cut]))


@given(st.binary(max_size=200))
def test_random_bytes_are_decoded_or_refused(data: bytes) -> None:
    with suppress(GaugeError):
        decode(data)


def test_an_array_has_exactly_the_published_shape() -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    published = {b"__ndarray__": True, b"data": array.tobytes(), b"dtype": "<f4", b"shape": (2, 3)}
    assert encode({"actions": array}) == msgpack.packb({"actions": published})
    assert encode(np.int64(3)) == msgpack.packb({b"__npgeneric__": True, b"data": 3, b"dtype": "<i8"})


def test_scalars_keep_their_dtype() -> None:
    back = decode(encode([np.float32(0.5), np.bool_(True), np.uint8(7)]))
    assert [type(v) for v in back] == [np.float32, np.bool_, np.uint8]
    assert back == [0.5, True, 7]


def test_decoded_arrays_can_be_written() -> None:
    array = decode(encode(np.zeros(3)))
    array[0] = 1.0
    assert array[0] == 1.0


@pytest.mark.parametrize(
    "value",
    [
        np.array([object()]),
        np.zeros(2, dtype="V4"),
        np.zeros(2, dtype="f4,i4"),
        np.zeros(2, dtype=complex),
        np.array(["text"]),
        {1, 2},
        object(),
        2**70,
    ],
    ids=lambda v: str(getattr(v, "dtype", type(v).__name__)),
)
def test_what_cannot_be_sent_is_refused(value: Any) -> None:
    with pytest.raises(GaugeError, match="cannot be sent"):
        encode({"value": value})


def ndarray(**changes: Any) -> dict[bytes, Any]:
    whole = {"__ndarray__": True, "data": bytes(8), "dtype": "<f4", "shape": [2]} | changes
    return {key.encode(): value for key, value in whole.items()}


@pytest.mark.parametrize(
    "value",
    [
        ndarray(dtype="O"),
        ndarray(dtype="|O8"),
        ndarray(dtype="|V4"),
        ndarray(dtype="f4,f4"),
        ndarray(dtype="(1000000,1000000)f8"),
        ndarray(dtype=["<f4"]),
        ndarray(dtype=None),
        ndarray(shape=[3]),
        ndarray(shape=[-2]),
        ndarray(shape=[2.0]),
        ndarray(shape=[True, 2]),
        ndarray(shape=[2**40, 2**40]),
        ndarray(shape=[0, 2**62], data=b""),
        ndarray(shape=[1] * 40 + [2]),
        ndarray(shape="2"),
        ndarray(shape=None),
        ndarray(data="text"),
        ndarray(data=None),
        {b"__npgeneric__": True, b"dtype": "<f4", b"data": "1"},
        {b"__npgeneric__": True, b"dtype": "|u1", b"data": 300},
        {b"__npgeneric__": True},
        {b"__ndarray__": True},
        msgpack.ExtType(5, b"x"),
    ],
    ids=lambda v: str(v)[:60],
)
def test_hostile_values_are_refused(value: Any) -> None:
    with pytest.raises(GaugeError):
        decode(msgpack.packb({"observation/image": value}))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xc1",
        b"\x80\x80",
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x91" * 100_000,
        b"\xdd\x00\x00\x10\x00" * 100_000,
        b"\x81\x01\x02",
        b"\xa1\xff",
        b"\xdc\x0f\xff" + b"\x80" * 4095 + b"",
    ],
    ids=lambda v: v[:8].hex() or "empty",
)
def test_hostile_bytes_take_little_memory(data: bytes) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with suppress(GaugeError):
        decode(data)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_millions_of_tiny_containers_are_refused() -> None:
    inner = b"\xdc\x0f\xff" + b"\x80" * 4095
    with pytest.raises(GaugeError, match="more than 100000 entries"):
        decode(b"\xdc\x0f\xff" + inner * 4095)


def test_a_message_too_large_is_refused_at_both_ends() -> None:
    with pytest.raises(GaugeError, match="too large to send"):
        encode(np.zeros(MAX_MESSAGE_BYTES, dtype=np.uint8))
    with pytest.raises(GaugeError, match="are allowed"):
        decode(bytes(MAX_MESSAGE_BYTES + 1))
