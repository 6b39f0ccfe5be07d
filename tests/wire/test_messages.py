from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError
from gauge.wire.codec import decode, encode
from gauge.wire.messages import LIBERO_KEYS, RESET, pack_observation, pack_reset, unpack_observation, unpack_reset

SPEC = PolicySpec(image_size=(4, 3))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["state", "inc", "x"]), inner),
    max_leaves=5,
)


def observation() -> Observation:
    rng = np.random.default_rng(3)
    images = {name: rng.integers(0, 256, (4, 3, 3), dtype=np.uint8) for name in SPEC.cameras}
    return Observation(images, rng.normal(size=8), "put the bówl on the plate", 15)


def test_an_observation_is_the_same_after_the_journey() -> None:
    sent = observation()
    seen = unpack_observation(decode(encode(pack_observation(sent, SPEC, LIBERO_KEYS))), SPEC, 15)
    assert (seen.instruction, seen.step, list(seen.images)) == (sent.instruction, 15, list(sent.images))
    assert all(np.array_equal(seen.images[name], sent.images[name]) for name in sent.images)
    assert np.array_equal(seen.state, sent.state)


def test_entries_the_policy_does_not_ask_for_are_ignored() -> None:
    blind = PolicySpec(cameras=(), state="none")
    seen = unpack_observation(pack_observation(observation(), SPEC, LIBERO_KEYS) | {"depth": 3}, blind, 0)
    assert seen.images == {}
    assert seen.state.shape == (0,)


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("observation/image", None, r"must be uint8 \[4, 3, 3\], not missing"),
        ("observation/image", np.zeros((4, 3, 3), np.float32), r"not float32 \[4, 3, 3\]"),
        (
            "observation/wrist_image",
            np.zeros((3, 4, 3), np.uint8),
            r"'observation/wrist_image' .* not uint8 \[3, 4, 3\]",
        ),
        ("observation/image", "pixels", "not str"),
        ("observation/state", np.zeros(7), r"must be numbers \[8\], not float64 \[7\]"),
        ("observation/state", np.zeros(8, bool), "not bool"),
        ("prompt", None, "must be text, not NoneType"),
        ("prompt", b"go", "must be text, not bytes"),
    ],
)
def test_a_wrong_entry_is_named(key: str, value: Any, reason: str) -> None:
    with pytest.raises(GaugeError, match=reason):
        unpack_observation(pack_observation(observation(), SPEC, LIBERO_KEYS) | {key: value}, SPEC, 0)


def test_a_generator_continues_where_it_was() -> None:
    rng = np.random.default_rng(7)
    rng.integers(0, 10, dtype=np.int32)
    instruction, copy = unpack_reset(decode(encode(pack_reset("go", rng)))[RESET])
    assert instruction == "go"
    assert copy.integers(0, 2**31, 5, dtype=np.int32).tolist() == rng.integers(0, 2**31, 5, dtype=np.int32).tolist()
    assert copy.random() == rng.random()


@given(JSON)
def test_a_hostile_generator_is_refused(state: Any) -> None:
    import json

    for text in (state, json.dumps(state), json.dumps({"bit_generator": "PCG64", "state": state})):
        with pytest.raises(GaugeError):
            unpack_reset({"prompt": "go", "rng": text})


@pytest.mark.parametrize("content", [None, [], "go", {}, {"prompt": "go"}, {"rng": "{}"}])
def test_a_malformed_reset_is_refused(content: Any) -> None:
    with pytest.raises(GaugeError):
        unpack_reset(content)
