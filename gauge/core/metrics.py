"""Success rates that carry their uncertainty. Pure: counts in, numbers out."""

from dataclasses import dataclass
from typing import NamedTuple


class Interval(NamedTuple):
    """A confidence interval of a rate; both ends are in [0, 1]."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """The Wilson score interval of `successes` out of `n` (Wilson, 1927; no continuity correction).

    Without a single trial nothing is known, so n = 0 gives (0, 1).

    Raises:
        ValueError: the counts cannot be counts of the same trials.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes out of {n} trials is impossible")
    if n == 0:
        return Interval(0.0, 1.0)
    from scipy.stats import binomtest  # takes a second to import; most commands never need it

    interval = binomtest(successes, n).proportion_ci(confidence_level=confidence, method="wilson")
    return Interval(float(interval.low), float(interval.high))


@dataclass(frozen=True, slots=True)
class Rate:
    """A success rate as counts.

    Attributes:
        successes: evaluated episodes that succeeded.
        n: evaluated episodes, success or fail.
        errors: episodes that could not be evaluated; part of neither count above.
    """

    successes: int
    n: int
    errors: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.successes <= self.n or self.errors < 0:
            raise ValueError(
                f"{self.successes} successes, {self.n} evaluated and {self.errors} errors are impossible counts"
            )

    @property
    def rate(self) -> float | None:
        """Successes per evaluated episode, in [0, 1]; None when nothing was evaluated."""
        return self.successes / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        """The 95% Wilson interval; (0, 1) when nothing was evaluated."""
        return wilson(self.successes, self.n)

    def __str__(self) -> str:
        """Rate, interval and counts: `86.0% [73.8, 93.0] (43/50)`."""
        if not self.n:
            return "not evaluated"
        low, high = self.interval
        return f"{self.successes / self.n:.1%} [{100 * low:.1f}, {100 * high:.1f}] ({self.successes}/{self.n})"
