import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from openpi_peer import OpenpiClient
from websockets.exceptions import ConnectionClosed

from gauge.core.policy import Observation, PolicySpec
from gauge.errors import PolicyError
from gauge.policies.random import RandomPolicy
from gauge.policies.remote import RemotePolicy
from gauge.wire.client import Patience
from gauge.wire.server import listening_socket

BUSY = """
import time
from gauge.policies.noop import NoopPolicy
from gauge.wire.server import serve

class Busy(NoopPolicy):
    def act(self, observation):
        time.sleep(60)

serve(Busy, port=0)
"""


@contextmanager
def started(*command: str, cwd: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server in a process of its own, and its port."""
    process = subprocess.Popen([sys.executable, *command], cwd=cwd, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"port (\d+)", line)
        assert match, line
        yield process, int(match[1])
    finally:
        process.kill()
        process.communicate()


def refused(*arguments: str, cwd: Path) -> str:
    """The one line with which the command ends when it is used wrongly."""
    command = [sys.executable, "-m", "gauge.serve", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    [line] = done.stderr.splitlines()
    return line


def seconds_until_stopped(process: subprocess.Popen[str]) -> float:
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    return time.monotonic() - before


def look() -> Observation:
    return Observation({}, np.zeros(0), "go", 0)


def test_a_model_is_served_and_ctrl_c_stops_it(tmp_path: Path) -> None:
    command = ("-m", "gauge.serve", "model=random", "model.chunk=5", "model.executed=5", "port=0")
    with started(*command, cwd=tmp_path) as (process, port):
        local = RandomPolicy(chunk=5, executed=5)
        remote = RemotePolicy(local.spec, port=port, expect_model="random/1")
        remote.check()
        for policy in (local, remote):
            policy.reset("go", np.random.default_rng(4))
        assert np.array_equal(local.act(look()), remote.act(look()))
        assert seconds_until_stopped(process) < 5
        with pytest.raises(PolicyError, match="was lost"):
            remote.act(look())
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_stops_a_server_that_is_busy(tmp_path: Path) -> None:
    async def interrupt(process: subprocess.Popen[str], port: int) -> float:
        async with OpenpiClient(port) as client:
            answer = asyncio.create_task(client.infer({"prompt": "go"}))
            await asyncio.sleep(0.5)
            seconds = await asyncio.to_thread(seconds_until_stopped, process)
            with pytest.raises(ConnectionClosed):
                await answer
            return seconds

    with started("-c", BUSY, cwd=tmp_path) as (process, port):
        assert asyncio.run(interrupt(process, port)) < 5


def test_a_server_killed_within_an_episode_and_started_again(tmp_path: Path) -> None:
    spec = PolicySpec(cameras=(), state="none")
    command = ("-m", "gauge.serve", "model=noop")
    with started(*command, "port=0", cwd=tmp_path) as (process, port):
        remote = RemotePolicy(spec, port=port, patience=Patience(attempts=10, pause_s=0.25))
        remote.check()
        remote.reset("go", np.random.default_rng(0))
        remote.act(look())
        process.kill()
        process.wait()
        with pytest.raises(PolicyError, match="was lost"):
            remote.act(look())
    with started(*command, f"port={port}", cwd=tmp_path):
        remote.reset("go", np.random.default_rng(0))
        assert remote.act(look()).shape == (10, 7)


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with listening_socket("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        assert refused(f"port={port}", cwd=tmp_path) == (
            f"error: port {port} on 127.0.0.1 is in use; choose another, or port=0 for a free one"
        )


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("model=nop", "error: unknown model option 'nop'; did you mean noop"),
        ("model=remote", "error: model=remote is served already"),
        ("port=70000", "error: port must be 0 to 65535, not 70000"),
        ("prot=8", "error: unknown key 'prot'; did you mean port"),
        ("policy_batch=0", "error: policy_batch must be at least 1, or null for no limit, not 0"),
        ("port=abc", "error: .*'abc'.*Integer"),
    ],
)
def test_a_wrong_command_is_one_sentence(argument: str, reason: str, tmp_path: Path) -> None:
    assert re.match(reason, refused(argument, cwd=tmp_path))
