"""Against vla-eval's own server and model class, where somebody installed them.

Its server needs no more than `pip install --no-deps vla-eval anyio`.
"""

import functools
import threading
from typing import Any

import numpy as np
import pytest

from gauge.errors import GaugeError, PolicyError
from gauge.wire.client import Address
from gauge.wire.dialects.base import Look, Reach
from gauge.wire.dialects.vla_eval import VlaEval

pytest.importorskip("vla_eval.model_servers.serve", reason="pip install --no-deps vla-eval anyio")


class Received:
    def __init__(self) -> None:
        self.observations: list[Any] = []
        self.starts: list[Any] = []


@pytest.fixture
def server() -> Any:
    import anyio
    from vla_eval.model_servers.predict import PredictModelServer
    from vla_eval.model_servers.serve import serve_async
    from vla_eval.specs import GRIPPER_CLOSE_POS, IMAGE_RGB

    received = Received()

    class Toy(PredictModelServer):
        def get_action_spec(self) -> Any:
            return {"gripper": GRIPPER_CLOSE_POS}

        def get_observation_spec(self) -> Any:
            return {"image": IMAGE_RGB}

        async def on_episode_start(self, config: Any, ctx: Any) -> None:
            received.starts.append(config)
            await super().on_episode_start(config, ctx)

        def predict(self, obs: Any, ctx: Any) -> Any:
            received.observations.append(obs)
            if obs["task_description"] == "fail":
                raise ValueError("no such prompt")
            return {"actions": np.arange(14, dtype=np.float32).reshape(2, 7)}

    ports: list[int] = []
    ready = threading.Event()

    async def run() -> None:
        async with anyio.create_task_group() as group:
            ports.append(await group.start(functools.partial(serve_async, Toy(chunk_size=2), "127.0.0.1", 0)))
            ready.set()

    thread = threading.Thread(target=lambda: anyio.run(run), daemon=True)
    thread.start()
    assert ready.wait(20)
    return ports[0], received


def client(port: int, **settings: Any) -> VlaEval:
    return VlaEval(Reach(Address("127.0.0.1", port), 5.0, 5.0, **settings))


def test_their_server_is_asked(server: Any) -> None:
    port, received = server
    one = client(
        port, handshake={"model_server": "Toy", "action_spec": {"gripper": {"format": "binary_close_positive"}}}
    )
    assert one.open().startswith("vla-eval/Toy/")
    one.begin("pick up the bowl")
    image = np.arange(192, dtype=np.uint8).reshape(8, 8, 3)
    look = Look((image, image[::-1].copy()), 2, np.arange(8.0), "pick up the bowl")
    answers = [np.asarray(one.ask([look], 5.0)[0]) for _ in range(3)]
    assert [answer.tolist() for answer in answers] == [list(range(7)), list(range(7, 14)), list(range(7))]
    one.close()
    assert received.starts[0]["task"] == {"name": "pick up the bowl"}
    assert len(received.observations) == 2, "the server buffers chunks of two"
    assert np.array_equal(received.observations[0]["images"]["agentview"], image)
    assert np.array_equal(received.observations[0]["images"]["wrist"], image[::-1])
    assert received.observations[0]["states"].tolist() == list(range(8))


def test_their_servers_failure_is_a_sentence(server: Any) -> None:
    port, _ = server
    one = client(port)
    one.open()
    one.begin("fail")
    with pytest.raises(PolicyError, match="the policy server failed: observation_failed: ValueError: no such prompt"):
        one.ask([Look((), 0, np.zeros(0), "fail")], 5.0)
    one.close()


def test_another_model_is_refused(server: Any) -> None:
    port, _ = server
    with pytest.raises(GaugeError, match=r"model_server +OFTModelServer +Toy"):
        client(port, handshake={"model_server": "OFTModelServer"}).open()
