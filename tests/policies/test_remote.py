import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from openpi_peer import HANG_UP, OpenpiServer

from gauge.core.policy import Observation, PolicySpec, checked_chunk
from gauge.errors import GaugeError, PolicyError
from gauge.policies.remote import RemotePolicy
from gauge.wire.client import Patience

SPEC = PolicySpec(image_size=(8, 6), chunk=4, executed=2)
CHUNK = np.linspace(-1, 1, 28).reshape(4, 7)
OBJECTS = b"\x81\xa7actions\x83\xc4\x0b__ndarray__\xc3\xc4\x05dtype\xa2|O\xc4\x04data\xc4\x00"
RNG = np.random.default_rng(0)

Start = Callable[..., OpenpiServer]


def four_corners() -> np.ndarray:
    """Red top left, green top right, blue bottom left, white bottom right."""
    image = np.zeros((8, 6, 3), dtype=np.uint8)
    image[0, 0], image[0, -1], image[-1, 0], image[-1, -1] = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    return image


def look(instruction: str = "put the bowl on the plate", step: int = 0) -> Observation:
    views = {"agentview": four_corners(), "robot0_eye_in_hand": four_corners()[::-1]}
    return Observation(views, np.arange(8) / 7, instruction, step)


def policy(server: OpenpiServer, **settings: Any) -> RemotePolicy:
    fast = {
        "attempts": 3,
        "pause_s": 0.05,
        "connect_timeout_s": 2.0,
        "call_timeout_s": 2.0,
        "first_call_timeout_s": 2.0,
    }
    waits = {key: settings.pop(key, value) for key, value in fast.items()}
    return RemotePolicy(**({"spec": SPEC, "port": server.port, "patience": Patience(**waits)} | settings))


def constant(_: dict[str, Any]) -> dict[str, Any]:
    return {"actions": CHUNK}


@pytest.fixture
def start() -> Iterator[Start]:
    servers: list[OpenpiServer] = []

    def make(
        infer: Callable[[dict[str, Any]], Any] = lambda _: {"actions": CHUNK}, *args: Any, **kw: Any
    ) -> OpenpiServer:
        servers.append(OpenpiServer(infer, *args, **kw))
        return servers[-1].__enter__()

    yield make
    for server in servers:
        server.stop()


def declare(identity: str = "mine/1", **changes: Any) -> dict[str, Any]:
    spec = SPEC.to_json() | changes
    return {"gauge": {"protocol": 1, "identity": identity, "spec": spec, "session": "s"}}


def test_the_observation_arrives_byte_for_byte(start: Start) -> None:
    server = start()
    remote = policy(server)
    instruction = "põe a tigela no prato ünd ß ... 把碗放在盘子上"
    remote.reset(instruction, RNG)
    actions = remote.act(look(instruction))
    [message] = server.received
    assert list(message) == ["observation/image", "observation/wrist_image", "observation/state", "prompt"]
    for key, sent in [("observation/image", four_corners()), ("observation/wrist_image", four_corners()[::-1])]:
        assert message[key].dtype == np.uint8
        assert message[key].shape == (8, 6, 3)
        assert message[key].tobytes() == sent.tobytes()
    assert message["observation/state"].dtype == np.float64
    assert message["observation/state"].tolist() == (np.arange(8) / 7).tolist()
    assert message["prompt"].encode() == instruction.encode()
    assert np.array_equal(actions, CHUNK)


def test_a_spec_without_eyes_sends_only_the_prompt(start: Start) -> None:
    server = start()
    remote = policy(server, spec=PolicySpec(cameras=(), state="none", chunk=4, executed=4))
    remote.reset("go", RNG)
    remote.act(look("go"))
    assert server.received == [{"prompt": "go"}]


def test_keys_can_be_renamed(start: Start) -> None:
    server = start()
    remote = policy(server, keys={"agentview": "image", "prompt": "task"})
    remote.reset("go", RNG)
    remote.act(look("go"))
    assert list(server.received[0]) == ["image", "observation/wrist_image", "observation/state", "task"]
    with pytest.raises(GaugeError, match=r"'agentveiw'; did you mean agentview"):
        policy(server, keys={"agentveiw": "image"})


