"""Where and how to let a held object go, tried out in imagination: lowered from above or slid in from a side."""

from collections.abc import Iterator
from itertools import islice

from gauge.policies.expert.from_above import leaning, upright
from gauge.policies.expert.from_side import slid_in
from gauge.policies.expert.motion import Arm
from gauge.policies.expert.propped import propped
from gauge.policies.expert.spot import Spot, fits
from gauge.policies.expert.targets import Target

SPOTS, SLIDES = 12, 3


def find_spot(arm: Arm, target: Target) -> Spot | None:
    """The first spot with a free way to it where the object, let go in imagination, comes to rest as it should.

    Failing that, the one that is nearest to it: rest before way, and then the first.
    """
    held, best = arm.held, None
    if held is None:
        return None
    for spot in islice(_spots(arm, target), SPOTS):
        rests = target.accepts(arm.imagination.dropped(held, spot.hand(held.in_hand)).position)
        hits = arm.route(spot.way(held.in_hand)[0]).collisions if rests else 0
        if rests and hits == 0:
            return spot
        if best is None or (not rests, hits) < best[:2]:
            best = (not rests, hits, spot)
    return None if best is None else best[2]


def _spots(arm: Arm, target: Target) -> Iterator[Spot]:
    """Spots in the order to try: lowered from above with little turning, slid in from a side, leaning over."""
    hand = arm.world.hand().rotation
    last, stands = None, False
    for spot, low in upright(arm, target, hand):
        inside = _falls_in(arm, target, spot)
        stands = stands or inside
        if low and inside:
            yield spot
        elif last is None or spot.cost < last.cost:
            last = spot
    if last is not None and _falls_in(arm, target, last):
        yield last
    yield from islice(slid_in(arm, target, hand), SLIDES)
    if not stands:
        yield from leaning(arm, target, hand)
    else:
        yield from propped(arm, target, hand)
    if last is not None:
        yield last


def _falls_in(arm: Arm, target: Target, spot: Spot) -> bool:
    """Whether an object let go at `spot` is where the predicate holds or has nothing under it before it gets there."""
    return spot.origin[2] <= target.inside or fits(arm, spot, target.inside)
