"""One connection to a policy server: connect, exchange messages, with a limit on every wait."""

import http.client
import logging
import socket
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from gauge.errors import GaugeError, PolicyError
from gauge.wire.codec import MAX_MESSAGE_BYTES, decode, encode

CLOSE_TIMEOUT_S = 1.0
LONGEST_PAUSE_S = 8.0

logger = logging.getLogger(__name__)


class UnreachableError(GaugeError):
    """No policy server could be reached now; another try may succeed. `what` is the sentence without advice."""

    def __init__(self, what: str, advice: str = "") -> None:
        super().__init__(f"{what}; {advice}" if advice else what)
        self.what = what


@dataclass(frozen=True, slots=True)
class Address:
    """Where a policy server listens.

    Attributes:
        host: name or address, or a whole URL such as `wss://policies.example.org`.
        port: TCP port.
        api_key: sent as openpi's `Authorization: Api-Key ...` header when not empty.
    """

    host: str
    port: int
    api_key: str = ""

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            usable = parts.scheme in ("ws", "wss") and bool(parts.hostname) and 1 <= self.port <= 65535
        except ValueError:
            usable = False
        if not usable:
            raise GaugeError(f"{self.url} is no address of a policy server; set host to a name and port to 1 to 65535")

    @property
    def hostname(self) -> str:
        """The name or address alone."""
        return urlsplit(self.url).hostname or ""

    @property
    def url(self) -> str:
        """The address as a URL without a path."""
        name = f"[{self.host}]" if ":" in self.host and "://" not in self.host else self.host
        return f"{name if '://' in name else f'ws://{name}'}:{self.port}"

    @property
    def secure(self) -> bool:
        """Whether TLS is spoken."""
        return urlsplit(self.url).scheme == "wss"

    @property
    def headers(self) -> dict[str, str]:
        """The HTTP headers of every request."""
        return {"Authorization": f"Api-Key {self.api_key}"} if self.api_key else {}


class LostConnectionError(PolicyError):
    """The connection broke; the server may have been started anew when it is next reached."""


class LateError(PolicyError):
    """No answer within the limit."""


class ServerTracebackError(PolicyError):
    """The server sent the traceback of an exception; the message is its last line, `text` the whole."""

    def __init__(self, text: str) -> None:
        lines = text.strip().splitlines()
        super().__init__(f"the policy server failed: {lines[-1].strip()[:300] if lines else 'it sent an empty text'}")
        self.text = text


class Line:
    """An open websocket on which each message sent gets one answer."""

    def __init__(self, address: Address, timeout_s: float, send_timeout_s: float) -> None:
        """Connect.

        Raises:
            UnreachableError: nobody answers, or not within `timeout_s`.
            GaugeError: the server refuses the key.
        """
        self._stack = ExitStack()
        try:
            # An own socket, because websockets would send `ws://` through a web proxy of the environment.
            sock = socket.create_connection((address.hostname, address.port), timeout_s)
            sock.settimeout(None)
            _limit_sending(sock, send_timeout_s)
            self._socket = self._stack.enter_context(
                connect(
                    address.url,
                    sock=sock,
                    compression=None,
                    max_size=MAX_MESSAGE_BYTES,
                    additional_headers=address.headers,
                    open_timeout=timeout_s,
                    # A server that computes on its event loop answers no pings; our own limits decide instead.
                    ping_interval=None,
                    close_timeout=CLOSE_TIMEOUT_S,
                )
            )
            self._greet(timeout_s)
        except GaugeError:
            self.close()
            raise
        except (OSError, WebSocketException, EOFError, ValueError) as error:
            self.close()
            raise connect_fault(address, error) from error

    def send(self, data: bytes | str) -> None:
        """Send a message that gets no answer.

        Raises:
            LostConnectionError: the connection is lost.
        """
        try:
            self._socket.send(data)
        except (OSError, ConnectionClosed) as error:
            raise LostConnectionError(f"the connection to the policy server was lost ({_reason(error)})") from error

    def exchange(self, data: bytes | str, timeout_s: float) -> bytes | str:
        """The answer to a message.

        Raises:
            PolicyError: the connection is lost, or the answer is late.
        """
        try:
            self._socket.send(data)
            return self._socket.recv(timeout=timeout_s)
        except TimeoutError as error:
            raise LateError(f"the policy server gave no answer within {timeout_s:g} s") from error
        except (OSError, ConnectionClosed) as error:
            raise LostConnectionError(f"the connection to the policy server was lost ({_reason(error)})") from error

    def close(self) -> None:
        """Close the connection; never raises, and waits `CLOSE_TIMEOUT_S` at most."""
        self._stack.close()

    def _greet(self, timeout_s: float) -> None:
        """What the server says first, in protocols that have it."""


