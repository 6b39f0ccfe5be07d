import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgpack
import numpy as np
import pytest
from numpy.typing import NDArray
from openpi_peer import OpenpiClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from gauge.core.policy import Observation, Policy, PolicySpec
from gauge.errors import GaugeError, PolicyError
from gauge.policies.noop import NoopPolicy
from gauge.policies.random import RandomPolicy
from gauge.policies.remote import RemotePolicy
from gauge.wire.server import PolicyServer, listening_socket

BLIND = PolicySpec(cameras=(), state="none", chunk=2, executed=2)


class Counter:
    """Answers (episode, call, instances made so far) and obeys a few prompts."""

    identity = "counter/1"
    spec = BLIND
    made = 0
    closed = 0

    def __init__(self) -> None:
        type(self).made += 1
        self._number, self._episode, self._call = type(self).made, 0, 0

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        self._episode, self._call = self._episode + 1, 0

    def act(self, observation: Observation) -> NDArray[np.float64]:
        if observation.instruction == "fail":
            raise RuntimeError("the model is broken")
        if observation.instruction.startswith("sleep"):
            time.sleep(float(observation.instruction.split()[1]))
        self._call += 1
        return np.full((2, 7), [self._episode, self._call, self._number, 0, 0, 0, 0])

    def close(self) -> None:
        type(self).closed += 1


@pytest.fixture(autouse=True)
def fresh() -> None:
    Counter.made = Counter.closed = 0


@contextmanager
def serving(factory: Callable[[], Policy], port: int = 0) -> Iterator[int]:
    """The port of a server that runs in a thread."""
    with listening_socket("127.0.0.1", port) as sock:
        server, stop, loop = PolicyServer(factory), asyncio.Event(), asyncio.new_event_loop()
        thread = threading.Thread(target=lambda: loop.run_until_complete(server.run(sock, stop)), daemon=True)
        thread.start()
        yield sock.getsockname()[1]
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        assert not thread.is_alive()


def talk(port: int, *messages: Any, **settings: Any) -> list[Any]:
    """What an independent client is answered on one connection."""

    async def run() -> list[Any]:
        async with OpenpiClient(port, **settings) as client:
            return [await client.infer(message) for message in messages]

    return asyncio.run(run())


def first_row(answer: Any) -> list[int]:
    return answer["actions"][0, :3].tolist()


def test_an_independent_client_is_served() -> None:
    async def run(port: int) -> tuple[Any, Any]:
        async with OpenpiClient(port) as client:
            return client.metadata, await client.infer({"prompt": "go", "observation/image": np.zeros((9, 9, 3))})

    with serving(NoopPolicy) as port:
        metadata, answer = asyncio.run(run(port))
    assert metadata["gauge"]["identity"] == "noop/1"
    assert metadata["gauge"]["protocol"] == 1
    assert metadata["gauge"]["spec"] == NoopPolicy().spec.to_json()
    assert answer["actions"].shape == (10, 7)
    assert answer["actions"].dtype == np.float64
    assert answer["actions"][:, 6].tolist() == [-1.0] * 10
    assert not answer["actions"][:, :6].any()
    assert answer["server_timing"]["infer_ms"] >= 0


def test_each_connection_is_an_episode_and_each_new_prompt_too() -> None:
    with serving(Counter) as port:
        assert [first_row(a) for a in talk(port, *[{"prompt": p} for p in "aab"])] == [[1, 1, 1], [1, 2, 1], [2, 1, 1]]
        assert [first_row(a) for a in talk(port, {"prompt": "b"})] == [[3, 1, 1]]


def test_two_clients_at_once_never_share_a_policy() -> None:
    async def run(port: int) -> list[Any]:
        async with OpenpiClient(port) as one, OpenpiClient(port) as two:
            return [first_row(await client.infer({"prompt": "go"})) for client in (one, two, one, two)]

    with serving(Counter) as port:
        rows = asyncio.run(run(port))
        assert rows == [[1, 1, 1], [1, 1, 2], [1, 2, 1], [1, 2, 2]]
        for _ in range(3):
            talk(port, {"prompt": "go"})
    assert Counter.made == Counter.closed == 2


def test_heartbeats_are_answered_during_inference() -> None:
    with serving(Counter) as port:
        [answer] = talk(port, {"prompt": "sleep 1.5"}, ping_interval=0.1, ping_timeout=0.6)
    assert first_row(answer) == [1, 1, 1]
    assert answer["server_timing"]["infer_ms"] > 1400


