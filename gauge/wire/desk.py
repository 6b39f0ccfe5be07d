"""Where a server's clients meet the policy: everyone gets a seat, and how seats share policies is the desk's affair."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import Observation, Policy
from gauge.wire.worker import Worker


class Answer(NamedTuple):
    """A chunk, [T, 7], and how long the policy took for it."""

    chunk: NDArray[np.float64]
    seconds: float


class Seat(Protocol):
    """One client's place for as long as it is connected. Its calls run on the desk's one policy thread."""

    async def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Start the client's next episode."""

    async def act(self, observation: Observation) -> Answer:
        """The policy's answer within that episode."""

    def leave(self, failed: bool) -> None:
        """The client is gone; `failed` says that the policy itself raised."""


class Desk(Protocol):
    """Hands out seats."""

    def seat(self) -> Seat:
        """A place for a new client."""

    async def close(self) -> None:
        """Release the policies that nobody uses."""


class LeaseDesk:
    """A policy for every client who is connected at the same time, made when there is no idle one.

    A client's policy is idle again when the client has left; one that failed on its own is thrown away.
    """

    def __init__(self, worker: Worker, factory: Callable[[], Policy], first: Policy) -> None:
        self._worker = worker
        self._factory = factory
        self._idle = [first]

    def seat(self) -> "LeaseSeat":
        """A place whose policy is leased when its first episode starts."""
        return LeaseSeat(self._worker, self._lease, self._idle.append)

    async def close(self) -> None:
        """Close the idle policies."""
        await asyncio.wrap_future(self._worker.submit(self._close_idle))

    def _lease(self) -> Policy:
        return self._idle.pop() if self._idle else self._factory()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


class LeaseSeat:
    """A seat with a policy that nobody else uses meanwhile."""

    def __init__(self, worker: Worker, lease: Callable[[], Policy], give_back: Callable[[Policy], None]) -> None:
        self._worker = worker
        self._lease = lease
        self._give_back = give_back
        self._policy: Policy | None = None

    async def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Reset the leased policy."""
        await asyncio.wrap_future(self._worker.submit(partial(self._reset, instruction, rng)))

    async def act(self, observation: Observation) -> Answer:
        """Ask the leased policy."""
        return await asyncio.wrap_future(self._worker.submit(partial(self._act, observation)))

    def leave(self, failed: bool) -> None:
        """Give the policy back, or throw it away; after whatever it is still doing."""
        self._worker.submit(partial(self._leave, failed))

    def _reset(self, instruction: str, rng: np.random.Generator) -> None:
        self._policy = self._policy or self._lease()
        self._policy.reset(instruction, rng)

    def _act(self, observation: Observation) -> Answer:
        assert self._policy is not None  # a session starts with a reset
        started = time.perf_counter()
        return Answer(self._policy.act(observation), time.perf_counter() - started)

    def _leave(self, failed: bool) -> None:
        policy, self._policy = self._policy, None
        if policy is not None:
            if failed:
                policy.close()
            else:
                self._give_back(policy)
