"""vla-eval's websocket (allenai/vla-evaluation-harness 0.8, `vla_eval/protocol`): one action per observation.

Every message is a msgpack map of type, payload, seq and timestamp. The client greets first. An array is
`{"__ndarray__": True, "data", "dtype", "shape"}` with text keys. The server buffers chunks, and puts observations of
several connections into one call when its `max_batch_size` allows.
"""

import time
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np

from gauge.errors import GaugeError, PolicyError
from gauge.wire.client import LateError, Line, LostConnectionError, UnreachableError
from gauge.wire.codec import array_of, decode
from gauge.wire.dialects.base import Look, Reach, demand, identity

PROTOCOL_VERSION = 1
VIEWS = ("agentview", "wrist")


class VlaEval:
    """One connection per episode; its end ends the episode on the server."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._line: Line | None = None
        self._seq = 0

    def open(self) -> str:
        """Connect and exchange greetings."""
        self.close()
        self._line = Line(self._reach.address, self._reach.connect_timeout_s, self._reach.send_timeout_s)
        try:
            said = self._exchange("hello", {"harness_version": "0.8.0", "protocol_version": PROTOCOL_VERSION}, "hello")
            version = said.get("protocol_version")
            if version != PROTOCOL_VERSION:
                raise GaugeError(f"the server speaks vla-eval protocol {version!r}; this gauge speaks 1")
            demand(self._reach.handshake, said, self._reach.address)
        except (LateError, LostConnectionError) as error:
            self.close()
            address = self._reach.address
            raise UnreachableError(f"no vla-eval server answers at {address.host}:{address.port} ({error})") from error
        except GaugeError as error:
            self.close()
            raise GaugeError(str(error)) from error  # whatever it was, another try would not help
        return identity("vla-eval", str(said.get("model_server", "")), said)

    def begin(self, instruction: str) -> None:
        """Tell of the episode; if the server refuses, it says so in place of the first action."""
        self._open_line().send(self._packed("episode_start", {"task": {"name": instruction}}))

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """One action [7] for every observation, asked one by one."""
        return [self._act(look, timeout_s) for look in looks]

    def close(self) -> None:
        """Drop the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _act(self, look: Look, timeout_s: float) -> Any:
        payload: dict[str, Any] = {
            "images": dict(zip(VIEWS, look.images, strict=False)),
            "task_description": look.prompt,
            **self._reach.constants,
        }
        if look.state.size:
            payload["states"] = look.state
        answer = self._exchange("observation", payload, "action", timeout_s)
        if "actions" not in answer:
            raise PolicyError(f"the policy server's action has no entry 'actions'; it holds {sorted(answer)[:5]}")
        return answer["actions"]

    def _exchange(self, kind: str, payload: dict[str, Any], wanted: str, timeout_s: float | None = None) -> Any:
        raw = self._open_line().exchange(self._packed(kind, payload), timeout_s or self._reach.connect_timeout_s)
        try:
            message = _revived(decode(raw if isinstance(raw, bytes) else raw.encode()))
        except GaugeError as error:
            raise PolicyError(f"the policy server's answer is not valid: {error}") from error
        if not isinstance(message, dict) or not isinstance(message.get("payload"), dict):
            raise PolicyError("the server's answer is no vla-eval message with a type and a payload")
        if message.get("type") == "error":
            raise PolicyError(f"the policy server failed: {str(message['payload'].get('error'))[:300]}")
        if message.get("type") != wanted or message.get("seq") != self._seq:
            raise PolicyError(
                f"the policy server answered {message.get('type')!r} number {message.get('seq')} to {kind!r} number "
                f"{self._seq}; expected {wanted!r} with the same number"
            )
        return message["payload"]

    def _packed(self, kind: str, payload: dict[str, Any]) -> bytes:
        self._seq += 1
        message = {"type": kind, "payload": payload, "seq": self._seq, "timestamp": time.time()}
        packed: bytes = msgpack.packb(message, default=_pack)
        return packed

    def _open_line(self) -> Line:
        if self._line is None:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        return self._line


def _pack(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        data, shape = value.tobytes(), list(value.shape)
        return {"__ndarray__": True, "data": data, "dtype": value.dtype.str, "shape": shape}
    raise TypeError(f"{type(value).__name__} is not part of the protocol")


def _revived(value: Any) -> Any:
    """Arrays in place of their maps."""
    if isinstance(value, list):
        return [_revived(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "__ndarray__" in value:
        return array_of({str(key).encode(): one for key, one in value.items()})
    return {key: _revived(one) for key, one in value.items()}
