"""A policy on the other side of openpi's websocket protocol."""

import logging
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gauge.core.contract import agree, whole
from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError, PolicyError, unknown
from gauge.wire.client import (
    USUAL,
    Address,
    Connection,
    LostConnectionError,
    Patience,
    ServerTracebackError,
    UnreachableError,
    check_health,
    patiently,
)
from gauge.wire.handshake import Declared, declared
from gauge.wire.messages import LIBERO_KEYS, STEP, actions, pack_observation, pack_reset

logger = logging.getLogger(__name__)


class RemotePolicy:
    """Asks a server for every chunk; the images are sent as they are observed, never turned or resized.

    1. `check` connects once before anything is simulated: it compares the server's spec with `spec`.
    2. `reset` connects anew for every episode, so that no answer of the last one can be left over. Who
       answers must be who answered first.
    3. `act` sends one observation and returns the answer unrepaired.
    4. After any fault within an episode the connection is dropped and the episode cannot go on.

    A server of gauge is told of each reset and of the state of its generator; openpi's own protocol has
    no message for that, so a plain openpi server sees a new connection only; RoboArena's dialect
    is `gauge.wire.dialects.openpi`.
    """

    def __init__(
        self,
        spec: PolicySpec,
        host: str = "127.0.0.1",
        port: int = 8000,
        keys: Mapping[str, str] = LIBERO_KEYS,
        api_key: str = "",
        expect_model: str = "",
        patience: Patience = USUAL,
    ) -> None:
        """Nothing is connected yet.

        Args:
            spec: what the policy wants and gives, as declared in the model's profile.
            host: name, address or `wss://` URL of the server.
            port: its TCP port.
            keys: names in the message for `agentview`, `robot0_eye_in_hand`, `state` and `prompt`, where they
                differ from openpi's LIBERO names.
            api_key: sent as openpi's `Authorization: Api-Key ...`.
            expect_model: the identity to demand; empty accepts the first that answers and holds on to it.
            patience: limits for every wait.

        Raises:
            GaugeError: `keys` names something else, or the policy would be privileged.
        """
        for name in keys:
            if name not in LIBERO_KEYS:
                raise unknown("entry of an observation", name, list(LIBERO_KEYS))
        if spec.privileged:
            raise GaugeError("a remote policy cannot be privileged: the simulator's state is not sent")
        self.spec = spec
        self.identity = expect_model
        self._address = Address(host, port, api_key)
        self._keys = {**LIBERO_KEYS, **keys}
        self._patience = patience
        self._connection: Connection | None = None
        self._server = Declared("")
        self._answered = False
        self._lost = False

    @property
    def lost(self) -> bool:
        """Whether the last episode ended because no server was there any more, whatever a server may have said."""
        return self._lost

    def check(self) -> None:
        """Prove that the right server answers, with one try; called before any simulator is started.

        Raises:
            GaugeError: nobody answers, it is another policy, or its spec differs (with a table).
        """
        check_health(self._address, self._patience.connect_timeout_s)
        self._connect()
        self.close()

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Connect anew and, on a server of gauge, start the episode.

        Raises:
            PolicyError: no server answers after all attempts, or a different one does.
        """
        self.close()
        self._lost = False
        try:
            patiently(self._connect, self._patience)
        except GaugeError as error:
            self._lost = isinstance(error, UnreachableError)
            raise PolicyError(str(error)) from error
        if self._server.spec is not None:
            self._ask(pack_reset(instruction, rng))

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The server's next actions, [T, 7] if it keeps to its spec.

        Raises:
            PolicyError: the connection was lost, the server failed, is too late, or sent no numbers.
        """
        message = pack_observation(observation, self.spec, self._keys)
        if self._server.spec is not None:
            message[STEP] = observation.step
        answer = self._ask(message)
        self._answered = True
        return actions(answer)

    def close(self) -> None:
        """Drop the connection, if there is one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, message: dict[str, object]) -> object:
        if self._connection is None:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        try:
            return self._connection.ask(message, self._patience.for_call(self._answered))
        except GaugeError as error:
            self._lost = isinstance(error, LostConnectionError)
            if self._lost:
                self._answered = False
            if isinstance(error, ServerTracebackError):
                logger.error("the policy server at %s failed:\n%s", self._address.url, error.text)
            self.close()
            raise

    def _connect(self) -> None:
        connection = Connection(self._address, self._patience.connect_timeout_s, self._patience.call_timeout_s)
        try:
            server = declared(connection.metadata)
            self._verify(server)
        except GaugeError:
            connection.close()
            raise
        # A server that was started anew may have to compile again.
        self._answered = self._answered and server.session == self._server.session
        self._connection, self._server, self.identity = connection, server, server.identity

    def _verify(self, server: Declared) -> None:
        if self.identity and server.identity != self.identity:
            raise GaugeError(
                f"the policy server at {self._address.url} answers as {server.identity}, "
                f"but this run evaluates {self.identity}; give every run a port of its own"
            )
        if server.spec is not None:
            advice = "correct the profile, or serve the policy that it describes"
            agree(f"the policy server at {self._address.url}", whole(self.spec, server.spec), advice)
