"""Evo-1's websocket (MINT-SJTU/Evo-1 `Evo_1/scripts/Evo1_server.py`): JSON text both ways.

The server resizes to 448, swaps the colour channels it was trained with, normalises and un-normalises. It says
nothing about itself.
"""

import json
from collections.abc import Sequence
from typing import Any

from gauge.errors import PolicyError
from gauge.wire.client import Line
from gauge.wire.dialects.base import Look, Reach

ACTION_SIZE = 24
USED = 7


class Evo1:
    """One connection per episode; the server keeps no state."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._line: Line | None = None

    def open(self) -> str:
        """Connect; who answers cannot be known."""
        self.close()
        self._line = Line(self._reach.address, self._reach.connect_timeout_s, self._reach.send_timeout_s)
        return "evo1/unnamed"

    def begin(self, instruction: str) -> None:
        """Nothing: the protocol has no message for it."""

    def ask(self, looks: Sequence[Look], timeout_s: float) -> list[Any]:
        """The chunk [H, 24] of every observation, asked one by one."""
        return [self._act(look, timeout_s) for look in looks]

    def close(self) -> None:
        """Drop the connection."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def _act(self, look: Look, timeout_s: float) -> Any:
        if self._line is None:
            raise PolicyError("there is no connection to the policy server; the episode must be started anew")
        message = {
            "image": [image.tolist() for image in look.images],
            "state": look.state.tolist(),
            "prompt": look.prompt,
            "image_mask": [int(number < look.cameras) for number in range(len(look.images))],
            "action_mask": [1] * USED + [0] * (ACTION_SIZE - USED),
            **self._reach.constants,
        }
        raw = self._line.exchange(json.dumps(message), timeout_s)
        try:
            return json.loads(raw)
        except ValueError as error:
            raise PolicyError("the policy server's answer is no JSON; is it an Evo-1 server?") from error
