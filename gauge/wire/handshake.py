"""The first message of a server: who answers, and what it declares about itself."""

import hashlib
from dataclasses import dataclass
from typing import Any

from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError
from gauge.wire.codec import decode

PROTOCOL = 1


@dataclass(frozen=True, slots=True)
class Declared:
    """What a server said about itself on connect.

    Attributes:
        identity: what answers; for a server that does not say, `openpi/` and a hash of its metadata.
        spec: the policy's spec as plain data; None for a server that does not say (plain openpi).
        session: changes when a gauge server is started anew; empty for others.
    """

    identity: str
    spec: dict[str, Any] | None = None
    session: str = ""


def metadata(identity: str, spec: PolicySpec, session: str) -> dict[str, Any]:
    """The message a gauge server sends on connect."""
    return {"gauge": {"protocol": PROTOCOL, "identity": identity, "spec": spec.to_json(), "session": session}}


def declared(raw: bytes) -> Declared:
    """What the server behind the metadata `raw` declares.

    Two plain openpi servers with equal metadata cannot be told apart.

    Raises:
        GaugeError: the bytes are no metadata, or of another version of gauge's protocol.
    """
    message = decode(raw)
    if not isinstance(message, dict):
        raise GaugeError(f"the server's first message is a {type(message).__name__}, not openpi's metadata")
    if "gauge" not in message:
        return Declared(f"openpi/{hashlib.sha256(raw).hexdigest()[:12]}")
    own = message["gauge"]
    version = own.get("protocol") if isinstance(own, dict) else None
    if version != PROTOCOL:
        raise GaugeError(
            f"the server speaks gauge protocol {version!r}; this gauge speaks {PROTOCOL}: update the older"
        )
    identity, spec, session = own.get("identity"), own.get("spec"), own.get("session")
    if not isinstance(identity, str) or not isinstance(spec, dict) or not isinstance(session, str):
        raise GaugeError("the server's metadata lack a well-formed identity, spec or session")
    return Declared(identity, spec, session)
