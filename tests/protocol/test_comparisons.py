import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_tables import episodes_of
from scipy.stats import binomtest

from gauge.core.metrics import Rate, wilson
from gauge.errors import GaugeError
from gauge.protocol import coverage, paired
from gauge.protocol.paired import (
    Pairs,
    compare_models,
    compare_with_clean,
    comparison,
    count_pairs,
    mcnemar_p,
    paired_interval,
)
from gauge.protocol.power import (
    detectable_paired,
    detectable_unpaired,
    needed_paired,
    needed_unpaired,
    paired_power,
)
from gauge.protocol.unpaired import fisher_p, unpaired_interval
from gauge.protocol.verdict import compare_rates, holm, verdict, verdicts


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 2635, table II, method 10; a, b, c, d there, a/n - ... = (b-c)/n.
        ((36, 12, 2, 0), 0.0569, 0.3404),
        ((20, 12, 2, 16), 0.0562, 0.3292),
    ],
)
def test_published_paired_intervals(counts: tuple[int, int, int, int], low: float, high: float) -> None:
    found = paired_interval(Pairs(*counts))
    assert found is not None
    # Newcombe takes first minus second; here the difference is after minus before.
    assert (-found.high, -found.low) == pytest.approx((low, high), abs=1e-4)


def test_published_unpaired_interval() -> None:
    # Newcombe (1998), Statistics in Medicine 17, 873, table II, method 10: 56/70 - 48/80.
    found = unpaired_interval(Rate(48, 80), Rate(56, 70))
    assert found == pytest.approx((0.0524, 0.3339), abs=1e-4)


@settings(deadline=None, max_examples=50)
@given(st.tuples(*[st.integers(0, 60)] * 4).filter(lambda counts: sum(counts) > 0))
def test_the_interval_holds_the_difference_and_turns_around(counts: tuple[int, int, int, int]) -> None:
    pairs = Pairs(*counts)
    found, difference = paired_interval(pairs), pairs.difference
    assert found is not None
    assert difference is not None
    assert -1 <= found.low <= difference + 1e-9
    assert difference - 1e-9 <= found.high <= 1
    turned = paired_interval(Pairs(pairs.both, pairs.gained, pairs.lost, pairs.neither))
    assert turned == pytest.approx((-found.high, -found.low), abs=1e-9)


CHANGES = ([0.5, 0.1, 0.2, 0.2], [0.2, 0.3, 0.05, 0.45], [0.7, 0.15, 0.1, 0.05])


@pytest.mark.parametrize("probabilities", CHANGES)
def test_paired_intervals_cover(probabilities: list[float]) -> None:
    assert 0.93 <= coverage.of_paired_difference(probabilities, 50, 1000, seed=1) <= 0.97


def test_paired_intervals_are_careful_where_hardly_any_pair_changes() -> None:
    assert coverage.of_paired_difference([0.05, 0.1, 0.0, 0.85], 20, 1500, seed=3) >= 0.93
    assert coverage.of_paired_difference([0.3, 0.02, 0.03, 0.65], 50, 1500, seed=4) >= 0.93


@pytest.mark.parametrize(("before", "after"), [(0.5, 0.5), (0.2, 0.6), (0.9, 0.7)])
def test_unpaired_intervals_cover(before: float, after: float) -> None:
    assert 0.93 <= coverage.of_unpaired_difference(before, after, 50, 800, seed=1) <= 0.97


@pytest.mark.parametrize(("p", "n"), [(0.1, 200), (0.5, 50), (0.3, 900), (0.98, 900)])
def test_intervals_of_a_rate_cover(p: float, n: int) -> None:
    assert 0.93 <= coverage.of_rate(p, n) <= 0.97


def test_intervals_of_a_rate_cover_over_scenarios_of_all_kinds() -> None:
    assert 0.93 <= coverage.of_rates(coverage.CLEAN_SHAPE, 50, 4000, seed=1) <= 0.97


@pytest.mark.parametrize("kept", [0.95, 0.6])
def test_paired_intervals_cover_the_change_in_given_scenarios(kept: float) -> None:
    assert coverage.of_paired_difference_in_scenarios(18, kept, 300, seed=3) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 900])
