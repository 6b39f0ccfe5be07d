"""From a policy's behaviour at a few moments to suspicions about its conventions. Pure: arrays in, sentences out.

Every moment was reached by the scripted expert, whose own next actions are the yardstick: the policy need not be good,
but where it agrees more with the expert once its pictures are turned, they are probably turned. A suspicion comes with
its numbers; where a policy agrees with the expert in no reading, the probe says that it cannot tell.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Found = Literal["suspected", "not seen", "cannot tell"]

# Changes of an observation, and the fault that each would undo.
SEEN = {
    "flipped": "image upside down",
    "mirrored": "image mirrored left to right",
    "turned": "image turned by half a turn",
    "swapped_colours": "red and blue exchanged",
    "swapped_cameras": "cameras exchanged",
}
AGREES = 0.5  # cosine from which on a policy means what the expert means
BETTER = 0.15  # by which a changed picture must agree more than the usual one
SAME = 0.01  # relative change of an answer that counts as none, beside what a repetition changes
INVERTED = 0.25  # share of gripper commands that agree with the expert's, below which they are inverted
SCALE = (0.4, 2.5)  # of the expert's motion, beyond which the scale is off
NEAR_M = 0.15  # from the hand: numbers that are positions, not deltas
FAR_M = 0.5  # from the hand: numbers that are no positions


@dataclass(frozen=True)
class Behaviour:
    """What was asked and answered at M moments, in the environment's gripper sign; chunks hold the executed actions.

    Attributes:
        expert: [M, T, 7], what the expert did next.
        hands: [M, 3], where the hand was (m, the world's frame).
        usual: [M, T, 7], the policy's answers.
        again: the same question once more.
        changed: the answers to changed pictures, by the names of `SEEN`; a name may be missing.
        black: answers to black pictures; None for a policy without cameras.
        other: answers to another instruction; None where there is none.
        sequel: answers at every moment, asked as the second question of an episode whose first one was `before`.
        before: [M, T, 7], the usual answers at the moments before these.
        absolute: whether the spec says that arm actions are poses.
    """

    expert: Array
    hands: Array
    usual: Array
    again: Array
    changed: Mapping[str, Array] = field(default_factory=dict)
    black: Array | None = None
    other: Array | None = None
    sequel: Array | None = None
    before: Array | None = None
    absolute: bool = False

    def motion(self, chunks: Array) -> Array:
        """Where the arm is sent, [M, 3]: the mean delta, or for poses the way from the hand (m)."""
        return self._from_hand(chunks) if self.absolute else chunks[:, :, :3].mean(axis=1)

    def agreement(self, chunks: Array) -> float:
        """Cosine between the policy's and the expert's motions, all moments together; 0 where one does not move."""
        return cosine(self.motion(chunks), self.expert[:, :, :3].mean(axis=1))

    def _from_hand(self, chunks: Array) -> Array:
        found: Array = chunks[:, -1, :3] - self.hands
        return found


class Suspicion(NamedTuple):
    """One fault, whether it shows, and the numbers."""

    fault: str
    found: Found
    evidence: str


def judge(seen: Behaviour) -> list[Suspicion]:
    """One line per fault."""
    return [
        _gripper(seen),
        *_pictures(seen),
        _mixed_up(seen),
        _scale(seen),
        _stale(seen),
        _ignored("ignored instruction", "another instruction", seen, seen.other),
        _ignored("ignored image", "black pictures", seen, seen.black),
    ]


def cosine(one: Array, other: Array) -> float:
    """Of two arrays as flat vectors; 0 where one is zero."""
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum() / size) if size > 1e-12 else 0.0


def apart(one: Array, other: Array) -> float:
    """Root mean square difference, relative to the first."""
    return float(np.linalg.norm(one - other) / max(float(np.linalg.norm(one)), 1e-12))


def _gripper(seen: Behaviour) -> Suspicion:
    name, wanted = "inverted gripper", np.sign(seen.expert[:, :, 6])
    share = float((np.sign(seen.usual[:, :, 6]) == wanted).mean())
    text = f"{share:.0%} of the gripper commands are the expert's"
    if len(np.unique(wanted)) < 2:
        return Suspicion(name, "cannot tell", f"{text}, who only ever opened or closed at these moments")
    if len(np.unique(np.sign(seen.usual[:, :, 6]))) < 2:
        return Suspicion(name, "cannot tell", f"{text}; the policy's never change")
    return Suspicion(name, "suspected" if share < INVERTED else "not seen", text)


def _pictures(seen: Behaviour) -> Iterator[Suspicion]:
    """The change that agrees best is suspected alone: half a turn, say, also undoes half of being upside down."""
    usual = seen.agreement(seen.usual)
    scores = {name: seen.agreement(chunks) for name, chunks in seen.changed.items()}
    best = max(scores, key=lambda name: scores[name], default="")
    for name, fault in SEEN.items():
        if name not in scores:
            yield Suspicion(fault, "cannot tell", "it does not look through two cameras")
            continue
        text = f"agreement with the expert {usual:+.2f}, {scores[name]:+.2f} with pictures {name.replace('_', ' ')}"
        if max(usual, scores[best]) < AGREES:
            yield Suspicion(fault, "cannot tell", f"{text}: too little in both")
        else:
            better = name == best and scores[name] > usual + BETTER and scores[name] >= AGREES
            yield Suspicion(fault, "suspected" if better else "not seen", text)


def _mixed_up(seen: Behaviour) -> Suspicion:
    name = "deltas and poses mixed up"
    away = np.linalg.norm(seen.usual[:, :, :3] - seen.hands[:, None], axis=2)
    median = float(np.median(away))
    what = "poses" if seen.absolute else "deltas"
    text = f"read as positions, its {what} lie {median:.2f} m from the hand (median)"
    wrong = median > FAR_M if seen.absolute else median < NEAR_M
    return Suspicion(name, "suspected" if wrong else "not seen", text)


def _scale(seen: Behaviour) -> Suspicion:
    name, agreement = "wrong scale of actions", seen.agreement(seen.usual)
    if seen.absolute:
        return Suspicion(name, "cannot tell", "poses have no scale that the expert's deltas could be held against")
    size = float(np.linalg.norm(seen.motion(seen.usual)) / np.linalg.norm(seen.expert[:, :, :3].mean(axis=1)))
    text = f"{size:.2f} times the expert's motion, agreement {agreement:+.2f}"
    beyond = float((np.abs(seen.usual[:, :, :6]) > 1.0).mean())
    text += f", {beyond:.0%} of the numbers beyond [-1, 1]" if beyond else ""
    off = not SCALE[0] <= size <= SCALE[1]
    if off and agreement < AGREES:
        return Suspicion(name, "cannot tell", f"{text}: too little")
    return Suspicion(name, "suspected" if off else "not seen", text)


def _stale(seen: Behaviour) -> Suspicion:
    name = "stale chunk"
    if seen.sequel is None or seen.before is None:
        return Suspicion(name, "cannot tell", "no moment followed another")
    old, new = apart(seen.sequel, seen.before), apart(seen.sequel, seen.usual)
    text = f"a second answer differs by {old:.0%} from the first one, by {new:.0%} from the same question asked alone"
    if apart(seen.usual, seen.before) <= SAME:
        return Suspicion(name, "cannot tell", f"{text}; both moments have the same answer")
    return Suspicion(name, "suspected" if old < 0.5 * new else "not seen", text)


def _ignored(name: str, change: str, seen: Behaviour, answers: Array | None) -> Suspicion:
    if answers is None:
        return Suspicion(name, "cannot tell", f"there is no question with {change}")
    found, noise = apart(seen.usual, answers), apart(seen.usual, seen.again)
    text = f"{change} change its answers by {found:.1%}, asking again by {noise:.1%}".replace(
        "another instruction change", "another instruction changes"
    )
    return Suspicion(name, "suspected" if found <= noise + SAME else "not seen", text)
