"""What the shared policy's process does: build the policy once and answer the workers."""

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from gauge.core.policy import BatchPolicy, Policy, PolicySpec
from gauge.errors import GaugeError
from gauge.rollout.worker import LOG_FORMAT, end_with_parent
from gauge.wire.batch import Meter
from gauge.wire.server import PolicyServer, listening_socket

log = logging.getLogger(__name__)
HOST = "127.0.0.1"


class Ready(NamedTuple):
    """The policy listens."""

    spec: PolicySpec
    identity: str
    port: int


class Failed(NamedTuple):
    """There is no policy; `is_sentence` says that the reason needs no traceback."""

    reason: str
    is_sentence: bool


def serve_shared(
    make: Callable[[], Policy],
    folder: Path,
    max_batch: int | None,
    meter: Meter,
    parent: "Connection[Ready | Failed, None]",
) -> None:
    """Serve the policy of `make` on a free local port until SIGTERM; tell the parent how the start went.

    Ctrl-C is the parent's business, and the process ends with it. What goes wrong is written to the log in `folder`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    logging.basicConfig(filename=folder / "log.txt", format=LOG_FORMAT, level=logging.WARNING, force=True)
    with listening_socket(HOST, 0) as sock:
        try:
            server = PolicyServer(partial(_shareable, make), max_batch, meter)
        except GaugeError as error:
            parent.send(Failed(str(error), is_sentence=True))
        except Exception as error:
            log.exception("the shared policy could not be started")
            reason = f"the shared policy could not be started ({type(error).__name__}: {error})"
            parent.send(Failed(reason, is_sentence=False))
        else:
            parent.send(Ready(server.spec, server.identity, sock.getsockname()[1]))
            parent.close()
            asyncio.run(_serve_until_ended(server, sock))


def _shareable(make: Callable[[], Policy]) -> Policy:
    policy = make()
    if not isinstance(policy, BatchPolicy):
        raise GaugeError(f"{policy.identity} answers one episode at a time; type policy=per_worker")
    return policy


async def _serve_until_ended(server: PolicyServer, sock: socket.socket) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await server.run(sock, stop)
