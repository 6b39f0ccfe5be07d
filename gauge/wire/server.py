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
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as serve_websocket
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from gauge.core.policy import BatchPolicy, Policy
from gauge.errors import GaugeError
from gauge.wire.batch import BatchDesk, Meter
from gauge.wire.codec import MAX_MESSAGE_BYTES, decode, encode
from gauge.wire.desk import Desk, LeaseDesk, Seat
from gauge.wire.handshake import metadata
from gauge.wire.messages import RESET, pack_answer
from gauge.wire.session import Session
from gauge.wire.worker import Worker

STOP_PATIENCE_S = 1.0

logger = logging.getLogger(__name__)


def serve(
    factory: Callable[[], Policy], host: str = "127.0.0.1", port: int = 8000, max_batch: int | None = None
) -> None:
    """Serve policies of `factory` until Ctrl-C or SIGTERM; `port=0` picks a free port and prints it.

    Args:
        factory: makes a policy; called once at the start. Unless that is a `BatchPolicy`, it is called again
            when clients are served at the same time, so it should share whatever is large between policies.
        host: address to listen on; `0.0.0.0` lets other machines connect. There is no authentication.
        port: TCP port.
        max_batch: most observations that a `BatchPolicy` answers in one call; None for no limit.

    Raises:
        GaugeError: the port cannot be used, or the policy is privileged.
    """
    with listening_socket(host, port) as sock:
        asyncio.run(_serve_until_signalled(PolicyServer(factory, max_batch), sock))


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
    """The policy behind one address.

    1. On connect the server sends its metadata (identity and spec).
    2. A policy that answers several observations at once serves all clients (`BatchDesk`); of any other, each
       client leases one of its own (`LeaseDesk`).
    3. Every call runs on one worker thread, so heartbeats are answered during inference.
    4. An exception is sent as a text frame with its traceback, then the connection is closed with 1011.
    """

    def __init__(self, factory: Callable[[], Policy], max_batch: int | None = None, meter: Meter | None = None) -> None:
        """Make the first policy.

        Args:
            factory: makes a policy.
            max_batch: most observations in one call; None for no limit.
            meter: where a batching policy's work is noted.

        Raises:
            GaugeError: the policy is privileged.
        """
        worker = Worker()
        policy = worker.submit(factory).result()
        self.identity = policy.identity
        self.spec = policy.spec
        if policy.spec.privileged:
            raise GaugeError(f"{policy.identity} reads the simulator's state and cannot be served; run it locally")
        self._desk: Desk = (
            BatchDesk(worker, policy, max_batch, meter or Meter())
            if isinstance(policy, BatchPolicy)
            else LeaseDesk(worker, factory, policy)
        )
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
            await asyncio.wait_for(self._desk.close(), STOP_PATIENCE_S)

    async def _converse(self, connection: ServerConnection) -> None:
        """Serve one client until it leaves."""
        seat, failed = self._desk.seat(), False
        try:
            await connection.send(self._metadata)
            session = Session(self.spec)
            async for message in connection:
                await connection.send(await _answer(session, seat, message))
        except ConnectionClosed:
            pass
        except Exception as error:
            failed = not isinstance(error, GaugeError)
            await _send_traceback(connection)
        finally:
            seat.leave(failed)


async def _serve_until_signalled(server: PolicyServer, sock: socket.socket) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    host, port = sock.getsockname()[:2]
    print(f"serving {server.identity} on {host} port {port}; Ctrl-C stops it", flush=True)
    await server.run(sock, stop)
    print("stopped", flush=True)


async def _answer(session: Session, seat: Seat, message: str | bytes) -> bytes:
    if isinstance(message, str):
        raise GaugeError("a text message arrived; observations are sent as binary msgpack")
    start, observation = session.read(decode(message))
    if start is not None:
        await seat.reset(start.instruction, start.rng)
    if observation is None:
        return encode({RESET: True})
    chunk, seconds = await seat.act(observation)
    return encode(pack_answer(chunk, 1000.0 * seconds))


def _answer_health_check(connection: ServerConnection, request: Request) -> Response | None:
    return connection.respond(HTTPStatus.OK, "OK\n") if request.path == "/healthz" else None


async def _send_traceback(connection: ServerConnection) -> None:
    """Send the exception being handled, as openpi's server does."""
    text = traceback.format_exc()
    logger.error("a client's message could not be answered:\n%s", text)
    with suppress(ConnectionClosed):
        await connection.send(text)
        await connection.close(CloseCode.INTERNAL_ERROR, "Internal server error. Traceback included in previous frame.")
