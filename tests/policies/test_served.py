"""Every protocol against a server written from its published messages, through whole profiles."""

import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from policy_peers import ActPeer, Evo1Peer, Gr00tPeer, RoboArenaPeer, VlaEvalPeer, json_numpy_loads

from gauge.config import options
from gauge.config.conf_dir import conf_dir
from gauge.config.items import plain
from gauge.config.profiles import ServedModel, profile
from gauge.core.policy import Observation, checked_chunk
from gauge.errors import GaugeError, PolicyError
from gauge.policies.served.policy import ServedBatchPolicy, ServedPolicy
from gauge.wire.client import Patience

RNG = np.random.default_rng(0)
FAST = {"connect_timeout_s": 5.0, "first_call_timeout_s": 20.0, "call_timeout_s": 20.0, "attempts": 1, "pause_s": 0.01}


def served(name: str, port: int, *, batch: bool = False, protocol: str = "", **settings: Any) -> Any:
    model = options.load("model", name, ServedModel, [conf_dir()])
    if protocol:
        model.protocol = protocol
    model.handshake = settings.pop("handshake", plain(model, "handshake"))
    model.input.render = settings.pop("render", plain(model.input, "render"))
    constants = plain(model, "constants")
    cls = ServedBatchPolicy if batch else ServedPolicy
    patience = Patience(**{key: settings.pop(key, value) for key, value in FAST.items()})
    return cls(profile(model), "127.0.0.1", port, constants, patience=patience, **settings)


def look(policy: Any, instruction: str = "Pick up the Bowl") -> Observation:
    """An upright frame with four corners of their own colour: red, green above; blue, white below."""
    size = policy.spec.image_size
    frame = np.zeros((*size, 3), np.uint8)
    half, width = size[0] // 2, size[1] // 2
    frame[:half, :width, 0], frame[:half, width:, 1], frame[half:, :width, 2] = 255, 255, 255
    frame[half:, width:] = 255
    images = dict.fromkeys(policy.spec.cameras, frame)
    sizes = {"none": 0, "eef_pos_axis_angle_gripper": 8, "controller_pose_rot6d": 9}
    return Observation(images, np.arange(1.0, 1 + sizes[policy.spec.state]), instruction, 0)


def corners(image: Any) -> list[str]:
    """The colours of the corners: above left and right, below left and right."""
    image = np.asarray(image, dtype=np.uint8)
    names = {(1, 0, 0): "red", (0, 1, 0): "green", (0, 0, 1): "blue", (1, 1, 1): "white", (0, 0, 0): "black"}
    places = [(5, 5), (5, -5), (-5, 5), (-5, -5)]
    return [names[tuple(int(v) for v in image[place] > 127)] for place in places]


MIRRORED, FLIPPED = ["green", "red", "white", "blue"], ["blue", "white", "red", "green"]


def asked(policy: Any, instruction: str = "Pick up the Bowl") -> np.ndarray:
    policy.check()
    policy.reset(instruction, RNG)
    chunk = policy.act(look(policy, instruction))
    policy.close()
    return checked_chunk(chunk, policy.spec)


def test_evo1() -> None:
    answer = [[0.1 * k for k in range(6)] + [0.9 if row % 2 else 0.1] + [0.0] * 17 for row in range(20)]
    with Evo1Peer(lambda message: answer) as peer:
        chunk = asked(served("evo1", peer.port))
    (message,) = peer.received
    assert [corners(image) for image in message["image"]] == [MIRRORED, MIRRORED, ["black"] * 4]
    assert np.shape(message["image"]) == (3, 448, 448, 3)
    assert message["state"] == list(range(1, 9))
    assert message["prompt"] == "Pick up the Bowl"
    assert message["image_mask"] == [1, 1, 0]
    assert message["action_mask"] == [1] * 7 + [0] * 17
    assert chunk.shape == (14, 7)
    assert chunk[:2, 6].tolist() == [1.0, -1.0]  # 0.1 is closed, 0.9 is open: the environment closes on +1
    assert np.allclose(chunk[0, :6], [0, 0.1, 0.2, 0.3, 0.4, 0.5])


def test_roboarena() -> None:
    with RoboArenaPeer(lambda message: np.full((10, 7), 0.25)) as peer:
        peer.config = {**peer.config, "image_resolution": [224, 224]}
        chunk = asked(served("pi05", peer.port, protocol="roboarena"))
    reset, message = peer.received
    assert reset["endpoint"] == "reset"
    assert message["endpoint"] == "infer"
    assert corners(message["observation/image"]) == MIRRORED
    assert message["observation/image"].shape == (224, 224, 3)
    assert message["prompt"] == "Pick up the Bowl"
    assert len(message["session_id"]) == 36
    assert chunk.shape == (5, 7)
    assert np.allclose(chunk, 0.25)


