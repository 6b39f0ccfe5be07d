"""GR00T over ZeroMQ REQ/REP, both dialects; needs `pip install 'gauge[gr00t]'`.

N1.5 (`gr00t/eval/service.py`): flat names such as `video.image` [T, H, W, 3] and `state.x` [T, 1], batches with one
more axis in front. N1.6 and later (`gr00t/policy/server_client.py`): nested maps, always with the batch's axis, and
the answer is [action, info]. Arrays travel as `.npy` bytes, read with pickle forbidden.
"""

import io
import json
import math
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, PolicyError
from gauge.wire.client import LateError, UnreachableError
from gauge.wire.codec import MAX_MESSAGE_BYTES
from gauge.wire.dialects.base import Look, Reach, demand, identity

try:
    import zmq
except ImportError as error:
    raise GaugeError("a GR00T server is asked over ZeroMQ: pip install 'gauge[gr00t]'") from error

AXES = ("x", "y", "z", "roll", "pitch", "yaw")
STATE = {**{axis: slice(number, number + 1) for number, axis in enumerate(AXES)}, "gripper": slice(6, 8)}
VIEWS = ("image", "wrist_image")
PROMPT = "annotation.human.action.task_description"


class Gr00tN15:
    """One socket; the server keeps no state, so any number of episodes may share it."""

    name = "gr00t-n1.5"

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._socket: zmq.Socket[bytes] | None = None

    def open(self) -> str:
        """Ping, and ask which modalities the server was started with."""
        self.close()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.REQ)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
        self._socket.setsockopt(zmq.SNDTIMEO, int(1000 * self._reach.send_timeout_s))
        address = self._reach.address
        self._socket.connect(f"tcp://{address.hostname}:{address.port}")
        try:
            self._call({"endpoint": "ping"}, self._reach.connect_timeout_s)
            said = _modalities(self._call({"endpoint": "get_modality_config"}, self._reach.connect_timeout_s))
            demand(self._reach.handshake, said, address)
        except LateError as error:
            self.close()
            raise UnreachableError(f"no GR00T server answers at {address.host}:{address.port} ({error})") from error
        except GaugeError as error:
            self.close()
            raise GaugeError(str(error)) from error  # whatever it was, another try would not help
        return identity(self.name, "", said)

    def begin(self, instruction: str) -> None:
        """Nothing: the server keeps no state."""

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The chunk [T, 7] of every observation, all in one request."""
        data = self._single(looks[0]) if len(looks) == 1 else self._batch(looks)
        answer = self._call({"endpoint": "get_action", "data": {**data, **self._reach.constants}}, timeout_s)
        return _split(answer, "action.", len(looks), batched=len(looks) > 1)

    def close(self) -> None:
        """Drop the socket."""
        if self._socket is not None:
            self._socket.close(linger=0)
        if self._context is not None:
            self._context.term()
        self._socket = self._context = None

    def _single(self, look: Look) -> dict[str, Any]:
        message: dict[str, Any] = {
            f"video.{name}": image[None] for name, image in zip(VIEWS, look.images, strict=False)
        }
        message |= {f"state.{name}": look.state[None, part] for name, part in STATE.items()}
        return {**message, PROMPT: [look.prompt]}

    def _batch(self, looks: Sequence[Look]) -> dict[str, Any]:
        rows = [self._single(look) for look in looks]
        stacked: dict[str, Any] = {name: np.stack([row[name] for row in rows]) for name in rows[0] if name != PROMPT}
        return {**stacked, PROMPT: [look.prompt for look in looks]}

    def _call(self, request: dict[str, Any], timeout_s: float) -> Any:
        if self._socket is None:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        if self._reach.address.api_key:
            request = {**request, "api_token": self._reach.address.api_key}
        self._socket.setsockopt(zmq.RCVTIMEO, int(1000 * timeout_s))
        try:
            self._socket.send(msgpack.packb(request, default=_pack))
            raw = self._socket.recv()
        except zmq.Again as error:
            self.close()  # a REQ socket that got no answer can send no more
            raise LateError(f"the policy server gave no answer within {timeout_s:g} s") from error
        except zmq.ZMQError as error:
            raise PolicyError(f"the policy server cannot be asked ({error})") from error
        answer = _decoded(raw)
        if isinstance(answer, dict) and "error" in answer:
            raise PolicyError(f"the policy server failed: {str(answer['error'])[:300]}")
        return answer


class Gr00tN16(Gr00tN15):
    """Nested maps with a batch axis everywhere."""

    name = "gr00t-n1.6"

    def begin(self, instruction: str) -> None:
        """Reset the policy; harmless for the episodes of others, as the published policies keep no state."""
        self._call({"endpoint": "reset", "data": {"options": None}}, self._reach.connect_timeout_s)

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The chunk [T, 7] of every observation, all in one request."""
        views = VIEWS[: len(looks[0].images)]
        observation = {
            "video": {name: np.stack([look.images[k][None] for look in looks]) for k, name in enumerate(views)},
            "state": {
                name: np.stack([look.state[None, part] for look in looks]).astype(np.float32)
                for name, part in STATE.items()
            },
            "language": {PROMPT: [[look.prompt] for look in looks]},
        }
        data = {"observation": observation, "options": None, **self._reach.constants}
        answer = self._call({"endpoint": "get_action", "data": data}, timeout_s)
        if not isinstance(answer, list) or not answer:
            raise PolicyError("the policy server's answer is no [action, info]; is it of GR00T N1.6 or later?")
        return _split(answer[0], "", len(looks), batched=True)


