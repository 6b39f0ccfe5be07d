"""Resampling of whole scenarios for bootstrap intervals.

Rollouts of one scenario resemble each other, so whole scenarios are resampled, all models and combinations of a
scenario together (R and D-RMSD compare the same scenario with and without perturbation). Scenarios are drawn within
groups whose sizes the suites fix. Each resample draws one scenario fewer than a group has and weights up (Rao and Wu,
1988), because drawing all of them makes intervals of few scenarios too narrow; for the same reason the ends
follow Student's t (the expanded percentile interval of Hesterberg, 2015).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

RESAMPLES = 2000

Matrix = NDArray[np.float64]


class Resamples(NamedTuple):
    """Bootstrap weights of scenarios, and how many degrees of freedom they have.

    Attributes:
        weights: [B, S], mean 1; a weight is how often the scenario counts.
        freedom: scenarios minus groups.
    """

    weights: Matrix
    freedom: int


def resample(strata: Sequence[object], rng: np.random.Generator, resamples: int = RESAMPLES) -> Resamples:
    """Rao-Wu weights for scenarios in `strata`; a scenario that is alone in its stratum shares one with its like.

    Args:
        strata: the group of each of the S scenarios.
        rng: source of the draws.
        resamples: B.
    """
    codes = pd.factorize(pd.Series(list(strata), dtype=object))[0]
    sizes = np.bincount(codes)
    codes = np.where(sizes[codes] == 1, len(sizes), codes)
    weights = np.ones((resamples, len(codes)))
    groups = [np.flatnonzero(codes == code) for code in np.unique(codes)]
    for members in groups:
        size = len(members)
        if size > 1:
            drawn = rng.multinomial(size - 1, np.full(size, 1 / size), size=resamples)
            weights[:, members] = drawn * (size / (size - 1))
    return Resamples(weights, len(codes) - len(groups))


class Resampler:
    """Weights for whichever of the scenarios were evaluated: they alone are drawn, so a few count as a few.

    The same scenarios get the same weights, so all models and combinations on them are resampled together.
    """

    def __init__(self, strata: Sequence[object], rng: np.random.Generator, resamples: int) -> None:
        self._strata = list(strata)
        self._rng = rng
        self._resamples = resamples
        self._drawn: dict[bytes, Resamples] = {}

    def over(self, known: NDArray[np.bool_]) -> Resamples:
        """Weights [B, S] of all scenarios, 0 for those that are not `known` [S]."""
        key = known.tobytes()
        if key not in self._drawn:
            strata = [stratum for stratum, used in zip(self._strata, known, strict=True) if used]
            drawn = resample(strata, self._rng, self._resamples)
            weights = np.zeros((self._resamples, len(known)))
            weights[:, known] = drawn.weights
            self._drawn[key] = Resamples(weights, drawn.freedom)
        return self._drawn[key]


def percentile_ends(values: Matrix, freedom: int, confidence: float) -> tuple[float, float]:
    """The expanded percentile interval of resampled `values` [B]; undefined ones (0 / 0) are left out."""
    tail = float(stats.norm.cdf(_t(freedom, confidence)))
    low, high = np.nanquantile(values, [tail, 1 - tail])
    return float(low), float(high)


def log_ends(values: Matrix, point: float, freedom: int, confidence: float) -> tuple[float, float]:
    """Student's t interval on the log scale, for positive and skewed scores such as a root mean square.

    Percentiles of such a score leave out the truth too often when scenarios are few. Where a resample is 0 there is no
    log; then the percentiles are all there is.
    """
    known = values[~np.isnan(values)]
    if point <= 0 or not len(known) or known.min() <= 0:
        return percentile_ends(values, freedom, confidence)
    width = -_t(freedom, confidence) * float(np.log(known).std(ddof=1))
    return float(point * np.exp(-width)), float(point * np.exp(width))


def _t(freedom: int, confidence: float) -> float:
    """The lower quantile of Student's t that leaves `confidence` between it and its mirror image."""
    return float(stats.t.ppf((1 - confidence) / 2, max(freedom, 1)))