def test_roboarenas_config_is_held_against_the_profile() -> None:
    with RoboArenaPeer(lambda message: np.zeros((10, 7))) as peer:
        with pytest.raises(GaugeError, match=r"image_resolution +224, 224 +8, 8"):
            served("pi05", peer.port, protocol="roboarena").check()
        peer.config = {"plain": True}
        with pytest.raises(GaugeError, match="sent no RoboArena config"):
            served("pi05", peer.port, protocol="roboarena").check()


def test_vla_eval() -> None:
    with VlaEvalPeer(lambda payload: np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.9], np.float32)) as peer:
        chunk = asked(served("ript_vla", peer.port))
    kinds = [message["type"] for message in peer.received]
    assert kinds == ["hello", "hello", "episode_start", "observation"]
    payload = peer.received[-1]["payload"]
    assert {name: corners(image) for name, image in payload["images"].items()} == {
        "agentview": MIRRORED,
        "wrist": MIRRORED,
    }
    assert payload["images"]["agentview"].shape == (256, 256, 3)
    assert payload["states"].tolist() == list(range(1, 9))
    assert payload["task_description"] == "Pick up the Bowl"
    assert chunk.shape == (1, 7)
    assert chunk[0, 6] == -1.0


def test_vla_evals_greeting_is_held_against_the_profile() -> None:
    with VlaEvalPeer(lambda payload: np.zeros(7)) as peer:
        with pytest.raises(GaugeError, match=r"model_server +OFTModelServer +Toy\n +action_spec"):
            served("openvla_oft", peer.port).check()
        peer.hello = {**peer.hello, "protocol_version": 2}
        with pytest.raises(GaugeError, match="vla-eval protocol 2; this gauge speaks 1"):
            served("ript_vla", peer.port).check()


def test_vla_evals_errors_end_the_episode_with_a_sentence() -> None:
    with VlaEvalPeer(lambda payload: "observation_failed: ValueError: no such prompt") as peer:
        policy = served("ript_vla", peer.port)
        policy.reset("go", RNG)
        with pytest.raises(PolicyError, match="the policy server failed: observation_failed: ValueError: no such"):
            policy.act(look(policy))
        with pytest.raises(PolicyError, match="there is no connection"):
            policy.act(look(policy))


def n15(data: Any, rows: int = 16) -> Any:
    assert data["video.image"].dtype == np.uint8
    count = data["video.image"].shape[:-4]
    offset = np.zeros((*count, rows)) + (np.arange(*count)[:, None] if count else 0)
    parts = {f"action.{axis}": offset + k for k, axis in enumerate(("x", "y", "z", "roll", "pitch", "yaw"))}
    return {**parts, "action.gripper": np.full((*count, rows, 1), 0.9)}


def test_gr00t_n1_5() -> None:
    with Gr00tPeer(n15) as peer:
        chunk = asked(served("gr00t_n1_5", peer.port, batch=True))
    data = peer.received[-1]["data"]
    assert data["video.image"].shape == (1, 256, 256, 3)
    assert corners(data["video.image"][0]) == corners(data["video.wrist_image"][0]) == MIRRORED
    state = [data[f"state.{name}"].tolist() for name in ("x", "y", "z", "roll", "pitch", "yaw", "gripper")]
    assert state == [[[1]], [[2]], [[3]], [[4]], [[5]], [[6]], [[7, 8]]]
    assert data["annotation.human.action.task_description"] == ["Pick up the Bowl"]
    assert chunk.tolist() == [[0, 1, 2, 3, 4, 5, -1]]


def test_gr00t_answers_several_environments_in_one_request() -> None:
    with Gr00tPeer(n15) as peer:
        policy = served("gr00t_n1_5", peer.port, batch=True)
        states = [policy.begin(text, RNG) for text in ("a", "b", "c")]
        chunks = policy.act_batch(states, [look(policy, text) for text in ("a", "b", "c")])
        policy.close()
    requests = [request for request in peer.received if request["endpoint"] == "get_action"]
    assert len(requests) == 1
    assert requests[0]["data"]["video.image"].shape == (3, 1, 256, 256, 3)
    assert requests[0]["data"]["state.x"].shape == (3, 1, 1)
    assert [chunk[0, 0] for chunk in chunks] == [0, 1, 2]
    assert [chunk.shape for chunk in chunks] == [(16, 7)] * 3


