"""openpi's websocket protocol from its published sources, without any code of gauge: both ends.

Messages: `packages/openpi-client/src/openpi_client/msgpack_numpy.py`; dialogue:
`src/openpi/serving/websocket_policy_server.py` and `websocket_client_policy.py`. Like the original,
the server infers on its event loop, so it answers no ping meanwhile.
"""

import asyncio
import http
import threading
import traceback
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

HANG_UP = object()


def _pack_numpy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {b"__ndarray__": True, b"data": value.tobytes(), b"dtype": value.dtype.str, b"shape": value.shape}
    if isinstance(value, np.generic):
        return {b"__npgeneric__": True, b"data": value.item(), b"dtype": value.dtype.str}
    raise TypeError(type(value))


def _unpack_numpy(value: dict[Any, Any]) -> Any:
    if b"__ndarray__" in value:
        return np.ndarray(buffer=value[b"data"], dtype=np.dtype(value[b"dtype"]), shape=value[b"shape"])
    if b"__npgeneric__" in value:
        return np.dtype(value[b"dtype"]).type(value[b"data"])
    return value


def pack(message: Any) -> bytes:
    return msgpack.packb(message, default=_pack_numpy)


def unpack(data: bytes) -> Any:
    return msgpack.unpackb(data, object_hook=_unpack_numpy)


class OpenpiServer:
    """A policy server in a thread.

    `infer` gets an observation and returns the answer: a dict is packed, bytes and text are sent as they
    are, `HANG_UP` cuts the connection. `metadata` is what is sent first: a dict, or bytes or text as is.
    """

    def __init__(
        self, infer: Callable[[dict[str, Any]], Any], metadata: Any = None, port: int = 0, **settings: Any
    ) -> None:
        self.infer = infer
        self.metadata = {"model": "peer"} if metadata is None else metadata
        self.port = port
        self.after_metadata: Callable[[], object] = lambda: None
        self.healthz: http.HTTPStatus | None = http.HTTPStatus.OK
        self.paths: list[str] = []
        self.headers: list[str | None] = []
        self.received: list[dict[str, Any]] = []
        self.connections = 0
        self._settings = settings
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> "OpenpiServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Cut every connection, as a killed process does, and free the port."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)
            assert not self._thread.is_alive()

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await serve(
            self._handle,
            "127.0.0.1",
            self.port,
            compression=None,
            max_size=None,
            process_request=self._health,
            **self._settings,
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        for connection in server.connections:
            connection.transport.abort()
        server.close()
        await server.wait_closed()

    def _health(self, connection: ServerConnection, request: Any) -> Any:
        self.paths.append(request.path)
        self.headers.append(request.headers.get("Authorization"))
        if request.path == "/healthz" and self.healthz is not None:
            return connection.respond(self.healthz, "")
        return None

    async def _handle(self, websocket: ServerConnection) -> None:
        self.connections += 1
        metadata = self.metadata
        await websocket.send(pack(metadata) if isinstance(metadata, dict) else metadata)
        self.after_metadata()
        while True:
            try:
                message = unpack(await websocket.recv())
                self.received.append(message)
                answer = self.infer(message)
                if answer is HANG_UP:
                    websocket.transport.abort()
                    return
                await websocket.send(pack(answer) if isinstance(answer, dict) else answer)
            except ConnectionClosed:
                return
            except Exception:
                await websocket.send(traceback.format_exc())
                await websocket.close(1011, "Internal server error. Traceback included in previous frame.")
                return


class OpenpiClient:
    """The client's end on asyncio: `async with OpenpiClient(port) as client: await client.infer(...)`."""

    def __init__(self, port: int, **settings: Any) -> None:
        self._connect = connect(f"ws://127.0.0.1:{port}", compression=None, max_size=None, **settings)

    async def __aenter__(self) -> "OpenpiClient":
        self.websocket = await self._connect.__aenter__()
        self.metadata = unpack(await self.websocket.recv())
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._connect.__aexit__(*error)

    async def infer(self, message: Any) -> Any:
        await self.websocket.send(message if isinstance(message, bytes | str) else pack(message))
        answer = await self.websocket.recv()
        if isinstance(answer, str):
            raise RuntimeError(answer)
        return unpack(answer)