@pytest.mark.parametrize("probabilities", [*CHANGES, [0.3, 0.02, 0.03, 0.65], [0.05, 0.1, 0.0, 0.85]])
def test_paired_intervals_cover_in_long_simulations(probabilities: list[float], n: int) -> None:
    assert 0.93 <= coverage.of_paired_difference(probabilities, n, 10000, seed=9) <= 0.97


def test_the_exact_test_looks_at_the_pairs_that_changed() -> None:
    assert mcnemar_p(Pairs(100, 9, 1, 100)) == pytest.approx(binomtest(1, 10, 0.5).pvalue)
    assert mcnemar_p(Pairs(10, 0, 0, 10)) == 1.0
    assert mcnemar_p(Pairs(0, 0, 0, 0)) is None
    assert paired_interval(Pairs(0, 0, 0, 0)) is None


def test_the_exact_test_errs_no_more_often_than_it_says() -> None:
    rng = np.random.default_rng(0)
    draws = rng.multinomial(60, [0.4, 0.15, 0.15, 0.3], size=2000)
    p = [mcnemar_p(Pairs(*(int(count) for count in row))) for row in draws]
    assert np.mean([value is not None and value < 0.05 for value in p]) <= 0.05


EPISODES = episodes_of(
    ("a", "clean", "s", 0, "success"),
    ("a", "clean", "s", 1, "success"),
    ("a", "clean", "s", 2, "fail"),
    ("a", "clean", "s", 3, "error"),
    ("a", "clean", "t", 0, "success"),
    ("a", "x=1", "s", 0, "fail"),
    ("a", "x=1", "s", 1, "success"),
    ("a", "x=1", "s", 2, "success"),
    ("a", "x=1", "s", 3, "success"),
    ("b", "clean", "s", 0, "fail"),
    ("b", "x=1", "s", 0, "error"),
)


def test_pairs_are_the_same_scene_and_rollout() -> None:
    found = compare_with_clean(EPISODES).set_index("model")
    row = found.loc["a"]
    assert row[["n", "both", "lost", "gained", "neither", "dropped"]].tolist() == [3, 1, 1, 1, 0, 1]
    assert row.difference == 0.0
    assert found.note["b"] == "not evaluated"
    assert found.p["b"] is pd.NA
    assert found.difference["b"] is pd.NA


def test_models_are_compared_under_the_same_combination() -> None:
    found = compare_models(EPISODES, "b", "a").set_index("combination")
    assert found.loc["clean", ["n", "gained"]].tolist() == [1, 1]
    assert found.loc["x=1", ["n", "dropped"]].tolist() == [0, 4]


def test_different_seeds_are_no_pair() -> None:
    one = EPISODES[EPISODES.model == "a"].assign(seed=1)
    clean, perturbed = one[one.combination == "clean"], one[one.combination == "x=1"]
    with pytest.raises(GaugeError, match="seeds differ"):
        count_pairs(clean, perturbed.assign(seed=2))
    with pytest.raises(GaugeError, match="occurs twice"):
        count_pairs(pd.concat([clean, clean]), perturbed)


def table(*rows: tuple[int, int, int, int]) -> pd.DataFrame:
    frame = pd.DataFrame([{"combination": f"x={k}", **comparison(Pairs(*row))} for k, row in enumerate(rows)])
    return frame.astype({"p": "Float64", "difference": "Float64"})


def test_a_family_pays_for_its_size() -> None:
    borderline = (40, 9, 1, 50)  # p = 0.021 alone
    alone = verdicts(table(borderline))
    assert alone.verdict.tolist() == ["worse"]
    many = verdicts(table(borderline, *[(50, 2, 2, 46)] * 9))
    assert many.verdict.tolist() == ["cannot tell"] * 10
    assert many.p_holm[0] == pytest.approx(10 * many.p[0])
    split = verdicts(table(borderline, (50, 2, 2, 46)), family=["combination"])
    assert split.verdict.tolist() == ["worse", "cannot tell"]
    assert split.family_size.tolist() == [1, 1]


