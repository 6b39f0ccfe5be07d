"""Several clients of one policy that answers them together, over real connections."""

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from batch_policies import SmallNet
from numpy.typing import NDArray
from openpi_peer import OpenpiClient

from gauge.core.policy import BatchPolicy, Observation, PolicySpec
from gauge.errors import PolicyError
from gauge.policies.remote import RemotePolicy
from gauge.wire.batch import BatchDesk, Meter
from gauge.wire.desk import Answer
from gauge.wire.server import PolicyServer, listening_socket

BLIND = PolicySpec(cameras=(), state="none", chunk=2, executed=2)


class Gate(BatchPolicy[list[str]]):
    """Holds every call until it is opened; answers with the episode's number of calls and the batch's size."""

    identity = "gate/1"
    spec = BLIND

    def __init__(self, seconds: float = 0.0) -> None:
        self.open = threading.Event()
        self.open.set()
        self.entered = threading.Semaphore(0)
        self.asked = threading.Semaphore(0)  # released by `counting` for every observation that reached the desk
        self.batches: list[list[str]] = []
        self.closed = 0
        self.seconds = seconds

    def begin(self, instruction: str, rng: np.random.Generator) -> list[str]:
        return [instruction]

    def act_batch(
        self, states: Sequence[list[str]], observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        self.entered.release()
        self.open.wait(20)
        time.sleep(self.seconds)
        self.batches.append([state[0] for state in states])
        if any(observation.instruction == "fail" for observation in observations):
            raise RuntimeError("the model is broken")
        for state in states:
            state.append("call")
        return [np.full((2, 7), len(state) - 1 + len(states) / 100) for state in states]

    def close(self) -> None:
        self.closed += 1


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a test wait until its clients' observations are in the queue, however slow the machine is."""
    answer = BatchDesk.answer

    async def counted(desk: BatchDesk, state: Any, observation: Observation) -> Answer:
        waiting = asyncio.ensure_future(answer(desk, state, observation))
        await asyncio.sleep(0)  # by then it is queued
        if isinstance(desk._policy, Gate):
            desk._policy.asked.release()
        return await waiting

    monkeypatch.setattr(BatchDesk, "answer", counted)


@contextmanager
def serving(policy: BatchPolicy[Any], max_batch: int | None = None, meter: Meter | None = None) -> Iterator[int]:
    """The port of a server of this one policy, which runs in a thread."""
    with listening_socket("127.0.0.1", 0) as sock:
        server = PolicyServer(lambda: policy, max_batch, meter)
        stop, loop = asyncio.Event(), asyncio.new_event_loop()
        thread = threading.Thread(target=lambda: loop.run_until_complete(server.run(sock, stop)), daemon=True)
        thread.start()
        yield sock.getsockname()[1]
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        assert not thread.is_alive()


def client(port: int, prompt: str, spec: PolicySpec = BLIND, seed: int = 0) -> RemotePolicy:
    remote = RemotePolicy(spec, port=port)
    remote.reset(prompt, np.random.default_rng(seed))
    return remote


def look(prompt: str, step: int = 0) -> Observation:
    return Observation({}, np.zeros(0), prompt, step)


def ask_behind_the_gate(gate: Gate, port: int, prompts: Sequence[str]) -> list[Any]:
    """The answers to the prompts, or the faults; the first is alone in the policy while the others queue up."""

    def ask(one: RemotePolicy, prompt: str) -> Any:
        try:
            return one.act(look(prompt))[0, 0]
        except PolicyError as error:
            return str(error)

    clients = [client(port, prompt) for prompt in prompts]
    gate.open.clear()
    with ThreadPoolExecutor(len(prompts)) as threads:
        answers = [threads.submit(ask, clients[0], prompts[0])]
        assert gate.entered.acquire(timeout=10)
        answers += [threads.submit(ask, *pair) for pair in zip(clients[1:], prompts[1:], strict=True)]
        for _ in prompts:
            assert gate.asked.acquire(timeout=10)
        gate.open.set()
        found = [answer.result(20) for answer in answers]
    for one in clients:
        one.close()
    return found


def test_what_waits_when_the_policy_becomes_free_is_answered_in_one_call() -> None:
    gate, meter = Gate(), Meter()
    with serving(gate, meter=meter) as port:
        answers = ask_behind_the_gate(gate, port, ["a", "b", "c", "d"])
    assert gate.batches[0] == ["a"]
    assert sorted(gate.batches[1]) == ["b", "c", "d"]
    assert answers == [1.01, 1.03, 1.03, 1.03]
    assert (meter.calls, meter.rows, meter.busy_since) == (2, 4, 0.0)
    assert gate.closed == 1


def test_a_limit_splits_what_waits() -> None:
    gate = Gate()
    with serving(gate, max_batch=2) as port:
        ask_behind_the_gate(gate, port, ["a", "b", "c", "d"])
    assert [len(batch) for batch in gate.batches] == [1, 2, 1]


def test_a_row_that_fails_ends_its_own_episode_only() -> None:
    gate = Gate()
    with serving(gate) as port:
        first, *others = ask_behind_the_gate(gate, port, ["a", "b", "fail", "c"])
        assert client(port, "d").act(look("d"))[0, 0] == 1.01
    assert first == 1.01
    assert others == [1.01, "the policy server failed: RuntimeError: the model is broken", 1.01]


def test_a_client_that_leaves_while_it_waits_disturbs_nobody() -> None:
    async def leave(port: int) -> None:
        async with OpenpiClient(port) as plain:
            asyncio.create_task(plain.infer({"prompt": "gone"})).add_done_callback(lambda task: task.exception())
            await asyncio.sleep(0.2)
            plain.websocket.transport.abort()

    gate = Gate()
    with serving(gate) as port:
        stays = client(port, "stays")
        gate.open.clear()
        with ThreadPoolExecutor(1) as threads:
            answer = threads.submit(stays.act, look("stays"))
            assert gate.entered.acquire(timeout=10)
            asyncio.run(leave(port))
            gate.open.set()
            assert answer.result(20)[0, 0] == 1.01
        # Whole numbers: the server may hear of the departure only after it answered both in one call.
        assert int(stays.act(look("stays", 2))[0, 0]) == 2
        stays.close()


def test_a_slow_client_is_not_waited_for() -> None:
    gate = Gate(seconds=0.02)
    with serving(gate) as port:
        slow, *quick = (client(port, name) for name in ("slow", "b", "c"))
        assert slow.act(look("slow"))[0, 0] == 1.01

        def play(one: RemotePolicy) -> float:
            began = time.monotonic()
            for step in range(0, 40, 2):
                one.act(look("go", step))
            return time.monotonic() - began

        with ThreadPoolExecutor(2) as threads:
            seconds = list(threads.map(play, quick))
        assert max(seconds) < 5.0, "20 calls of 20 ms, each at most behind one other"
        assert slow.act(look("slow", 2))[0, 0] == 2.01
        for one in (slow, *quick):
            one.close()
    assert [batch for batch in gate.batches if "slow" in batch] == [["slow"], ["slow"]]


def test_answers_do_not_depend_on_who_else_asks() -> None:
    rng = np.random.default_rng(1)
    episodes = [
        [
            Observation(
                {camera: rng.integers(0, 256, (64, 64, 3), np.uint8) for camera in SmallNet.spec.cameras},
                rng.normal(size=8),
                prompt,
                step,
            )
            for step in range(0, 50, 5)
        ]
        for prompt in ("open", "close the drawer", "wait")
    ]

    def play(policy: Any, seed: int) -> NDArray[np.float64]:
        policy.reset(episodes[seed][0].instruction, np.random.default_rng(seed))
        chunks = np.stack([policy.act(observation) for observation in episodes[seed]])
        policy.close()
        return chunks

    alone = [play(SmallNet(), seed) for seed in range(3)]
    meter = Meter()
    with serving(SmallNet(seconds=0.02), meter=meter) as port, ThreadPoolExecutor(3) as threads:
        remotes = [RemotePolicy(SmallNet.spec, port=port) for _ in range(3)]
        together = list(threads.map(play, remotes, range(3)))
    assert meter.rows == 30
    assert meter.calls < 30, "some were answered together"
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one, other)


def test_too_few_answers_are_no_answer() -> None:
    class Miser(Gate):
        def act_batch(
            self, states: Sequence[list[str]], observations: Sequence[Observation]
        ) -> Sequence[NDArray[np.float64]]:
            return []

    with serving(Miser()) as port:
        one = client(port, "go")
        with pytest.raises(PolicyError, match="gate/1 gave 0 answers to 1 observations"):
            one.act(look("go"))