def test_gr00t_n1_6() -> None:
    def infer(data: Any) -> Any:
        count = len(data["observation"]["video"]["image"])
        axes = ("x", "y", "z", "roll", "pitch", "yaw", "gripper")
        return [{axis: np.full((count, 16, 1), float(k), np.float32) for k, axis in enumerate(axes)}, {"info": 1}]

    with Gr00tPeer(infer) as peer:
        policy = served("gr00t_n1_5", peer.port, batch=True, protocol="gr00t_n1_6")
        policy.begin("a", RNG)
        chunks = policy.act_batch([None, None], [look(policy, "a"), look(policy, "b")])
        policy.close()
    assert [request["endpoint"] for request in peer.received][-2:] == ["reset", "get_action"]
    data = peer.received[-1]["data"]
    observation = data["observation"]
    assert data["options"] is None
    assert observation["video"]["image"].shape == (2, 1, 256, 256, 3)
    assert observation["state"]["gripper"].shape == (2, 1, 2)
    assert observation["state"]["gripper"].dtype == np.float32
    assert observation["language"] == {"annotation.human.action.task_description": [["a"], ["b"]]}
    assert chunks[1][0].tolist() == [0, 1, 2, 3, 4, 5, -1]


def test_gr00ts_modalities_are_held_against_the_profile() -> None:
    with Gr00tPeer(n15) as peer:
        peer.modalities = {"video": {"modality_keys": ["video.ego"]}}
        with pytest.raises(GaugeError, match=r"video +video\.image, video\.wrist_image +video\.ego"):
            served("gr00t_n1_5", peer.port, batch=True).check()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    monkeypatch.delitem(sys.modules, "gauge.wire.dialects.gr00t", raising=False)
    with pytest.raises(GaugeError, match=r"pip install 'gauge\[gr00t\]'"):
        served("gr00t_n1_5", 5555, batch=True)


def test_gr00ts_errors_are_told() -> None:
    with Gr00tPeer(lambda data: {"error": "out of memory"}) as peer:
        policy = served("gr00t_n1_5", peer.port, batch=True)
        policy.reset("go", RNG)
        with pytest.raises(PolicyError, match="the policy server failed: out of memory"):
            policy.act(look(policy))
        peer.infer = lambda data: {"action.x": np.zeros(16)}
        with pytest.raises(PolicyError, match=r"lacks action.y, .*; is it another model"):
            policy.act(look(policy))


def test_openvla() -> None:
    with ActPeer(lambda body: [0.1, 0, 0, 0, 0, 0, 0.2]) as peer:
        chunk = asked(served("openvla", peer.port))
    (body,) = peer.received
    assert set(body) == {"image", "instruction", "unnorm_key"}
    assert body["image"].shape == (224, 224, 3)
    assert corners(body["image"]) == MIRRORED
    assert body["instruction"] == "Pick up the Bowl"
    assert body["unnorm_key"] == "libero_spatial"
    assert chunk.tolist() == [[0.1, 0, 0, 0, 0, 0, 1.0]]


def test_xvla() -> None:
    row = [0.1, 0.2, 1.1, *[0, 1, 0], *[-1, 0, 0], 0.8, *[0] * 10]  # a quarter turn about z
    with ActPeer(lambda body: {"action": [row] * 30}) as peer:
        policy = served("xvla", peer.port)
        chunk = asked(policy)
    (body,) = peer.received
    assert body["domain_id"] == 3
    assert json_numpy_loads(body["proprio"]).tolist() == [*range(1, 10), *[0.0] * 11]
    assert corners(json_numpy_loads(body["image0"])) == MIRRORED
    assert corners(json_numpy_loads(body["image1"])) == FLIPPED  # its wrist picture is not turned
    assert policy.spec.action == "osc_absolute"
    assert chunk.shape == (30, 7)
    assert np.allclose(chunk[0], [0.1, 0.2, 1.1, 0, 0, np.pi / 2, 1.0])


def test_what_an_http_server_may_do_wrong() -> None:
    with ActPeer(lambda body: "error") as peer:
        policy = served("openvla", peer.port)
        policy.reset("go", RNG)
        for infer, message in [
            (lambda body: "error", "it answered 'error'"),
            (lambda body: 500, "HTTP 500"),
            (lambda body: {"actions": 1}, "no array of numbers|has shape"),
            (lambda body: [[0.0] * 20] * 30, r"has shape \[30, 20\], the profile says \[1, 7 or more\]: is it another"),
            (lambda body: [float("nan")] * 7, "NaN or infinity"),
        ]:
            peer.infer = infer
            policy.reset("go", RNG)
            with pytest.raises(PolicyError, match=message):
                policy.act(look(policy))
        peer.openapi = {"paths": {"/predict": {}}}
        with pytest.raises(GaugeError, match="offers /predict, but no /act"):
            policy.check()


