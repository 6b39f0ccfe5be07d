"""A policy broken on purpose, in each of the ways that the probe looks for: would it find them in this policy?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.table import Table

from gauge.core.policy import Observation, Policy
from gauge.models.conventions import SEEN, Suspicion, judge
from gauge.models.moments import Moment
from gauge.models.questions import CHANGES, ask_all, black

WHOLE = "none"
GRIPPER, MIXED, SCALE, STALE = "inverted gripper", "deltas and poses mixed up", "wrong scale of actions", "stale chunk"
DEAF, BLIND = "ignored instruction", "ignored image"
FAULTS = (WHOLE, GRIPPER, *SEEN.values(), MIXED, SCALE, STALE, DEAF, BLIND)
METRES = 0.05  # of a full delta, robosuite's scale
TOO_SMALL = 0.05


class Broken:
    """The policy with one of `FAULTS`; `WHOLE` leaves it as it is."""

    def __init__(self, policy: Policy, fault: str) -> None:
        self.spec, self.identity = policy.spec, f"{policy.identity} ({fault})"
        self._policy, self._fault = policy, fault
        self._told = ""
        self._last: NDArray[np.float64] | None = None

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Begin an episode; a deaf one hears what it heard first for ever."""
        self._told = self._told or instruction
        self._last = None
        self._policy.reset(self._heard(instruction), rng)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The policy's answer, or what the fault makes of it."""
        images = observation.images
        for change, fault in SEEN.items():
            images = CHANGES[change](images) if fault == self._fault else images
        images = black(images) if self._fault == BLIND else images
        shown = {camera: np.ascontiguousarray(frame) for camera, frame in images.items()}
        heard = self._heard(observation.instruction)
        answer = np.array(self._policy.act(replace(observation, images=shown, instruction=heard)))
        stale, self._last = self._last, answer
        if self._fault == STALE and stale is not None:
            return stale
        return self._spoiled(answer, observation)

    def close(self) -> None:
        """Nothing: the policy is its owner's."""

    def _heard(self, instruction: str) -> str:
        return self._told if self._fault == DEAF else instruction

    def _spoiled(self, answer: NDArray[np.float64], observation: Observation) -> NDArray[np.float64]:
        found = answer.copy()
        if self._fault == GRIPPER:
            found[:, 6] = -found[:, 6]
        elif self._fault == SCALE:
            found[:, :6] *= TOO_SMALL
        elif self._fault == MIXED:
            found[:, :3] = observation.state[:3] + METRES * found[:, :3]
        return found


def confusion(policy: Policy, moments: Sequence[Moment], said: Sequence[str], seed: int) -> dict[str, list[Suspicion]]:
    """What the probe finds in the policy with each fault.

    Raises:
        PolicyError: an answer is none.
    """
    return {fault: judge(ask_all(Broken(policy, fault), moments, said, seed)) for fault in plantable(policy)}


def plantable(policy: Policy) -> list[str]:
    """The faults that this policy can have."""
    without = {
        **dict.fromkeys([*SEEN.values(), BLIND], not policy.spec.cameras),
        SEEN["swapped_cameras"]: len(policy.spec.cameras) != 2,
        MIXED: policy.spec.state == "none" or policy.spec.action == "osc_absolute",
    }
    return [fault for fault in FAULTS if not without.get(fault, False)]


def confusion_table(found: Mapping[str, Sequence[Suspicion]], name: str) -> Table:
    """A row per planted fault, and what was suspected."""
    table = Table(title=f"faults planted in {name}", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("planted", "suspected", "verdict", "evidence"):
        table.add_column(head, overflow="fold")
    for fault, lines in found.items():
        suspected = [one.fault for one in lines if one.found == "suspected"]
        right = suspected == ([] if fault == WHOLE else [fault])
        evidence = "; ".join(one.evidence for one in lines if one.fault == fault or one.fault in suspected)
        colour = "green" if right else "red"
        table.add_row(fault, ", ".join(suspected) or "-", f"[{colour}]{'right' if right else 'wrong'}[/]", evidence)
    return table