class Connection(Line):
    """A connection in openpi's protocol; `metadata` is what the server said first."""

    metadata: bytes

    def ask(self, message: dict[str, Any], timeout_s: float) -> Any:
        """The decoded answer to `message`.

        Raises:
            PolicyError: the connection is lost, the answer is late, no message, or the server's traceback.
        """
        answer = self.exchange(encode(message), timeout_s)
        if isinstance(answer, str):
            raise ServerTracebackError(answer)
        try:
            return decode(answer)
        except GaugeError as error:
            raise PolicyError(f"the policy server's answer is not valid: {error}") from error

    def _greet(self, timeout_s: float) -> None:
        raw = self._socket.recv(timeout=timeout_s)
        if isinstance(raw, str):
            raise GaugeError("the server's first message is text, not openpi's metadata")
        self.metadata = raw


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a policy waits for its server, and how often it tries.

    Attributes:
        connect_timeout_s: limit for connecting and for what the server says first.
        first_call_timeout_s: limit for calls until a server has answered once, since it may compile.
        call_timeout_s: limit for every later call.
        attempts: tries to connect at the start of an episode.
        pause_s: wait after the first failed try; it doubles up to `LONGEST_PAUSE_S`.
    """

    connect_timeout_s: float = 10.0
    first_call_timeout_s: float = 120.0
    call_timeout_s: float = 30.0
    attempts: int = 6
    pause_s: float = 0.5

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise GaugeError(f"attempts must be at least 1, not {self.attempts}")

    def for_call(self, answered: bool) -> float:
        """The limit of a call, by whether the server has answered before, in seconds."""
        return self.call_timeout_s if answered else self.first_call_timeout_s


USUAL = Patience()


def patiently(connect: Callable[[], None], patience: Patience) -> None:
    """Try to connect as often as patience lasts, waiting twice as long after every failure.

    Raises:
        GaugeError: the last try failed, or one found a server that another try would not change.
    """
    for attempt in range(patience.attempts):
        try:
            connect()
            return
        except UnreachableError as error:
            if attempt == patience.attempts - 1:
                raise
            logger.warning("%s; trying again", error)
            time.sleep(min(patience.pause_s * 2**attempt, LONGEST_PAUSE_S))


def check_health(address: Address, timeout_s: float) -> None:
    """Ask for `/healthz`; a server that does not offer it passes.

    Raises:
        UnreachableError: nobody listens, or the server says that it is not healthy.
    """
    kind = http.client.HTTPSConnection if address.secure else http.client.HTTPConnection
    try:
        with closing(kind(address.hostname, address.port, timeout=timeout_s)) as web:
            web.request("GET", "/healthz", headers=address.headers)
            status = web.getresponse().status
    except http.client.HTTPException:
        return
    except (OSError, ValueError) as error:
        raise connect_fault(address, error) from error
    if status >= 500:
        raise UnreachableError(f"the policy server at {address.url} says it is not healthy (HTTP {status})")


def _limit_sending(sock: socket.socket, timeout_s: float) -> None:
    """Let a blocked send fail after `timeout_s`; websockets' blocking client has no limit of its own."""
    seconds = int(timeout_s)
    limit = struct.pack("ll", seconds, int(1e6 * (timeout_s - seconds)))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def connect_fault(address: Address, error: Exception) -> GaugeError:
    """The sentence for a connection that was not made; another try may help unless a key was refused."""
    if isinstance(error, InvalidStatus) and error.response.status_code in (401, 403):
        return GaugeError(
            f"the policy server at {address.url} refuses this api_key (HTTP {error.response.status_code})"
        )
    return UnreachableError(
        f"no policy server answers at {address.url} ({_reason(error)})",
        "start one (python -m gauge.serve model=noop port=8000), or correct host and port",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "timed out"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).lower()
