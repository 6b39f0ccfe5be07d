"""What came out here beside what is on record: the same to the bit, as far off as another machine may be, or farther.

Physics is the same to the bit on one machine. Another processor rounds otherwise, and contacts make more of that.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gauge.certify.solution import End
from gauge.suites.certificate import Starts, Witness

START_M = 0.001  # how far the target may start from where it did
END_M = 0.01  # how far from where it did the witness may leave it
END_STEPS = 3  # how many control steps earlier or later the goal may be reached


class Difference(NamedTuple):
    """Something that is not as on record, and whether another machine may be that far off."""

    what: str
    tolerable: bool


def start(known: Starts, index: int, hash_: str, place: Sequence[float]) -> Iterator[Difference]:
    """What differs in an initial state, given its hash and where the target is on the table, [2] m."""
    if hash_ != known.hashes[index]:
        off = math.dist(place, known.places[index])
        what = f"start {index} differs: its target lies {1000 * off:.1f} mm from where it was"
        yield Difference(what, off <= START_M)


def end(known: Witness, here: End | None) -> Iterator[Difference]:
    """What differs in how the witness ends; None if it never reaches the goal."""
    if here is None:
        yield Difference(f"the witness reaches the goal never, not after {known.step} steps", False)
        return
    if here.step != known.step:
        what = f"the witness reaches the goal after {here.step} steps, not after {known.step} steps"
        yield Difference(what, abs(here.step - known.step) <= END_STEPS)
    if known.end and here.hash != known.end:
        off = math.dist(here.place, known.rest_m)
        what = f"the witness ends in another state: its target lies {1000 * off:.1f} mm from where it did"
        yield Difference(what, off <= END_M)