ALL: list[tuple[str, Callable[[Any], Any], Any]] = [
    ("evo1", Evo1Peer, [[0.0] * 24] * 14),
    ("ript_vla", VlaEvalPeer, np.zeros(7)),
    ("openvla", ActPeer, [0.0] * 7),
]


@pytest.mark.parametrize(("name", "peer", "answer"), ALL, ids=lambda value: value if isinstance(value, str) else "")
def test_a_slow_first_call_is_waited_for_and_a_slow_later_one_is_not(name: str, peer: Any, answer: Any) -> None:
    def slow(message: Any) -> Any:
        time.sleep(0.6)
        return answer

    with peer(slow) as server:
        policy = served(name, server.port, call_timeout_s=0.3, render=[32, 32])
        policy.reset("go", RNG)
        policy.act(look(policy))
        with pytest.raises(PolicyError, match=r"gave no answer within 0\.3 s"):
            policy.act(look(policy))
        assert not policy.lost


def test_a_slow_gr00t_is_given_up_and_asked_anew() -> None:
    def slow(data: Any) -> Any:
        time.sleep(2.0)
        return n15(data)

    with Gr00tPeer(slow) as peer:
        policy = served("gr00t_n1_5", peer.port, batch=True, call_timeout_s=1.2, render=[32, 32])
        policy.reset("go", RNG)
        policy.act(look(policy))
        with pytest.raises(PolicyError, match=r"gave no answer within 1\.2 s"):
            policy.act(look(policy))
        peer.infer = n15
        time.sleep(1.5)
        assert policy.act(look(policy)).shape == (16, 7)
        policy.close()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.mark.parametrize("name", ["evo1", "ript_vla", "openvla", "xvla", "gr00t_n1_5", "pi05"])
def test_nobody_there_is_one_sentence_and_a_reason_to_try_again(name: str) -> None:
    policy = served(name, free_port(), batch=name == "gr00t_n1_5", attempts=2, connect_timeout_s=0.2)
    with pytest.raises(GaugeError, match=r"no (policy|GR00T) server answers at .*gauge.models show NAME"):
        policy.check()
    with pytest.raises(PolicyError, match="answers at"):
        policy.reset("go", RNG)
    assert policy.lost


def test_a_server_that_comes_back_is_waited_for() -> None:
    with ActPeer(lambda body: [0.0] * 7) as peer:
        policy = served("openvla", peer.port, attempts=3)
        policy.reset("go", RNG)
        policy.act(look(policy))
    with pytest.raises(PolicyError, match="lost"):
        policy.act(look(policy))
    assert policy.lost


def test_another_model_on_the_same_port_is_refused() -> None:
    with VlaEvalPeer(lambda payload: np.zeros(7)) as peer:
        policy = served("ript_vla", peer.port)
        policy.reset("go", RNG)
        first = policy.identity
        assert first.startswith("vla-eval/Toy/")
        peer.hello = {**peer.hello, "model_server": "Other"}
        with pytest.raises(PolicyError, match=f"answers as vla-eval/Other/.*this run evaluates {first}"):
            policy.reset("go", RNG)
        with pytest.raises(GaugeError, match="this run evaluates mine/1; give every run a port of its own"):
            served("ript_vla", peer.port, expect_model="mine/1").check()


def test_a_server_of_another_protocol_is_told_apart() -> None:
    with Evo1Peer(lambda message: [[0.0] * 24] * 14) as evo:
        with pytest.raises(GaugeError):
            served("pi05", evo.port, connect_timeout_s=0.3).check()
        with pytest.raises(GaugeError):
            served("ript_vla", evo.port, connect_timeout_s=0.3).check()
    with VlaEvalPeer(lambda payload: np.zeros(7)) as peer:
        policy = served("evo1", peer.port)
        policy.reset("go", RNG)
        with pytest.raises(PolicyError):
            policy.act(look(policy))


def test_pickled_arrays_are_refused() -> None:
    import pickle

    with Gr00tPeer(lambda data: n15(data)) as peer:
        policy = served("gr00t_n1_5", peer.port, batch=True)
        policy.reset("go", RNG)
        output = pickle.dumps({"action.x": 1})
        peer.infer = lambda data: {"action.x": {"__ndarray_class__": True, "as_npy": output}}
        with pytest.raises(PolicyError, match="the policy server's answer is not valid"):
            policy.act(look(policy))
    with ActPeer(lambda body: {"__numpy__": "AAAA", "dtype": "|O8", "shape": [1]}) as web:
        policy = served("openvla", web.port)
        policy.reset("go", RNG)
        with pytest.raises(GaugeError, match="dtype"):
            policy.act(look(policy))
