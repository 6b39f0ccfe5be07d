from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError
from gauge.wire.messages import pack_reset
from gauge.wire.session import Session


class Diary:
    """A policy that writes down what happens to it."""

    identity = "diary/1"
    spec = PolicySpec(cameras=(), state="none", chunk=5, executed=3)

    def __init__(self) -> None:
        self.resets: list[str] = []
        self.seen: list[tuple[str, int]] = []

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        self.resets.append(instruction)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        self.seen.append((observation.instruction, observation.step))
        return np.zeros((5, 7))

    def close(self) -> None:
        pass


def test_a_gauge_client_decides_when_an_episode_starts() -> None:
    diary = Diary()
    session = Session(diary)
    rng = np.random.default_rng(0)
    for _ in range(2):
        session.handle(pack_reset("go", rng))
        session.handle({"prompt": "go", "gauge/step": 0})
        session.handle({"prompt": "go", "gauge/step": 12})
        session.handle({"prompt": "another wording within the episode", "gauge/step": 15})
    assert diary.resets == ["go", "go"]
    assert [step for _, step in diary.seen] == [0, 12, 15] * 2


def test_a_plain_client_starts_an_episode_with_the_connection_and_each_new_prompt() -> None:
    diary = Diary()
    session = Session(diary)
    for prompt in ["a", "a", "b", "b", "a"]:
        session.handle({"prompt": prompt})
    assert diary.resets == ["a", "b", "a"]
    assert diary.seen == [("a", 0), ("a", 3), ("b", 0), ("b", 3), ("a", 0)]


def test_an_answer_has_the_actions_and_their_time() -> None:
    answer = Session(Diary()).handle({"prompt": "go"})
    assert answer["actions"].shape == (5, 7)
    assert answer["actions"].dtype == np.float64
    assert 0 <= answer["server_timing"]["infer_ms"] < 1000


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
    diary = Diary()
    with pytest.raises(GaugeError):
        Session(diary).handle(message)
    assert diary.seen == []
