"""The first message of a server: who answers, and what it declares about itself."""

import hashlib
from dataclasses import dataclass
from typing import Any

from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError
from gauge.wire.codec import decode, encode

PROTOCOL = 1

# How many actions are carried out before the next look is the evaluation's choice, not the server's.
_NOT_COMPARED = frozenset({"executed"})
_OF_IMAGES = frozenset({"image_size", "orientation"})


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


def differences(profile: PolicySpec, server: dict[str, Any]) -> str:
    """A table of every field in which the profile and the server differ; empty when none does.

    Size and orientation of images say nothing where neither side uses a camera.
    """
    mine = profile.to_json()
    blind = not profile.cameras and server.get("cameras") == []
    skipped = _NOT_COMPARED | _OF_IMAGES if blind else _NOT_COMPARED
    fields = [name for name in {**mine, **server} if name not in skipped]
    unequal = [(str(name), _shown(mine, name), _shown(server, name)) for name in fields if _differ(mine, server, name)]
    if not unequal:
        return ""
    table = [("field", "profile", "server"), *unequal]
    first, second = (max(len(row[column]) for row in table) for column in (0, 1))
    return "\n".join(f"  {name:<{first}}  {ours:<{second}}  {theirs}" for name, ours, theirs in table)


def _differ(mine: dict[str, Any], server: dict[str, Any], name: str) -> bool:
    # Compared as bytes: a foreign server may send anything, arrays included, that `!=` has no yes or no for.
    return name not in mine or name not in server or encode(mine[name]) != encode(server[name])


def _shown(spec: dict[str, Any], name: str) -> str:
    value = spec.get(name, "not declared")
    if isinstance(value, list):
        return ", ".join(map(str, value))[:80] or "none"
    return str(value)[:80]