def test_an_exception_is_sent_as_text_and_closes_with_1011() -> None:
    async def run(port: int) -> tuple[str, int]:
        async with OpenpiClient(port) as client:
            await client.websocket.send(msgpack.packb({"prompt": "fail"}))
            text = await client.websocket.recv()
            with pytest.raises(ConnectionClosed) as closed:
                await client.websocket.recv()
            return text, closed.value.rcvd.code

    with serving(Counter) as port:
        text, code = asyncio.run(run(port))
        assert text.startswith("Traceback (most recent call last):")
        assert text.rstrip().endswith("RuntimeError: the model is broken")
        assert code == 1011
        remote = RemotePolicy(BLIND, port=port)
        remote.reset("fail", np.random.default_rng(0))
        with pytest.raises(PolicyError, match=r"^the policy server failed: RuntimeError: the model is broken$"):
            remote.act(Observation({}, np.zeros(0), "fail", 0))
        [answer] = talk(port, {"prompt": "go"})
    assert first_row(answer) == [1, 1, 3], "a policy that failed is not used again"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"", "no openpi message"),
        (b"\xc1", "no openpi message"),
        (b"\x93\x01\x02\x03", "must be a map"),
        ("text", "text message"),
        ({"observation/state": np.zeros(8)}, "'prompt' must be text"),
        ({"prompt": "go", "x": {b"__ndarray__": True, b"dtype": "|O", b"shape": [1], b"data": b"12345678"}}, "dtype"),
        ({"gauge/reset": {"prompt": "go", "rng": "{}"}}, "PCG64"),
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_hostile_message_ends_its_own_connection_only(message: Any, reason: str) -> None:
    async def run(port: int) -> Any:
        async with OpenpiClient(port) as good:
            await good.infer({"prompt": "go"})
            async with OpenpiClient(port) as bad:
                with pytest.raises(RuntimeError, match=reason):
                    await bad.infer(message)
            return await good.infer({"prompt": "go"})

    with serving(Counter) as port:
        assert first_row(asyncio.run(run(port))) == [1, 2, 1]


def test_a_client_that_leaves_during_inference_frees_its_policy() -> None:
    async def run(port: int) -> None:
        async with OpenpiClient(port) as client:
            await client.websocket.send(msgpack.packb({"prompt": "sleep 0.3"}))
            await asyncio.sleep(0.1)
            client.websocket.transport.abort()

    with serving(Counter) as port:
        asyncio.run(run(port))
        [answer] = talk(port, {"prompt": "go"})
    assert first_row(answer)[2] in (1, 2)
    assert Counter.closed == Counter.made


def test_random_served_is_random_local() -> None:
    local = RandomPolicy(chunk=4, executed=2)
    with serving(lambda: RandomPolicy(chunk=4, executed=2)) as port:
        remote = RemotePolicy(local.spec, port=port)
        remote.check()
        for seed in range(3):
            for policy in (local, remote):
                policy.reset("go", np.random.default_rng(seed))
            for step in (0, 2, 4):
                look = Observation({}, np.zeros(0), "go", step)
                assert np.array_equal(local.act(look), remote.act(look))
    assert remote.identity == "random/1"


def test_a_plain_client_gets_other_random_numbers_in_each_episode() -> None:
    with serving(RandomPolicy) as port:
        first, second = (talk(port, {"prompt": "go"})[0]["actions"] for _ in range(2))
    assert not np.array_equal(first, second)


def test_check_makes_no_policy_of_its_own() -> None:
    async def run(port: int) -> None:
        async with OpenpiClient(port):
            RemotePolicy(BLIND, port=port).check()
            RemotePolicy(BLIND, port=port).check()

    with serving(Counter) as port:
        asyncio.run(run(port))
    assert Counter.made == 1


def test_healthz() -> None:
    with serving(NoopPolicy) as port:
        web = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        web.request("GET", "/healthz")
        answer = web.getresponse()
        assert (answer.status, answer.read()) == (200, b"OK\n")


def test_a_privileged_policy_is_not_served() -> None:
    class Expert(Counter):
        identity = "expert/1"
        spec = PolicySpec(cameras=(), state="none", privileged=True)

    with pytest.raises(GaugeError, match="expert/1 reads the simulator's state and cannot be served"):
        PolicyServer(Expert)


def test_a_port_in_use_is_one_sentence() -> None:
    with serving(NoopPolicy) as port, pytest.raises(GaugeError, match=rf"port {port} on 127.0.0.1 is in use; .*port=0"):
        listening_socket("127.0.0.1", port)
    with listening_socket("127.0.0.1", port):
        pass


def test_an_address_that_cannot_be_used_is_one_sentence() -> None:
    with pytest.raises(GaugeError, match="port must be 0 to 65535, not 70000"):
        listening_socket("127.0.0.1", 70000)
    with pytest.raises(GaugeError, match=r"cannot listen on 192.0.2.1 port 8000"):
        listening_socket("192.0.2.1", 8000)


def test_a_message_over_the_limit_closes_the_connection() -> None:
    with serving(NoopPolicy) as port:
        with connect(f"ws://127.0.0.1:{port}", compression=None) as websocket:
            websocket.recv()
            with suppress(ConnectionClosed):
                websocket.send(bytes(70 * 2**20))
            with pytest.raises(ConnectionClosed):
                websocket.recv(timeout=20)
        talk(port, {"prompt": "go"})


def test_bytes_that_are_no_websocket_do_not_stop_the_server() -> None:
    with serving(NoopPolicy) as port:
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall(b"\x00" * 100_000)
        talk(port, {"prompt": "go"})
