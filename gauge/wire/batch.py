"""One policy for all clients: what waits when it becomes free is answered in one call."""

import asyncio
import ctypes
import logging
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import BatchPolicy, Observation
from gauge.errors import PolicyError
from gauge.wire.desk import Answer
from gauge.wire.worker import Worker

logger = logging.getLogger(__name__)


class Meter(ctypes.Structure):
    """What a batching policy did so far; a C structure, so that another process can look at it in shared memory.

    Attributes:
        busy_since: `time.monotonic()` at the start of the call that is running; 0 while none is.
        calls: calls of `act_batch` that answered.
        rows: observations answered by them.
    """

    _fields_ = (("busy_since", ctypes.c_double), ("calls", ctypes.c_int64), ("rows", ctypes.c_int64))
    busy_since: float
    calls: int
    rows: int


class Waiting(NamedTuple):
    """A client's observation on its way to an answer."""

    state: Any
    observation: Observation
    answer: "Future[Answer]"


class BatchDesk:
    """Every client has a state of its own at the one policy.

    A call takes whatever waits at that moment, at most `limit` observations, the longest waiting first. It never
    waits for a client: one whose simulator is slow is answered in a later call.
    """

    def __init__(self, worker: Worker, policy: BatchPolicy[Any], limit: int | None, meter: Meter) -> None:
        self._worker = worker
        self._policy = policy
        self._limit = limit or sys.maxsize
        self._meter = meter
        self._waiting: deque[Waiting] = deque()

    def seat(self) -> "BatchSeat":
        """A place without an episode."""
        return BatchSeat(self)

    async def begin(self, instruction: str, rng: np.random.Generator) -> Any:
        """The state of a new episode."""
        return await asyncio.wrap_future(self._worker.submit(partial(self._begin, instruction, rng)))

    async def answer(self, state: Any, observation: Observation) -> Answer:
        """The policy's answer, computed together with those of others who wait."""
        waiting = Waiting(state, observation, Future())
        self._waiting.append(waiting)
        self._worker.submit(self._serve)  # one for each who waits; the first to run serves the others too
        return await asyncio.wrap_future(waiting.answer)

    async def close(self) -> None:
        """Close the policy."""
        await asyncio.wrap_future(self._worker.submit(self._policy.close))

    def _begin(self, instruction: str, rng: np.random.Generator) -> Any:
        with self._busy():
            return self._policy.begin(instruction, rng)

    def _serve(self) -> None:
        batch: list[Waiting] = []
        while self._waiting and len(batch) < self._limit:
            one = self._waiting.popleft()
            if one.answer.set_running_or_notify_cancel():
                batch.append(one)
        if batch:
            self._answer(batch)

    def _answer(self, batch: Sequence[Waiting]) -> None:
        started = time.perf_counter()
        try:
            with self._busy():
                chunks = self._chunks(batch)
        except BaseException as error:
            if len(batch) > 1:
                logger.warning("a call for %d episodes failed (%s); each is asked alone", len(batch), error)
                for one in batch:
                    self._answer([one])
            else:
                batch[0].answer.set_exception(error)
            return
        seconds = time.perf_counter() - started
        for one, chunk in zip(batch, chunks, strict=True):
            one.answer.set_result(Answer(chunk, seconds))

    def _chunks(self, batch: Sequence[Waiting]) -> Sequence[NDArray[np.float64]]:
        chunks = self._policy.act_batch([one.state for one in batch], [one.observation for one in batch])
        if len(chunks) != len(batch):
            raise PolicyError(f"{self._policy.identity} gave {len(chunks)} answers to {len(batch)} observations")
        self._meter.calls += 1
        self._meter.rows += len(batch)
        return chunks

    @contextmanager
    def _busy(self) -> Iterator[None]:
        self._meter.busy_since = time.monotonic()
        try:
            yield
        finally:
            self._meter.busy_since = 0.0


class BatchSeat:
    """One client's episode at a policy that others use, too."""

    def __init__(self, desk: BatchDesk) -> None:
        self._desk = desk
        self._state: Any = None

    async def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Begin the next episode and forget the last."""
        self._state = await self._desk.begin(instruction, rng)

    async def act(self, observation: Observation) -> Answer:
        """Wait for the policy's answer."""
        return await self._desk.answer(self._state, observation)

    def leave(self, failed: bool) -> None:
        """Nothing to give back: the state goes with its client, and the policy serves the others on."""
