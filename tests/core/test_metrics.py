import pytest
from hypothesis import given
from hypothesis import strategies as st

from gauge.core.metrics import Interval, Rate, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # The closed form by hand for the counts that evaluations really have.
        (0, 10, 0.0000, 0.2775),
        (9, 10, 0.5958, 0.9821),
        (10, 10, 0.7225, 1.0000),
        (43, 50, 0.7381, 0.9305),
        (50, 50, 0.9287, 1.0000),
    ],
)
def test_published_intervals(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wider_with_more_confidence() -> None:
    assert wilson(5, 10, 0.99).low < wilson(5, 10, 0.95).low


def test_nothing_is_known_without_trials() -> None:
    assert wilson(0, 0) == Interval(0.0, 1.0)
    assert Rate(0, 0, errors=3).rate is None
    assert str(Rate(0, 0, errors=3)) == "not evaluated"


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3), (0, -1)])
def test_impossible_counts(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="impossible"):
        wilson(successes, n)
    with pytest.raises(ValueError, match="impossible"):
        Rate(successes, n)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_rate_and_mirrors(counts: tuple[int, int]) -> None:
    successes, n = counts
    interval = wilson(successes, n)
    assert 0 <= interval.low <= successes / n + 1e-12
    assert successes / n - 1e-12 <= interval.high <= 1
    mirrored = wilson(n - successes, n)
    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-12)


def test_printed_form() -> None:
    assert str(Rate(43, 50)) == "86.0% [73.8, 93.0] (43/50)"
    assert str(Rate(0, 10)) == "0.0% [0.0, 27.8] (0/10)"