def test_what_was_not_evaluated_gets_no_verdict_and_is_no_member() -> None:
    found = verdicts(table((0, 0, 0, 0), (0, 0, 30, 20)))
    assert found.verdict.tolist() == ["not evaluated", "better"]
    assert found.family_size.tolist() == [1, 1]
    assert found.detectable[0] is pd.NA
    assert found.needed[0] is pd.NA
    assert holm(pd.Series([pd.NA], dtype="Float64")).isna().all()
    assert verdict(0.0, 0.01) == "cannot tell"


def test_holm_by_hand() -> None:
    assert holm(pd.Series([0.04, 0.01, 0.02])).tolist() == pytest.approx([0.04, 0.03, 0.04])


@settings(deadline=None, max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_lies_between_the_single_and_the_bonferroni_value(p: list[float]) -> None:
    adjusted = holm(pd.Series(p)).astype(float)
    assert (adjusted >= np.array(p) - 1e-12).all()
    assert (adjusted <= np.minimum(1, len(p) * np.array(p)) + 1e-12).all()


def test_the_detectable_difference_is_found_as_often_as_it_says() -> None:
    for n, changed in ((50, 0.2), (200, 0.3)):
        smallest = detectable_paired(n, changed)
        assert smallest is not None
        share = max(changed, smallest)
        rng = np.random.default_rng(n)
        p = [(1 - share) / 2, (share - smallest) / 2, (share + smallest) / 2, (1 - share) / 2]
        draws = rng.multinomial(n, p, size=1500)
        seen = np.mean([(mcnemar_p(Pairs(*(int(c) for c in row))) or 1.0) < 0.05 for row in draws])
        assert seen == pytest.approx(0.8, abs=0.035)


def test_more_rollouts_show_smaller_differences() -> None:
    sizes = [detectable_paired(n, 0.3) for n in (20, 50, 200, 900)]
    assert sizes == sorted(sizes, key=lambda size: -(size or 0))
    assert detectable_paired(5, 0.3) is None  # five pairs cannot reach p < 0.05 in the exact test
    assert detectable_paired(0, 0.3) is None
    assert paired_power(6, 1.0, 1.0) == pytest.approx(1.0)


def test_the_needed_pairs_suffice() -> None:
    n = needed_paired(-0.1, 0.3)
    assert n is not None
    assert 200 < n < 250  # Connor's formula by hand: 234
    assert paired_power(n, 0.1, 0.3) == pytest.approx(0.8, abs=0.03)
    assert needed_paired(0.0, 0.3) is None


def test_unpaired_sizes() -> None:
    n = needed_unpaired(0.5, 0.7)
    assert n == 93  # arcsine approximation, Cohen (1988): 2 (1.96 + 0.84)^2 / 0.41^2
    found = detectable_unpaired(93, 0.5)
    assert found == pytest.approx(0.2, abs=0.01)
    assert needed_unpaired(0.5, 0.5) is None
    assert detectable_unpaired(0, 0.5) is None
    assert detectable_unpaired(2, 0.5) is None


def test_nine_of_ten_against_seven_of_ten_cannot_be_told_apart() -> None:
    """R38: such a difference was argued over for weeks."""
    sentence = compare_rates(Rate(9, 10), Rate(7, 10))
    assert sentence.startswith("cannot tell: 70.0% [39.7, 89.2] (7/10) against 90.0% [59.6, 98.2] (9/10)")
    assert "needs about 60 episodes on each side" in sentence
    assert compare_rates(Rate(10, 100), Rate(90, 100)).startswith("better: 90.0%")
    assert compare_rates(Rate(0, 0), Rate(1, 2)) == "not evaluated: not evaluated against 50.0% [9.5, 90.5] (1/2)"
    assert fisher_p(Rate(0, 0), Rate(1, 2)) is None
    assert unpaired_interval(Rate(1, 2), Rate(0, 0)) is None


@pytest.mark.parametrize(("successes", "n"), [(0, 50), (50, 50), (1, 7), (450, 900)])
def test_the_quick_wilson_interval_is_the_usual_one(successes: int, n: int) -> None:
    assert paired._wilson(successes, n, 0.95) == pytest.approx(wilson(successes, n), abs=1e-12)
