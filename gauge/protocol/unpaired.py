"""Unpaired comparisons: two sets of episodes that share no scenes or seeds.

Interval: Newcombe's (1998, Statistics in Medicine 17, 873-890, method 10). Test: Fisher's exact test, which is on
the careful side, so an interval can just leave out 0 where the test does not decide; the verdict follows the test.
"""

from scipy.stats import fisher_exact
from statsmodels.stats.proportion import confint_proportions_2indep

from gauge.core.metrics import Interval, Rate


def unpaired_interval(before: Rate, after: Rate, confidence: float = 0.95) -> Interval | None:
    """Newcombe's interval of the difference of two rates (after minus before); None when one was not evaluated."""
    if not before.n or not after.n:
        return None
    low, high = confint_proportions_2indep(
        after.successes, after.n, before.successes, before.n, method="newcomb", alpha=1 - confidence
    )
    return Interval(float(low), float(high))


def fisher_p(before: Rate, after: Rate) -> float | None:
    """Fisher's exact two-sided p-value; None when one was not evaluated."""
    if not before.n or not after.n:
        return None
    table = [[after.successes, after.n - after.successes], [before.successes, before.n - before.successes]]
    return float(fisher_exact(table).pvalue)
