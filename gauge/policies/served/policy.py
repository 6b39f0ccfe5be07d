"""A policy behind its own server: the profile decides what is sent and what the answers mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import BatchPolicy, Observation
from gauge.errors import GaugeError, PolicyError
from gauge.policies.served.actions import actions
from gauge.policies.served.picture import sent
from gauge.policies.served.profile import Profile
from gauge.wire.client import USUAL, Address, LostConnectionError, Patience, UnreachableError, patiently
from gauge.wire.dialects import dialect
from gauge.wire.dialects.base import Look, Reach

ADVICE = "python -m gauge.models show NAME says how to start it; or correct model.host and model.port"


class Served:
    """The connection to a server, and the profile applied in both directions.

    Who answers must be who answered first, as far as the protocol lets a server say who it is.
    """

    def __init__(
        self,
        profile: Profile,
        host: str,
        port: int,
        constants: dict[str, Any] | None = None,
        api_key: str = "",
        expect_model: str = "",
        patience: Patience = USUAL,
    ) -> None:
        """Nothing is connected yet.

        Args:
            profile: what the policy is shown and what it answers.
            host: name, address or URL of the server.
            port: its TCP port.
            constants: entries sent with every observation.
            api_key: sent where the protocol has a place for it.
            expect_model: the identity to demand; empty accepts the first that answers and holds on to it.
            patience: limits for every wait.

        Raises:
            GaugeError: an unknown protocol, a missing package, or an impossible address.
        """
        self.spec, self.identity = profile.spec, expect_model
        self._profile, self._patience = profile, patience
        address = Address(host, port, api_key)
        waits = (patience.connect_timeout_s, patience.call_timeout_s)
        reach = Reach(address, *waits, profile.handshake, _picture(profile), constants or {})
        self._where = f"{host}:{port}"
        self._client = dialect(profile.protocol)(reach)
        self._open = self._answered = self._lost = False

    @property
    def lost(self) -> bool:
        """Whether the last episode ended because no server was there any more, whatever a server may have said."""
        return self._lost

    def check(self) -> None:
        """Prove that the right server answers, with one try; called before any simulator is started.

        Raises:
            GaugeError: nobody answers, or it is not the server that the profile says.
        """
        self._connect()
        self.close()

    def close(self) -> None:
        """Drop the connection, if there is one."""
        self._client.close()
        self._open = False

    def _begin(self, instruction: str) -> None:
        self._lost = False
        try:
            patiently(self._connect, self._patience)
            self._client.begin(self._profile.filled(instruction))
        except GaugeError as error:
            self._lost = isinstance(error, UnreachableError | LostConnectionError)
            self.close()
            raise error if isinstance(error, PolicyError) else PolicyError(str(error)) from error

    def _connect(self) -> None:
        self.close()
        try:
            found = self._client.open()
        except UnreachableError as error:
            raise UnreachableError(error.what, ADVICE) from error
        if self.identity and found != self.identity:
            self._client.close()
            raise GaugeError(
                f"the policy server at {self._where} answers as {found}, but this run evaluates {self.identity}; "
                "give every run a port of its own"
            )
        self.identity, self._open = found, True

    def _ask(self, observations: Sequence[Observation]) -> list[NDArray[np.float64]]:
        if not self._open:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        try:
            looks = [self._look(one) for one in observations]
            answers = self._client.ask(looks, self._patience.for_call(self._answered))
            chunks = [actions(answer, self._profile) for answer in answers]
        except GaugeError as error:
            self._lost = isinstance(error, LostConnectionError)
            self._answered = self._answered and not self._lost  # a server started anew may compile again
            self.close()
            raise
        self._answered = True
        return chunks

    def _look(self, observation: Observation) -> Look:
        profile = self._profile
        images = [sent(observation.images[view.camera], profile, k) for k, view in enumerate(profile.views)]
        black = np.zeros_like(images[0]) if images else np.zeros((*profile.render, 3), np.uint8)
        shown = (*images, *[black] * profile.blank)
        return Look(shown, len(images), observation.state, profile.filled(observation.instruction))


class ServedPolicy(Served):
    """One episode after the other, each on a connection of its own."""

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Connect anew and tell the server of the episode, where its protocol can.

        Raises:
            PolicyError: no server answers after all attempts, or a different one does.
        """
        self._begin(instruction)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The server's next actions, [T, 7].

        Raises:
            PolicyError: the server was lost, failed, is too late, or answered with other shapes or no numbers.
        """
        return self._ask([observation])[0]


class ServedBatchPolicy(Served, BatchPolicy[None]):
    """The same for a server that keeps no state and answers several observations in one request."""

    def begin(self, instruction: str, rng: np.random.Generator) -> None:
        """Connect, unless other episodes did already.

        Raises:
            PolicyError: no server answers after all attempts, or a different one does.
        """
        if not self._open:
            self._begin(instruction)

    def act_batch(self, states: Sequence[None], observations: Sequence[Observation]) -> list[NDArray[np.float64]]:
        """Every observation's next actions, [T, 7], all asked in one request.

        Raises:
            PolicyError: the server was lost, failed, is too late, or answered with other shapes or no numbers.
        """
        if not self._open:  # the request before failed; whoever is still playing asks anew
            self._begin(observations[0].instruction)
        return self._ask(observations)

    def close(self) -> None:
        """Drop the connection, if there is one."""
        Served.close(self)


def _picture(profile: Profile) -> tuple[int, int] | None:
    """Height and width of what is sent for the first view."""
    if not profile.views:
        return None
    height, width, _ = sent(np.zeros((*profile.render, 3), np.uint8), profile, 0).shape
    return height, width
