"""One client's dialogue with a policy, without policy and network: what its messages mean."""

from typing import Any, NamedTuple

import numpy as np

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError
from gauge.wire.messages import RESET, STEP, prompt, unpack_observation, unpack_reset


class Start(NamedTuple):
    """An episode starts with this prompt and generator."""

    instruction: str
    rng: np.random.Generator


class Request(NamedTuple):
    """What a message asks for: an episode's start, an answer to an observation, or first the one, then the other."""

    start: Start | None
    observation: Observation | None


class Session:
    """Reads the messages of one connection to a policy with this spec.

    The policy is reset exactly once per episode:
    1. A gauge client starts every episode with a `gauge/reset` message, and only that resets.
    2. For any other openpi client an episode starts with the connection and whenever the prompt changes.
       Such a client sends no seed, so the policy gets a fresh generator from the system's entropy.
    """

    def __init__(self, spec: PolicySpec) -> None:
        self._spec = spec
        self._explicit = False
        self._instruction: str | None = None
        self._calls = 0

    def read(self, message: Any) -> Request:
        """What one decoded message asks for.

        Raises:
            GaugeError: the message is no observation that a policy with this spec can use.
        """
        if not isinstance(message, dict):
            raise GaugeError(f"a message must be a map, not {type(message).__name__}")
        if RESET in message:
            self._explicit = True
            return Request(self._started(Start(*unpack_reset(message[RESET]))), None)
        start = None
        instruction = prompt(message)
        if self._instruction is None or (not self._explicit and instruction != self._instruction):
            start = self._started(Start(instruction, np.random.default_rng()))
        return Request(start, self._observation(message))

    def _started(self, start: Start) -> Start:
        self._instruction = start.instruction
        self._calls = 0
        return start

    def _observation(self, message: dict[Any, Any]) -> Observation:
        step = message.get(STEP, self._calls * self._spec.executed)
        if type(step) is not int or step < 0:
            raise GaugeError(f"the entry {STEP!r} must be a whole number of control steps, not {str(step)[:40]}")
        observation = unpack_observation(message, self._spec, step)
        self._calls += 1
        return observation
