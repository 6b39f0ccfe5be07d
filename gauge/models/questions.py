"""The questions of the convention probe: every moment as it was, and with one thing changed at a time."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import Observation, Policy, checked_chunk, oriented
from gauge.models.conventions import Behaviour
from gauge.models.moments import Moment

Array = NDArray[np.float64]
Images = dict[str, NDArray[np.uint8]]


def flipped(images: Images) -> Images:
    """Upside down."""
    return {camera: frame[::-1] for camera, frame in images.items()}


def mirrored(images: Images) -> Images:
    """Left and right exchanged."""
    return {camera: frame[:, ::-1] for camera, frame in images.items()}


def turned(images: Images) -> Images:
    """By half a turn."""
    return {camera: frame[::-1, ::-1] for camera, frame in images.items()}


def swapped_colours(images: Images) -> Images:
    """Red and blue exchanged."""
    return {camera: frame[:, :, ::-1] for camera, frame in images.items()}


def swapped_cameras(images: Images) -> Images:
    """Each camera's picture in the place of the other's."""
    return dict(zip(images, reversed(list(images.values())), strict=True))


def black(images: Images) -> Images:
    """Nothing to see."""
    return {camera: np.zeros_like(frame) for camera, frame in images.items()}


CHANGES: dict[str, Callable[[Images], Images]] = {
    "flipped": flipped,
    "mirrored": mirrored,
    "turned": turned,
    "swapped_colours": swapped_colours,
    "swapped_cameras": swapped_cameras,
}


def ask_all(policy: Policy, moments: Sequence[Moment], instructions: Sequence[str], seed: int = 0) -> Behaviour:
    """Put every question; each but the sequel begins an episode of its own, with the same generator.

    Args:
        policy: whom.
        moments: all with a moment before them.
        instructions: of all tasks; the other instruction of a moment is the next one of these.
        seed: of the generator that every episode begins with.

    Raises:
        PolicyError: an answer is none.
    """
    asked = [_Asked(policy, moment, seed) for moment in moments]
    executed = min(policy.spec.executed, len(moments[0].expert))
    others = {one: instructions[(k + 1) % len(instructions)] for k, one in enumerate(instructions)}
    views = len(policy.spec.cameras)
    changes = {name: change for name, change in CHANGES.items() if views > 1 or (views and name != "swapped_cameras")}
    return Behaviour(
        expert=np.stack([moment.expert[:executed] for moment in moments]),
        hands=np.stack([moment.hand for moment in moments]),
        usual=np.stack([one.alone()[:executed] for one in asked]),
        again=np.stack([one.alone()[:executed] for one in asked]),
        changed={name: np.stack([one.alone(change)[:executed] for one in asked]) for name, change in changes.items()},
        black=np.stack([one.alone(black)[:executed] for one in asked]) if views else None,
        other=None if len(others) < 2 else np.stack([one.told(others)[:executed] for one in asked]),
        sequel=np.stack([one.second()[:executed] for one in asked]),
        before=np.stack([one.first()[:executed] for one in asked]),
        absolute=policy.spec.action == "osc_absolute",
    )


class _Asked:
    """One moment's questions."""

    def __init__(self, policy: Policy, moment: Moment, seed: int) -> None:
        self._policy, self._moment, self._seed = policy, moment, seed

    def alone(self, change: Callable[[Images], Images] = dict) -> Array:
        """The moment, with its pictures changed."""
        self._reset(self._moment.instruction)
        return self._ask(self._moment, change(self._moment.images), self._moment.instruction)

    def told(self, others: dict[str, str]) -> Array:
        """Another instruction."""
        other = others[self._moment.instruction]
        self._reset(other)
        return self._ask(self._moment, self._moment.images, other)

    def first(self) -> Array:
        """The moment before."""
        before = self._before()
        self._reset(before.instruction)
        return self._ask(before, before.images, before.instruction)

    def second(self) -> Array:
        """The moment, in an episode that was asked about the one before."""
        self.first()
        return self._ask(self._moment, self._moment.images, self._moment.instruction)

    def _before(self) -> Moment:
        assert self._moment.before is not None
        return self._moment.before

    def _reset(self, instruction: str) -> None:
        self._policy.reset(instruction, np.random.default_rng(self._seed))

    def _ask(self, moment: Moment, images: Images, instruction: str) -> Array:
        spec = self._policy.spec
        shown = {camera: oriented(np.ascontiguousarray(frame), spec.orientation) for camera, frame in images.items()}
        return checked_chunk(self._policy.act(Observation(shown, moment.state, instruction, moment.step)), spec)
