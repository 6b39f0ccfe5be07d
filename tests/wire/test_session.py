from typing import Any

import numpy as np
import pytest

from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError
from gauge.wire.messages import pack_reset
from gauge.wire.session import Session

SPEC = PolicySpec(cameras=(), state="none", chunk=5, executed=3)


class Diary:
    """Writes down what the messages of one connection ask for."""

    def __init__(self, *messages: Any) -> None:
        session = Session(SPEC)
        requests = [session.read(message) for message in messages]
        self.resets = [request.start.instruction for request in requests if request.start is not None]
        self.seen = [(o.instruction, o.step) for _, o in requests if o is not None]
        self.generators = [request.start.rng for request in requests if request.start is not None]


def test_a_gauge_client_decides_when_an_episode_starts() -> None:
    episode = [
        pack_reset("go", np.random.default_rng(0)),
        {"prompt": "go", "gauge/step": 0},
        {"prompt": "go", "gauge/step": 12},
        {"prompt": "another wording within the episode", "gauge/step": 15},
    ]
    diary = Diary(*episode, *episode)
    assert diary.resets == ["go", "go"]
    assert [step for _, step in diary.seen] == [0, 12, 15] * 2
    assert diary.generators[1].random() == np.random.default_rng(0).random()


def test_a_plain_client_starts_an_episode_with_the_connection_and_each_new_prompt() -> None:
    diary = Diary(*[{"prompt": prompt} for prompt in ["a", "a", "b", "b", "a"]])
    assert diary.resets == ["a", "b", "a"]
    assert diary.seen == [("a", 0), ("a", 3), ("b", 0), ("b", 3), ("a", 0)]
    assert diary.generators[0].random() != diary.generators[2].random()


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        3,
        {},
        {"prompt": 3},
        {"prompt": "go", "gauge/step": -1},
        {"prompt": "go", "gauge/step": 0.5},
        {"gauge/reset": 1},
    ],
)
def test_a_message_that_is_no_observation_is_refused(message: Any) -> None:
    with pytest.raises(GaugeError):
        Session(SPEC).read(message)
