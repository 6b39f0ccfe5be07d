"""openpi's websocket, and the dialect of it that RoboArena speaks.

Messages: openpi `src/openpi/serving/websocket_policy_server.py`; RoboArena `roboarena/policy_server.py`, whose
metadata is a `PolicyServerConfig` and whose requests carry an `endpoint`. Its server may answer with a bare array,
and answers a reset with the text "reset successful".
"""

import uuid
from collections.abc import Sequence
from typing import Any

from gauge.errors import GaugeError, PolicyError
from gauge.wire.client import Connection, ServerTracebackError, check_health
from gauge.wire.codec import decode
from gauge.wire.dialects.base import Look, Reach, demand, identity
from gauge.wire.messages import LIBERO_KEYS, actions

VIEWS = (LIBERO_KEYS["agentview"], LIBERO_KEYS["robot0_eye_in_hand"])
RESET_DONE = "reset successful"


class Openpi:
    """One connection per episode; the server has no message for its start."""

    name = "openpi"

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._connection: Connection | None = None
        self._said: dict[Any, Any] = {}

    def open(self) -> str:
        """Connect and read the metadata."""
        self.close()
        check_health(self._reach.address, self._reach.connect_timeout_s)
        connection = Connection(self._reach.address, self._reach.connect_timeout_s, self._reach.send_timeout_s)
        try:
            said = decode(connection.metadata)
            if not isinstance(said, dict):
                raise GaugeError(f"the server's first message is a {type(said).__name__}, not openpi's metadata")
            demand(self._reach.handshake, said, self._reach.address)
        except GaugeError:
            connection.close()
            raise
        self._connection, self._said = connection, said
        return identity(self.name, "", said)

    def begin(self, instruction: str) -> None:
        """Nothing: the server keeps no state."""

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The chunk of every observation, asked one by one: the protocol has no batches."""
        return [actions(self._send(self._message(look), timeout_s)) for look in looks]

    def close(self) -> None:
        """Drop the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _message(self, look: Look) -> dict[str, Any]:
        message: dict[str, Any] = dict(zip(VIEWS, look.images, strict=False))
        if look.state.size:
            message[LIBERO_KEYS["state"]] = look.state
        return {**message, LIBERO_KEYS["prompt"]: look.prompt, **self._reach.constants}

    def _send(self, message: dict[str, Any], timeout_s: float) -> Any:
        if self._connection is None:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        return self._connection.ask(message, timeout_s)


class RoboArena(Openpi):
    """The same with an `endpoint` in every message, a reset before every episode, and a session's name if wanted."""

    name = "roboarena"

    def open(self) -> str:
        """Connect and read the server's config."""
        found = super().open()
        if "image_resolution" not in self._said:
            self.close()
            raise GaugeError(
                f"the server at {self._reach.address.host}:{self._reach.address.port} sent no RoboArena config; "
                "if it is a plain openpi server, type model.protocol=openpi"
            )
        size = self._reach.picture
        if size is not None and self._said["image_resolution"] is not None:
            try:
                demand({"image_resolution": list(size)}, self._said, self._reach.address)
            except GaugeError:
                self.close()
                raise
        self._session = str(uuid.uuid4())
        return found

    def begin(self, instruction: str) -> None:
        """Send the reset."""
        try:
            self._send({"endpoint": "reset"}, self._reach.connect_timeout_s)
        except ServerTracebackError as error:
            if RESET_DONE not in error.text:
                raise

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The chunk of every observation; the server answers a map or the bare array."""
        answers = [self._send(self._message(look), timeout_s) for look in looks]
        return [actions(answer if isinstance(answer, dict) else {"actions": answer}) for answer in answers]

    def _message(self, look: Look) -> dict[str, Any]:
        message = {"endpoint": "infer", **super()._message(look)}
        if self._said.get("needs_session_id"):
            message["session_id"] = self._session
        return message