def _split(answer: Any, prefix: str, count: int, batched: bool) -> list[NDArray[np.float64]]:
    """One chunk [T, 7] per observation of the named parts [B, T] or [B, T, 1], without B if not batched."""
    names = [f"{prefix}{name}" for name in (*AXES, "gripper")]
    missing = [name for name in names if not isinstance(answer, dict) or name not in answer]
    if missing:
        raise PolicyError(f"the policy server's answer lacks {', '.join(missing)}; is it another model?")
    try:
        parts = [np.asarray(answer[name], dtype=np.float64) for name in names]
        rows = [part if batched else part[None] for part in parts]
        chunks = np.stack([row.reshape(count, row.shape[1], -1)[:, :, 0] for row in rows], axis=2)
    except (TypeError, ValueError, IndexError) as error:
        shapes = [list(np.shape(answer[name])) for name in names]
        raise PolicyError(
            f"the policy server's parts of actions have the shapes {shapes}; expected [T] each"
        ) from error
    return list(chunks)


def _modalities(answer: Any) -> dict[str, Any]:
    """Modality to the names it holds, whichever of the published forms they come in."""
    found: dict[str, Any] = {}
    for name, config in answer.items() if isinstance(answer, dict) else ():
        inner = config.get("as_json", config.get("as_dict", config)) if isinstance(config, dict) else config
        try:
            inner = json.loads(inner) if isinstance(inner, str) else inner
        except ValueError:
            inner = None
        found[str(name)] = inner.get("modality_keys") if isinstance(inner, dict) else None
    return found


def _pack(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} is not part of the protocol")
    data = io.BytesIO()
    np.save(data, value, allow_pickle=False)
    return {"__ndarray_class__": True, "as_npy": data.getvalue()}


def _decoded(raw: bytes) -> Any:
    try:
        return msgpack.unpackb(raw, object_hook=_unpack)
    except (ValueError, TypeError, KeyError, EOFError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise PolicyError(f"the policy server's answer is not valid: {error}") from error


def _unpack(value: dict[str, Any]) -> Any:
    if "__ndarray_class__" not in value:
        return value
    return _read_npy(value["as_npy"])


def _read_npy(raw: bytes) -> NDArray[Any]:
    """The array of `.npy` bytes; the header's shape is checked before anything of that size is made."""
    data = io.BytesIO(raw)
    if np.lib.format.read_magic(data) != (1, 0):
        raise ValueError("an array of another version of the npy format")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(data)
    if dtype.kind not in "biuf" or math.prod(shape) * dtype.itemsize != len(raw) - data.tell():
        raise ValueError(f"an array of shape {shape} and dtype {dtype} with data of another length, or no numbers")
    flat = np.frombuffer(raw, dtype, offset=data.tell())
    return flat.reshape(shape, order="F" if fortran else "C").copy()