def test_the_api_key_is_sent_as_openpi_sends_it(start: Start) -> None:
    server = start()
    policy(server, api_key="secret").check()
    assert server.paths == ["/healthz", "/"]
    assert server.headers == ["Api-Key secret"] * 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"actions": np.full((4, 7), np.nan)}, "NaN"),
        ({"actions": np.zeros((4, 6))}, r"shape \[4, 6\]"),
        ({"actions": np.zeros((1, 7))}, "holds 1 actions"),
        ({"actions": np.zeros((0, 7))}, "holds 0 actions"),
        ({"actions": np.zeros(0)}, r"shape \[0\]"),
        ({"actions": []}, r"shape \[0\]"),
        ({"actions": [[0.0] * 7, [0.0] * 6]}, "no array of numbers"),
        ({"actions": "1.0"}, "are str"),
        ({"actions": None}, "are NoneType"),
        ({"action": CHUNK}, r"no entry 'actions'; it holds \['action'\]"),
        (b"\x93\x01\x02\x03", "it holds list"),
        (b"\xc1", "not valid"),
        (b"", "not valid"),
        (
            b"\x81\xa7actions\x83\xc4\x0b__ndarray__\xc3\xc4\x05dtype\xa2|O\xc4\x04data\xc4\x00",
            "dtype '|O' is not part",
        ),
        (
            "Traceback (most recent call last):\n  ...\nValueError: no such camera",
            "failed: ValueError: no such camera$",
        ),
        ("", "empty text"),
        pytest.param(HANG_UP, "was lost", id="hang up"),
    ],
    ids=lambda v: str(v)[:40].replace("\n", " "),
)
def test_a_bad_answer_ends_the_episode_in_one_sentence_and_the_next_starts_well(
    start: Start, answer: Any, reason: str
) -> None:
    answers = [answer, {"actions": CHUNK}]
    server = start(lambda _: answers.pop(0))
    remote = policy(server)
    remote.reset("go", RNG)
    with pytest.raises(PolicyError, match=reason) as fault:
        checked_chunk(remote.act(look()), SPEC)
    assert "\n" not in str(fault.value)
    remote.reset("go", RNG)
    assert np.array_equal(remote.act(look()), CHUNK)


def test_a_list_of_numbers_is_an_answer_too(start: Start) -> None:
    remote = policy(start(lambda _: {"actions": CHUNK.tolist()}))
    remote.reset("go", RNG)
    assert np.array_equal(remote.act(look()), CHUNK)


