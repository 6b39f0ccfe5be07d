"""What a number of rollouts can show: the smallest difference it detects, and how many a difference needs.

"Detect" means that the exact test of the comparison, at level `alpha`, finds it in `power` of all repetitions.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize

ALPHA = 0.05
POWER = 0.8


def paired_power(n: int, difference: float, changed: float, alpha: float = ALPHA) -> float:
    """How often the exact McNemar test on n pairs finds a true difference, in [0, 1].

    Args:
        n: pairs.
        difference: true difference of the two rates, in (0, 1].
        changed: share of pairs that change sides, in [difference, 1].
        alpha: level of the test.
    """
    counts = np.arange(n + 1)
    weight = stats.binom.pmf(counts, n, changed)
    likely = weight > 1e-12
    counts, weight, edge = counts[likely], weight[likely], _edges(n, alpha)[likely]
    share = (changed + difference) / (2 * changed)
    decided = stats.binom.cdf(edge, counts, share) + stats.binom.sf(counts - edge - 1, counts, share)
    return float(weight @ decided)


@lru_cache(maxsize=64)
def _edges(n: int, alpha: float) -> NDArray[np.float64]:
    """Per number of changed pairs, 0 to n, the largest count of the rarer side at which the test still decides.

    -1 where it never does. Kept, because a table of comparisons asks for few n and finding it is most of the work.
    """
    counts = np.arange(n + 1)
    edge = stats.binom.ppf(alpha / 2, counts, 0.5)
    found: NDArray[np.float64] = np.where(stats.binom.cdf(edge, counts, 0.5) <= alpha / 2, edge, edge - 1)
    return found


def detectable_paired(n: int, changed: float, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """The smallest true difference that n pairs detect; None when not even a difference of 1 would be found.

    Args:
        n: pairs.
        changed: share of pairs that change sides (as seen); a difference cannot be larger, so it grows with it.
        alpha: level of the test.
        power: share of repetitions.
    """

    def short(difference: float) -> float:
        return paired_power(n, difference, max(changed, difference), alpha) - power

    if n == 0 or short(1.0) < 0:
        return None
    return float(brentq(short, 1e-6, 1.0, xtol=1e-4)) if short(1e-6) < 0 else 1e-6


def needed_paired(difference: float, changed: float, alpha: float = ALPHA, power: float = POWER) -> int | None:
    """Pairs needed to detect `difference` (Connor, 1987, Biometrics 43, 207-211); None for a difference of 0."""
    size = abs(difference)
    if size == 0:
        return None
    share = max(changed, size)
    z_alpha, z_power = float(stats.norm.isf(alpha / 2)), float(stats.norm.ppf(power))
    root = z_alpha * math.sqrt(share) + z_power * math.sqrt(share - size**2)
    return math.ceil((root / size) ** 2)


def detectable_unpaired(n: int, rate: float, alpha: float = ALPHA, power: float = POWER) -> float | None:
    """The smallest drop or gain from `rate` that two groups of n episodes detect (arcsine approximation).

    None when no difference within [0, 1] is large enough.
    """
    if n == 0:
        return None
    effect = float(NormalIndPower().solve_power(nobs1=n, alpha=alpha, power=power))
    angle = math.asin(math.sqrt(rate))
    ends = [angle - effect / 2, angle + effect / 2]
    found = [abs(math.sin(end) ** 2 - rate) for end in ends if 0 <= end <= math.pi / 2]
    return min(found) if found else None


def needed_unpaired(before: float, after: float, alpha: float = ALPHA, power: float = POWER) -> int | None:
    """Episodes per group needed to tell the two rates apart (arcsine approximation); None when they are equal."""
    effect = abs(float(proportion_effectsize(before, after)))
    if effect == 0:
        return None
    return math.ceil(float(NormalIndPower().solve_power(effect_size=effect, alpha=alpha, power=power)))
