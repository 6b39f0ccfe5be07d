"""Actions that reach a goal, and how; stored, read and handed over without the simulator."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError
from gauge.suites.certificate import WITNESSES, Certificate
from gauge.suites.scenario import Scenario


class End(NamedTuple):
    """How played actions reached a goal.

    Attributes:
        step: after how many control steps it first held.
        hash: of the state after ten more, idle ones; exact to the bit on one machine. Empty if not on record.
        place: of the target in that state, [3] m, in the world.
    """

    step: int
    hash: str = ""
    place: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Solution:
    """Actions [T, 7] that reach the goal from a start, and how."""

    state: int
    actions: NDArray[np.float32]
    end: End


def write_actions(path: Path, solution: Solution) -> None:
    """Store the actions; the file appears whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        np.savez_compressed(file, actions=solution.actions)
    temporary.replace(path)


def read_actions(one: Scenario, known: Certificate) -> Solution | None:
    """The witness's actions.

    Raises:
        GaugeError: their file is missing or damaged.
    """
    if known.witness is None:
        return None
    path = Path(one.folder) / WITNESSES / known.witness.actions
    try:
        with np.load(path, allow_pickle=False) as stored:
            end = End(known.witness.step, known.witness.end, known.witness.rest_m)
            return Solution(known.witness.state, stored["actions"], end)
    except (OSError, ValueError, KeyError) as error:
        raise GaugeError(f"{path} is no witness ({error}); type python -m gauge.certify fresh=true") from error
