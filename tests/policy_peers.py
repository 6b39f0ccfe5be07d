"""Policy servers written from their projects' published messages, without any code of gauge, each in a thread.

GR00T: `gr00t/eval/service.py` (N1.5) and `gr00t/policy/server_client.py` (N1.6). OpenVLA: `vla-scripts/deploy.py`.
X-VLA: `evaluation/libero/libero_client.py`. Evo-1: `Evo_1/scripts/Evo1_server.py`. RoboArena: `policy_server.py`.
vla-eval: `vla_eval/protocol` and `vla_eval/model_servers/serve.py`.
"""

import base64
import io
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import msgpack
import numpy as np
from websockets.sync.server import serve

Infer = Callable[[Any], Any]


class Peer:
    """Runs `serve_forever` of a server in a thread while it is entered; `received` holds what arrived."""

    def __init__(self, infer: Infer) -> None:
        self.infer = infer
        self.received: list[Any] = []

    def __enter__(self) -> Any:
        self.start()
        self._thread = threading.Thread(target=self.run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(10)
        assert not self._thread.is_alive()

    def start(self) -> None: ...
    def run(self) -> None: ...
    def stop(self) -> None: ...


class WebsocketPeer(Peer):
    def start(self) -> None:
        self._server = serve(self.talk, "127.0.0.1", 0, compression=None, max_size=None, ping_interval=None)
        self.port = self._server.socket.getsockname()[1]

    def run(self) -> None:
        self._server.serve_forever()

    def stop(self) -> None:
        self._server.shutdown()

    def talk(self, websocket: Any) -> None: ...


class Evo1Peer(WebsocketPeer):
    def talk(self, websocket: Any) -> None:
        for text in websocket:
            self.received.append(json.loads(text))
            websocket.send(json.dumps(self.infer(self.received[-1])))


class RoboArenaPeer(WebsocketPeer):
    config: ClassVar[Any] = {"image_resolution": [8, 8], "needs_session_id": True, "action_space": "cartesian_delta"}

    def talk(self, websocket: Any) -> None:
        websocket.send(msgpack.packb(self.config))
        for raw in websocket:
            message = msgpack.unpackb(raw, object_hook=self._array)
            self.received.append(message)
            if message["endpoint"] == "reset":
                websocket.send("reset successful")
                continue
            answer = np.asarray(self.infer(message), dtype=np.float32)
            ndarray = {b"__ndarray__": True, b"data": answer.tobytes(), b"dtype": "<f4", b"shape": answer.shape}
            websocket.send(msgpack.packb(ndarray))

    @staticmethod
    def _array(value: Any) -> Any:
        if b"__ndarray__" in value:
            return np.frombuffer(value[b"data"], value[b"dtype"]).reshape(value[b"shape"])
        return value


class VlaEvalPeer(WebsocketPeer):
    hello: ClassVar[Any] = {
        "harness_version": "0.8.0",
        "protocol_version": 1,
        "model_server": "Toy",
        "capabilities": {},
    }

    def talk(self, websocket: Any) -> None:
        for raw in websocket:
            message = msgpack.unpackb(raw, object_hook=self._array)
            self.received.append(message)
            if message["type"] == "hello":
                self._send(websocket, "hello", self.hello, message["seq"])
            elif message["type"] == "observation":
                answer = self.infer(message["payload"])
                kind = "error" if isinstance(answer, str) else "action"
                self._send(websocket, kind, {"error" if kind == "error" else "actions": answer}, message["seq"])

    @staticmethod
    def _send(websocket: Any, kind: str, payload: Any, seq: int) -> None:
        def pack(value: Any) -> Any:
            data, shape = value.tobytes(), list(value.shape)
            return {"__ndarray__": True, "data": data, "dtype": value.dtype.str, "shape": shape}

        message = {"type": kind, "payload": payload, "seq": seq, "timestamp": 0.0}
        websocket.send(msgpack.packb(message, default=pack))

    @staticmethod
    def _array(value: Any) -> Any:
        if "__ndarray__" in value:
            return np.frombuffer(value["data"], value["dtype"]).reshape(value["shape"])
        return value


class Gr00tPeer(Peer):
    """`infer` gets the data of get_action; an exception becomes {"error": ...}, as in the original."""

    modalities: ClassVar[Any] = {"video": {"delta_indices": [0], "modality_keys": ["video.image", "video.wrist_image"]}}

    def start(self) -> None:
        import zmq

        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.REP)
        self._socket.setsockopt(zmq.LINGER, 0)
        self.port = self._socket.bind_to_random_port("tcp://127.0.0.1")
        self._stop = False

    def run(self) -> None:
        while not self._stop:
            if not self._socket.poll(50):
                continue
            request = msgpack.unpackb(self._socket.recv(), object_hook=self._array)
            self.received.append(request)
            try:
                answer = self._answer(request)
            except Exception as error:
                answer = {"error": str(error)}
            self._socket.send(msgpack.packb(answer, default=self._pack))
        self._socket.close()
        self._context.term()

    def _answer(self, request: Any) -> Any:
        if request["endpoint"] == "ping":
            return {"status": "ok", "message": "Server is running"}
        if request["endpoint"] == "reset":
            return {}
        if request["endpoint"] == "get_modality_config":
            return {
                name: {"__ModalityConfig_class__": True, "as_json": json.dumps(config)}
                for name, config in self.modalities.items()
            }
        return self.infer(request["data"])

    def stop(self) -> None:
        self._stop = True

    @staticmethod
    def _pack(value: np.ndarray) -> Any:
        output = io.BytesIO()
        np.save(output, value, allow_pickle=False)
        return {"__ndarray_class__": True, "as_npy": output.getvalue()}

    @staticmethod
    def _array(value: Any) -> Any:
        if "__ndarray_class__" in value:
            return np.load(io.BytesIO(value["as_npy"]), allow_pickle=False)
        return value


def json_numpy_loads(text: str | bytes) -> Any:
    def revive(value: Any) -> Any:
        if "__numpy__" not in value:
            return value
        return np.frombuffer(base64.b64decode(value["__numpy__"]), value["dtype"]).reshape(value["shape"])

    return json.loads(text, object_hook=revive)


class ActPeer(Peer):
    """`infer` gets the decoded body and returns what is sent as JSON; an int is sent as an HTTP status."""

    openapi: ClassVar[Any] = {"info": {"title": "FastAPI"}, "paths": {"/act": {}}}

    def start(self) -> None:
        peer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(200 if peer.openapi else 404, peer.openapi)

            def do_POST(self) -> None:
                body = json_numpy_loads(self.rfile.read(int(self.headers["Content-Length"])))
                peer.received.append(body)
                answer = peer.infer(body)
                self._send(answer if isinstance(answer, int) else 200, answer)

            def _send(self, status: int, value: Any) -> None:
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]

    def run(self) -> None:
        self._server.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
