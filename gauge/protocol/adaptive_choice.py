"""Adaptive budget for stage 2: fewer rollouts where it is clear which candidate the full grid would retain (ours).

The same idea as in `gauge.protocol.adaptive`. That a candidate is not saturated is certain from its first success on;
one without any is run to its end. Among the others of one number of categories the race is about the highest D-HM.
"""

import numpy as np

from gauge.protocol.adaptive import TELL, Codes, Floats, Look, complete, ratio_to_clean, repeat
from gauge.protocol.selection import EPSILON
from gauge.protocol.tables import TIE
from gauge.protocol.twins import Counts


def look(counts: Counts, clean: Floats, size: Codes, error: float, rng: np.random.Generator) -> Look:
    """Which candidates are to run on.

    Args:
        counts: [C, M, 2] of C candidates, see `gauge.protocol.twins`.
        clean: [C, M] clean success in the scenarios in which each is evaluated; above 0.
        size: [C] number of categories; one candidate is retained of each.
        error: the stated share of completed grids that may retain another one.
        rng: source of the draws.
    """
    left = counts.left.sum(axis=(1, 2)) > 0
    alive = counts.successes.sum(axis=(1, 2)) > 0
    seen = Counts(counts.successes, counts.n, np.zeros_like(counts.left))
    now = d_hm(ratio_to_clean(seen.successes, seen, clean)[:, None])[0]
    completed = d_hm(ratio_to_clean(complete(counts, rng), counts, clean))
    repeated = d_hm(ratio_to_clean(repeat(counts, rng), counts, clean))
    refuted = np.zeros(completed.shape, bool)
    for one in np.unique(size):
        own = np.flatnonzero((size == one) & alive)
        if len(own) > 1:
            chosen = own[np.argmax(now[own])]
            between = (repeated[:, own] - repeated[:, [chosen]]).std(axis=0)
            refuted[:, own] = completed[:, own] - completed[:, [chosen]] > TELL * between + TIE
            refuted[:, chosen] = refuted[:, own].any(axis=1)
    wrong = float(refuted.any(axis=1).mean())
    doubtful = refuted.any(axis=0) if wrong > error else np.zeros(len(left), bool)
    return Look(wrong, left & (doubtful | ~alive))


def d_hm(r: Floats) -> Floats:
    """D-HM [B, C] for R [M, B, C] in percent, see `gauge.protocol.selection.d_hm`."""
    lost = np.maximum(0.0, 1.0 - r / 100.0)
    found: Floats = len(r) / (1.0 / (lost + EPSILON)).sum(axis=0) - EPSILON
    return found