def test_an_exception_in_the_server_is_reported_and_logged(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    def infer(message: dict[str, Any]) -> Any:
        raise KeyError("observation/image2")

    remote = policy(start(infer))
    remote.reset("go", RNG)
    with pytest.raises(PolicyError, match=r"^the policy server failed: KeyError: 'observation/image2'$"):
        remote.act(look())
    assert "Traceback (most recent call last)" in caplog.text


def test_the_first_call_may_take_long_and_later_calls_may_not(start: Start) -> None:
    sleeps = [1.5, 0.0, 1.5]

    def infer(message: dict[str, Any]) -> Any:
        time.sleep(sleeps.pop(0))
        return {"actions": CHUNK}

    server = start(infer)
    remote = policy(server, first_call_timeout_s=20.0, call_timeout_s=1.0)
    remote.reset("go", RNG)
    remote.act(look())
    remote.reset("go", RNG)
    remote.act(look())
    before = time.monotonic()
    with pytest.raises(PolicyError, match=r"no answer within 1 s"):
        remote.act(look())
    assert time.monotonic() - before < 5


def test_the_servers_heartbeats_are_answered_while_the_simulator_is_busy(start: Start) -> None:
    server = start(ping_interval=0.1, ping_timeout=0.6)
    remote = policy(server)
    remote.reset("go", RNG)
    time.sleep(1.0)
    remote.act(look())
    time.sleep(1.0)
    remote.act(look())
    assert server.connections == 1


def test_a_quiet_connection_lasts(start: Start) -> None:
    server = start()
    remote = policy(server, connect_timeout_s=1.0, call_timeout_s=1.0)
    remote.reset("go", RNG)
    time.sleep(1.5)
    remote.act(look())
    assert server.connections == 1


@pytest.mark.slow
def test_a_first_call_of_45_seconds_on_the_servers_event_loop(start: Start) -> None:
    sleeps = [45.0, 2.0]

    def infer(message: dict[str, Any]) -> Any:
        time.sleep(sleeps.pop(0))
        return {"actions": CHUNK}

    remote = policy(start(infer), first_call_timeout_s=120.0, call_timeout_s=30.0)
    remote.reset("go", RNG)
    remote.act(look())
    assert np.array_equal(remote.act(look()), CHUNK)


def test_a_server_that_stops_reading_is_noticed(start: Start) -> None:
    server = start()
    released = threading.Event()
    server.after_metadata = lambda: released.wait(9)
    remote = policy(server, call_timeout_s=0.3)
    remote.reset("go", RNG)
    big = np.zeros((2600, 2600, 3), dtype=np.uint8)
    before = time.monotonic()
    with pytest.raises(PolicyError, match="was lost"):
        remote.act(Observation({"agentview": big, "robot0_eye_in_hand": big}, np.zeros(8), "go", 0))
    assert time.monotonic() - before < 6
    released.set()


def test_a_killed_server_ends_the_episode_and_the_next_one_starts_anew(start: Start) -> None:
    def numbered(number: int) -> Callable[[dict[str, Any]], Any]:
        return lambda _: {"actions": np.full((4, 7), number)}

    first = start(numbered(1))
    remote = policy(first, attempts=8, pause_s=0.1)
    remote.check()
    remote.reset("go", RNG)
    assert remote.act(look())[0, 0] == 1
    first.stop()
    with pytest.raises(PolicyError, match="was lost"):
        remote.act(look())
    with pytest.raises(PolicyError, match="must be started anew"):
        remote.act(look())
    second = start(numbered(2), port=first.port)
    with pytest.raises(PolicyError, match="must be started anew"):
        remote.act(look())
    remote.reset("go", RNG)
    assert remote.act(look())[0, 0] == 2
    assert len(second.received) == 1


def test_reset_waits_a_bounded_time_for_a_server_to_come_back(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start()
    remote = policy(server, attempts=4, pause_s=3.0)
    server.stop()
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    with pytest.raises(PolicyError, match=r"no policy server answers at ws://127.0.0.1:.*refused"):
        remote.reset("go", RNG)
    assert pauses == [3.0, 6.0, 8.0]


def test_another_server_behind_the_same_port_is_refused(start: Start) -> None:
    first = start(metadata=declare("mine/1"))
    remote = policy(first)
    remote.check()
    assert remote.identity == "mine/1"
    first.stop()
    second = start(metadata=declare("theirs/1"), port=first.port)
    with pytest.raises(PolicyError, match=r"answers as theirs/1, but this run evaluates mine/1.*port of its own"):
        remote.reset("go", RNG)
    with pytest.raises(PolicyError, match="must be started anew"):
        remote.act(look())
    assert second.received == []


def test_the_expected_model_is_demanded(start: Start) -> None:
    server = start(metadata=declare("mine/1"))
    policy(server, expect_model="mine/1").check()
    with pytest.raises(GaugeError, match="answers as mine/1, but this run evaluates mine/2"):
        policy(server, expect_model="mine/2").check()


def test_a_plain_server_is_known_by_its_metadata(start: Start) -> None:
    one, same, other = policy(start()), policy(start()), policy(start(metadata={"model": "other"}))
    for remote in (one, same, other):
        remote.check()
    assert one.identity == same.identity != other.identity
    assert one.identity.startswith("openpi/")


def test_a_server_of_gauge_is_told_of_the_reset_and_the_step(start: Start) -> None:
    server = start(lambda m: {"actions": CHUNK} if "prompt" in m else {"gauge/reset": True}, metadata=declare())
    remote = policy(server)
    remote.reset("go", np.random.default_rng(5))
    remote.act(look("go", step=20))
    reset, observation = server.received
    assert reset["gauge/reset"]["prompt"] == "go"
    assert observation["gauge/step"] == 20


def test_every_difference_of_the_specs_is_shown(start: Start) -> None:
    other = declare(orientation="mirrored", image_size=[224, 224], gripper="open_positive", executed=4, depth=True)
    server = start(metadata=other)
    with pytest.raises(GaugeError) as fault:
        policy(server).check()
    assert str(fault.value).splitlines()[1:-1] == [
        "  field        profile         server",
        "  image_size   8, 6            224, 224",
        "  orientation  upright         mirrored",
        "  gripper      close_positive  open_positive",
        "  depth        not declared    True",
    ]
    assert not isinstance(fault.value, PolicyError)


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        (b"\xc1", "no openpi message"),
        (b"\x93\x01\x02\x03", "first message is a list"),
        ("hello", "first message is text"),
        ({"gauge": {"protocol": 2}}, "speaks gauge protocol 2"),
        ({"gauge": 7}, "speaks gauge protocol None"),
        ({"gauge": {"protocol": 1}}, "lack a well-formed"),
        (declare(cameras=np.zeros(2)), "cameras"),
        (declare(cameras=[np.zeros(2)]), "cameras"),
    ],
    ids=lambda v: str(v)[:30],
)
def test_a_server_that_is_no_policy_server_is_refused(start: Start, metadata: Any, reason: str) -> None:
    with pytest.raises(GaugeError, match=reason):
        policy(start(metadata=metadata)).check()


def test_the_health_check_is_used_where_it_is_offered(start: Start) -> None:
    server = start()
    server.healthz = None
    policy(server).check()
    server.healthz = 503
    with pytest.raises(GaugeError, match="not healthy"):
        policy(server).check()


def test_nobody_there_is_one_sentence_at_once() -> None:
    before = time.monotonic()
    with pytest.raises(GaugeError, match=r"no policy server answers at ws://127.0.0.1:9 \(connection refused\)"):
        RemotePolicy(SPEC, port=9).check()
    assert time.monotonic() - before < 4


def test_an_unknown_host_is_one_sentence() -> None:
    for host in ("no-such-host.invalid", "x" * 300):
        with pytest.raises(GaugeError, match="no policy server answers"):
            RemotePolicy(SPEC, host=host).check()


def test_a_web_proxy_of_the_environment_is_not_used(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    policy(start()).check()


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(GaugeError, match="privileged"):
        RemotePolicy(PolicySpec(privileged=True))
    with pytest.raises(GaugeError, match="attempts"):
        Patience(attempts=0)
    for host, port in [("[", 8000), ("", 8000), ("http://localhost", 8000), ("localhost", 0), ("localhost", 70000)]:
        with pytest.raises(GaugeError, match="is no address of a policy server"):
            RemotePolicy(SPEC, host=host, port=port)
    for host in ("localhost", "::1", "127.0.0.1", "ws://localhost", "wss://policies.example.org"):
        RemotePolicy(SPEC, host=host)
