"""Serves any local policy over openpi's websocket protocol (`src/openpi/serving/websocket_policy_server.py`)."""

import asyncio
import errno
import logging
import secrets
import signal
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as serve_websocket
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from gauge.core.policy import Policy
from gauge.errors import GaugeError
from gauge.wire.codec import MAX_MESSAGE_BYTES, decode, encode
from gauge.wire.handshake import metadata
from gauge.wire.session import Session
from gauge.wire.worker import Worker

STOP_PATIENCE_S = 1.0

T = TypeVar("T")
logger = logging.getLogger(__name__)


def serve(factory: Callable[[], Policy], host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve policies of `factory` until Ctrl-C or SIGTERM; `port=0` picks a free port and prints it.

    Args:
        factory: makes a policy; called once at the start and again when clients are served at the same
            time, so it should share whatever is large between the policies it makes.
        host: address to listen on; `0.0.0.0` lets other machines connect. There is no authentication.
        port: TCP port.

    Raises:
        GaugeError: the port cannot be used, or the policy is privileged.
    """
    with listening_socket(host, port) as sock:
        asyncio.run(_serve_until_signalled(PolicyServer(factory), sock))


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to the address, so that a port in use is found before a policy is loaded.

    Raises:
        GaugeError: the address cannot be used.
    """
    if not 0 <= port <= 65535:
        raise GaugeError(f"port must be 0 to 65535, not {port}; port=0 picks a free one")
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen()
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise GaugeError(f"port {port} on {host} is in use; choose another, or port=0 for a free one") from error
        raise GaugeError(f"cannot listen on {host} port {port}: {error.strerror}") from error
    return sock


class PolicyServer:
    """The policies behind one address; every connection has one of its own for as long as it lasts.

    1. On connect the server sends its metadata (identity and spec).
    2. With a client's first message it leases an idle policy, or makes another.
    3. Every message is handled on one worker thread, so heartbeats are answered during inference.
    4. An exception is sent as a text frame with its traceback, then the connection is closed with 1011.
    5. When the client has left, its policy is idle again; one that failed on its own is thrown away.
    """

    def __init__(self, factory: Callable[[], Policy]) -> None:
        """Make the first policy.

        Raises:
            GaugeError: the policy is privileged.
        """
        self._factory = factory
        self._worker = Worker()
        policy = self._worker.submit(factory).result()
        self._idle = [policy]
        self.identity = policy.identity
        if policy.spec.privileged:
            raise GaugeError(f"{policy.identity} reads the simulator's state and cannot be served; run it locally")
        self._metadata = encode(metadata(policy.identity, policy.spec, secrets.token_hex(8)))

    async def run(self, sock: socket.socket, stop: asyncio.Event) -> None:
        """Serve on `sock` until `stop` is set; clients that are still connected are then sent away."""
        server = await serve_websocket(
            self._converse,
            sock=sock,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            process_request=_answer_health_check,
            # A client's simulator may be busy for long; only a broken connection ends it, never a late pong.
            ping_timeout=None,
        )
        await stop.wait()
        await self._shut(server)

    async def _shut(self, server: Server) -> None:
        """Close what can be closed within `STOP_PATIENCE_S` each; a busy policy dies with the process."""
        server.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(server.wait_closed(), STOP_PATIENCE_S)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._call(self._close_idle), STOP_PATIENCE_S)

    async def _converse(self, connection: ServerConnection) -> None:
        """Serve one client until it leaves."""
        policy: Policy | None = None
        try:
            await connection.send(self._metadata)
            first = await connection.recv()
            policy = await self._call(self._lease)
            await self._answer_all(connection, Session(policy), first)
        except ConnectionClosed:
            self._release(policy)
        except GaugeError:
            self._release(policy)
            await _send_traceback(connection)
        except Exception:
            self._discard(policy)
            await _send_traceback(connection)

    async def _answer_all(self, connection: ServerConnection, session: Session, message: str | bytes) -> None:
        while True:
            answer = await self._call(partial(_answer, session, message))
            await connection.send(answer)
            message = await connection.recv()

    async def _call(self, job: Callable[[], T]) -> T:
        return await asyncio.wrap_future(self._worker.submit(job))

    def _lease(self) -> Policy:
        return self._idle.pop() if self._idle else self._factory()

    def _release(self, policy: Policy | None) -> None:
        if policy is not None:
            self._worker.submit(partial(self._idle.append, policy))

    def _discard(self, policy: Policy | None) -> None:
        if policy is not None:
            self._worker.submit(policy.close)

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


async def _serve_until_signalled(server: PolicyServer, sock: socket.socket) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    host, port = sock.getsockname()[:2]
    print(f"serving {server.identity} on {host} port {port}; Ctrl-C stops it", flush=True)
    await server.run(sock, stop)
    print("stopped", flush=True)


def _answer(session: Session, message: str | bytes) -> bytes:
    if isinstance(message, str):
        raise GaugeError("a text message arrived; observations are sent as binary msgpack")
    return encode(session.handle(decode(message)))


def _answer_health_check(connection: ServerConnection, request: Request) -> Response | None:
    return connection.respond(HTTPStatus.OK, "OK\n") if request.path == "/healthz" else None


async def _send_traceback(connection: ServerConnection) -> None:
    """Send the exception being handled, as openpi's server does."""
    text = traceback.format_exc()
    logger.error("a client's message could not be answered:\n%s", text)
    with suppress(ConnectionClosed):
        await connection.send(text)
        await connection.close(CloseCode.INTERNAL_ERROR, "Internal server error. Traceback included in previous frame.")
