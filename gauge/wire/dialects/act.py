"""HTTP POST /act with json_numpy bodies: OpenVLA's deploy script and X-VLA's.

OpenVLA (`vla-scripts/deploy.py`): {image, instruction, unnorm_key} -> one action [7]; on a failure the text "error".
X-VLA (`evaluation/libero/libero_client.py`): {domain_id, proprio, language_instruction, image0, image1}, each array as
json_numpy text -> {"action": [30, 20]}. Neither says what model it serves.
"""

import base64
import http.client
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, PolicyError
from gauge.wire.client import LateError, LostConnectionError, connect_fault
from gauge.wire.codec import MAX_MESSAGE_BYTES, array_of
from gauge.wire.dialects.base import Look, Reach, identity

PATH = "/act"
XVLA_STATE = 20


class Act:
    """What both share: one request per observation, no session."""

    name = "act"

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def open(self) -> str:
        """Ask a FastAPI server for its own description; one that has none passes, if it speaks HTTP at all."""
        try:
            status, body = self._request("GET", "/openapi.json", None, self._reach.connect_timeout_s)
        except http.client.HTTPException as error:
            host, port = self._reach.address.host, self._reach.address.port
            raise GaugeError(f"who answers at {host}:{port} speaks no HTTP") from error
        except (OSError, ValueError) as error:
            raise connect_fault(self._reach.address, error) from error
        said = _json(body) if status == 200 else None
        paths = said.get("paths") if isinstance(said, dict) else None
        if isinstance(paths, dict) and PATH not in paths:
            raise GaugeError(f"the server offers {', '.join(sorted(paths)) or 'nothing'}, but no {PATH}")
        return identity(self.name, "", said) if paths else f"{self.name}/unnamed"

    def begin(self, instruction: str) -> None:
        """Nothing: the server keeps no state."""

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The answer to every observation, asked one by one."""
        return [self._act(look, timeout_s) for look in looks]

    def close(self) -> None:
        """Nothing is kept open."""

    def _act(self, look: Look, timeout_s: float) -> Any:
        body = json.dumps({**self._reach.constants, **self._message(look)}, default=_pack)
        try:
            status, raw = self._request("POST", PATH, body, timeout_s)
        except TimeoutError as error:
            raise LateError(f"the policy server gave no answer within {timeout_s:g} s") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise LostConnectionError(f"the connection to the policy server was lost ({reason.lower()})") from error
        if status != 200:
            raise PolicyError(f"the policy server failed: HTTP {status} {raw[:200].decode(errors='replace')}".strip())
        answer = _json(raw)
        if isinstance(answer, str | None):
            raise PolicyError(f"the policy server failed: it answered {str(answer)[:80]!r} (its log says why)")
        return self._numbers(answer)

    def _message(self, look: Look) -> dict[str, Any]:
        raise NotImplementedError

    def _numbers(self, answer: Any) -> Any:
        raise NotImplementedError

    def _request(self, method: str, path: str, body: str | None, timeout_s: float) -> tuple[int, bytes]:
        address = self._reach.address
        kind = http.client.HTTPSConnection if address.secure else http.client.HTTPConnection
        web = kind(address.hostname, address.port, timeout=timeout_s)
        try:
            web.request(method, path, body, {"Content-Type": "application/json", **address.headers})
            response = web.getresponse()
            data = response.read(MAX_MESSAGE_BYTES + 1)
        finally:
            web.close()
        if len(data) > MAX_MESSAGE_BYTES:
            raise ValueError(f"an answer of more than {MAX_MESSAGE_BYTES} bytes")
        return response.status, data


class OpenVla(Act):
    """OpenVLA's own server: one picture, one action."""

    name = "act-openvla"

    def _message(self, look: Look) -> dict[str, Any]:
        return {"image": look.images[0], "instruction": look.prompt}

    def _numbers(self, answer: Any) -> Any:
        return answer


class XVla(Act):
    """X-VLA's own server: two pictures and the controller's pose, absolute poses back."""

    name = "act-xvla"

    def _message(self, look: Look) -> dict[str, Any]:
        state = np.zeros(XVLA_STATE)
        state[: look.state.size] = look.state  # position and rotation; gripper and second arm stay zero
        images = {f"image{number}": json.dumps(image, default=_pack) for number, image in enumerate(look.images)}
        return {"proprio": json.dumps(state, default=_pack), "language_instruction": look.prompt, **images}

    def _numbers(self, answer: Any) -> Any:
        if not isinstance(answer, dict) or "action" not in answer:
            raise PolicyError("the policy server's answer has no entry 'action'; is it an X-VLA server?")
        return answer["action"]


def _pack(value: Any) -> Any:
    """json_numpy's map of an array."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} is not part of the protocol")
    data = base64.b64encode(value.tobytes()).decode()
    return {"__numpy__": data, "dtype": value.dtype.str, "shape": list(value.shape)}


def _json(raw: bytes) -> Any:
    """The decoded body; None if it is no JSON."""
    try:
        return json.loads(raw, object_hook=_unpack)
    except (ValueError, RecursionError):
        return None


def _unpack(value: dict[str, Any]) -> Any:
    return _array(value) if "__numpy__" in value else value


def _array(value: dict[str, Any]) -> NDArray[Any]:
    try:
        data = base64.b64decode(value["__numpy__"])
    except (TypeError, ValueError) as error:
        raise PolicyError("the policy server's answer holds an array that cannot be decoded") from error
    return array_of({b"data": data, b"dtype": value.get("dtype"), b"shape": value.get("shape")})
