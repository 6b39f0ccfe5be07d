"""One client's dialogue with one policy, without the network: when it is reset, what it is shown."""

import time
from typing import Any

import numpy as np

from gauge.core.policy import Policy
from gauge.errors import GaugeError
from gauge.wire.messages import RESET, STEP, pack_answer, prompt, unpack_observation, unpack_reset


class Session:
    """Turns the messages of one connection into calls of a policy that nobody else uses meanwhile.

    The policy is reset exactly once per episode:
    1. A gauge client starts every episode with a `gauge/reset` message, and only that resets.
    2. For any other openpi client an episode starts with the connection and whenever the prompt changes.
       Such a client sends no seed, so the policy gets a fresh generator from the system's entropy.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._explicit = False
        self._instruction: str | None = None
        self._calls = 0

    def handle(self, message: Any) -> dict[str, Any]:
        """The answer to one decoded message.

        Raises:
            GaugeError: the message is no observation this policy can use.
            Exception: whatever the policy raises.
        """
        if not isinstance(message, dict):
            raise GaugeError(f"a message must be a map, not {type(message).__name__}")
        if RESET in message:
            self._explicit = True
            self._reset(*unpack_reset(message[RESET]))
            return {RESET: True}
        instruction = prompt(message)
        if self._instruction is None or (not self._explicit and instruction != self._instruction):
            self._reset(instruction, np.random.default_rng())
        return self._act(message)

    def _reset(self, instruction: str, rng: np.random.Generator) -> None:
        self._policy.reset(instruction, rng)
        self._instruction = instruction
        self._calls = 0

    def _act(self, message: dict[Any, Any]) -> dict[str, Any]:
        spec = self._policy.spec
        step = message.get(STEP, self._calls * spec.executed)
        if type(step) is not int or step < 0:
            raise GaugeError(f"the entry {STEP!r} must be a whole number of control steps, not {str(step)[:40]}")
        observation = unpack_observation(message, spec, step)
        started = time.perf_counter()
        chunk = self._policy.act(observation)
        self._calls += 1
        return pack_answer(chunk, 1000.0 * (time.perf_counter() - started))
