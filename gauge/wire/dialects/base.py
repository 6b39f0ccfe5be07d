"""What all clients share: what they are shown, where they connect, and what a server said about itself."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gauge.core.contract import agree, demanded
from gauge.wire.client import Address


class Look(NamedTuple):
    """One observation, ready to send.

    Attributes:
        images: uint8 [H, W, 3], RGB: the agent's view, then the wrist's where there is one, then black ones.
        cameras: how many of them are cameras; the others are black.
        state: float64, empty when the policy wants none.
        prompt: the text, byte for byte.
    """

    images: tuple[NDArray[np.uint8], ...]
    cameras: int
    state: NDArray[np.float64]
    prompt: str


@dataclass(frozen=True, slots=True)
class Reach:
    """How a server is reached and recognised.

    Attributes:
        address: where it listens.
        connect_timeout_s: limit for connecting and for what it says first.
        send_timeout_s: limit for a blocked send.
        handshake: entries its first message must have.
        picture: (height, width) of the pictures that will be sent, pixels; None where none are.
        constants: entries sent with every observation where the protocol has room for them.
    """

    address: Address
    connect_timeout_s: float = 10.0
    send_timeout_s: float = 30.0
    handshake: Mapping[str, Any] = field(default_factory=dict)
    picture: tuple[int, int] | None = None
    constants: Mapping[str, Any] = field(default_factory=dict)


class Dialect(Protocol):
    """A client of one protocol."""

    def open(self) -> str:
        """Connect; the identity of who answers.

        Raises:
            UnreachableError: nobody answers now.
            GaugeError: who answers speaks another protocol, or says another thing than the handshake demands.
        """

    def begin(self, instruction: str) -> None:
        """Tell of a new episode, in protocols that have a message for it.

        Raises:
            PolicyError: the server refuses, or is lost.
        """

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The answer to every observation, [T, D] each; more than one only where the protocol has batches.

        Raises:
            PolicyError: the server is lost, late, failed, or sent no numbers.
        """

    def close(self) -> None:
        """Drop the connection; never raises."""


def identity(protocol: str, name: str, said: Any) -> str:
    """`protocol/name` and a hash of everything the server said about itself; equal servers cannot be told apart."""
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:12]
    return f"{protocol}/{name}/{digest}" if name else f"{protocol}/{digest}"


def demand(handshake: Mapping[str, Any], said: Any, address: Address) -> None:
    """Refuse a server that does not say what the profile demands.

    Raises:
        GaugeError: with a table of every entry that differs.
    """
    who = f"the policy server at {address.host}:{address.port}"
    agree(who, demanded(handshake, said), "serve the model that the profile describes, or choose the profile it has")
