"""Against openpi's own packages, where somebody installed them.

They declare numpy<2 and run well with numpy 2: `pip install --no-deps openpi-client openpi-server`.
"""

import asyncio
import threading
from typing import Any

import numpy as np
import pytest

from gauge.config import options
from gauge.config.conf_dir import conf_dir
from gauge.config.profiles import ServedModel, profile
from gauge.core.policy import Observation, PolicySpec
from gauge.errors import PolicyError
from gauge.policies.random import RandomPolicy
from gauge.policies.remote import RemotePolicy
from gauge.policies.served.policy import ServedPolicy
from gauge.wire import codec
from gauge.wire.client import Patience
from gauge.wire.server import PolicyServer, listening_socket

pytest.importorskip("openpi_client", reason="pip install --no-deps openpi-client")

CHUNK = np.linspace(-1, 1, 70).reshape(10, 7)


def test_both_codecs_write_the_same_bytes() -> None:
    from openpi_client import msgpack_numpy

    message = {
        "observation/image": np.arange(48, dtype=np.uint8).reshape(4, 4, 3),
        "observation/state": np.linspace(0, 1, 8),
        "prompt": "põe a tigela",
        "step": np.int64(3),
        "flag": np.bool_(True),
    }
    assert codec.encode(message) == msgpack_numpy.packb(message)
    assert np.array_equal(codec.decode(msgpack_numpy.packb(CHUNK)), CHUNK)


def test_openpis_client_is_served() -> None:
    from openpi_client.websocket_client_policy import WebsocketClientPolicy

    with listening_socket("127.0.0.1", 0) as sock:
        server, stop, loop = PolicyServer(RandomPolicy), asyncio.Event(), asyncio.new_event_loop()
        thread = threading.Thread(target=lambda: loop.run_until_complete(server.run(sock, stop)), daemon=True)
        thread.start()
        client = WebsocketClientPolicy("127.0.0.1", sock.getsockname()[1])
        assert client.get_server_metadata()["gauge"]["identity"] == "random/1"
        answers = [client.infer({"prompt": "go"}) for _ in range(3)]
        assert [a["actions"].shape for a in answers] == [(10, 7)] * 3
        assert not np.array_equal(answers[0]["actions"], answers[1]["actions"])
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def test_openpis_server_is_asked() -> None:
    openpi_server = pytest.importorskip("openpi_server", reason="pip install --no-deps openpi-server")
    received: list[dict[str, Any]] = []

    class Policy:
        def infer(self, message: dict[str, Any]) -> dict[str, Any]:
            if message["prompt"] == "fail":
                raise ValueError("no such prompt")
            received.append(message)
            return {"actions": CHUNK}

    with listening_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    server = openpi_server.WebsocketPolicyServer(Policy(), "127.0.0.1", port, {"config": "pi05_libero"})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    image = np.arange(192, dtype=np.uint8).reshape(8, 8, 3)
    remote = RemotePolicy(PolicySpec(image_size=(8, 8), executed=5), port=port, patience=Patience(pause_s=0.1))
    for _ in range(2):
        remote.reset("go", np.random.default_rng(0))
        look = Observation({"agentview": image, "robot0_eye_in_hand": image[::-1]}, np.arange(8.0), "go", 0)
        assert np.array_equal(remote.act(look), CHUNK)
    assert np.array_equal(received[0]["observation/image"], image)
    assert np.array_equal(received[0]["observation/wrist_image"], image[::-1])
    assert received[0]["observation/state"].tolist() == list(range(8))
    assert remote.identity.startswith("openpi/")
    remote.check()
    remote.reset("fail", np.random.default_rng(0))
    with pytest.raises(PolicyError, match="the policy server failed: ValueError: no such prompt"):
        remote.act(Observation(look.images, look.state, "fail", 0))
    remote.close()


def test_openpis_server_is_asked_through_a_profile() -> None:
    openpi_server = pytest.importorskip("openpi_server", reason="pip install --no-deps openpi-server")
    from openpi_client import image_tools

    received: list[dict[str, Any]] = []

    class Policy:
        def infer(self, message: dict[str, Any]) -> dict[str, Any]:
            received.append(message)
            return {"actions": CHUNK}

    with listening_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    server = openpi_server.WebsocketPolicyServer(Policy(), "127.0.0.1", port, {})
    threading.Thread(target=server.serve_forever, daemon=True).start()
    described = profile(options.load("model", "pi05", ServedModel, [conf_dir()]))
    policy = ServedPolicy(described, "127.0.0.1", port, patience=Patience(pause_s=0.1))
    policy.reset("go", np.random.default_rng(0))
    upright = np.random.default_rng(1).integers(0, 256, (256, 256, 3), np.uint8)
    views = {"agentview": upright, "robot0_eye_in_hand": upright}
    assert np.array_equal(policy.act(Observation(views, np.arange(8.0), "go", 0)), CHUNK)
    policy.close()
    raw = upright[::-1]  # as LIBERO hands it out
    theirs = image_tools.resize_with_pad(np.ascontiguousarray(raw[::-1, ::-1]), 224, 224)
    assert np.array_equal(received[0]["observation/image"], theirs), "what openpi's own LIBERO example sends"
    assert policy.identity.startswith("openpi/")
