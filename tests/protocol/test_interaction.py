import numpy as np
import pandas as pd
import pytest
from protocol_tables import rates_of

from gauge.errors import GaugeError
from gauge.protocol.interaction import compositionality_gap, pairwise_gaps, retention_test
from gauge.protocol.tables import ratio


def test_the_gap_by_hand() -> None:
    found = compositionality_gap(1000, 500, 400, 100, 2000)
    assert found["gap"] == pytest.approx(100 / 2000 - 0.25 * 0.3)
    # Pearson by hand: n (n00 n11 - n01 n10)^2 over the product of the margins.
    assert found["chi2"] == pytest.approx(2000 * (1000 * 100 - 500 * 400) ** 2 / (1500 * 500 * 1400 * 600))
    independent = compositionality_gap(1000, 500, 400, 200, 2000)
    assert independent["gap"] == pytest.approx(0)
    assert independent["p"] == pytest.approx(1)


def test_undefined_gaps() -> None:
    assert compositionality_gap(0, 0, 0, 0, 50) == {
        "gap": None,
        "chi2": None,
        "p": None,
        "note": "no success in any run",
    }
    margin = compositionality_gap(40, 20, 0, 0, 50)
    assert margin["gap"] == 0
    assert margin["p"] is None
    with pytest.raises(GaugeError, match="equally long"):
        compositionality_gap(1, 1, 1, 1, [50, 50, 50, 10])
    with pytest.raises(GaugeError, match="60 successes out of 50"):
        compositionality_gap(60, 1, 1, 1, 50)


def test_gaps_of_a_table() -> None:
    counts = {("a", label, "s"): (k, 50) for label, k in (("clean", 40), ("x", 20), ("y", 20), ("x+y", 2))}
    counts[("b", "clean", "s")] = (40, 50)
    pairs = pd.DataFrame([("x", "y", "x+y")], columns=["first", "second", "both"])
    found = pairwise_gaps(rates_of(counts), pairs).set_index("model")
    assert found.gap["a"] < 0
    assert found.gap["b"] is pd.NA
    assert found.note["b"] == "not evaluated"


LABELS = ("clean", "x", "y", "x+y")


def study(
    kept: tuple[float, float, float, float], scenarios: int, seed: int, rollouts: int = 50, models: int = 1
) -> pd.DataFrame:
    """Rates of `models` independent studies; each scenario has its own deviation from what is kept on average."""
    rng = np.random.default_rng(seed)
    base = rng.beta(1.5, 1.5, (models, scenarios))
    parts = []
    for label, share in zip(LABELS, kept, strict=True):
        own = 1.0 if label == "clean" else rng.uniform(0.6, 1.4, base.shape)
        successes = rng.binomial(rollouts, np.minimum(1.0, base * share * own))
        frame = pd.DataFrame({"model": np.repeat([f"m{k}" for k in range(models)], scenarios), "combination": label})
        frame["scenario_id"] = np.tile([f"s{k}" for k in range(scenarios)], models)
        parts.append(frame.assign(successes=successes.reshape(-1), n=rollouts, errors=0))
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(sr=ratio(frame.successes, frame.n))


def test_more_less_or_as_much_as_the_parts_predict() -> None:
    parts = {"x+y": ["x", "y"]}
    worse = retention_test(study((1.0, 0.6, 0.5, 0.05), 18, 0), parts).iloc[0]
    assert worse.verdict == "more than its parts"
    assert worse.high < 1
    assert worse.r < worse.r_predicted
    better = retention_test(study((1.0, 0.4, 0.4, 0.4), 18, 1), parts).iloc[0]
    assert better.verdict == "less than its parts"
    alike = retention_test(study((1.0, 0.6, 0.5, 0.3), 18, 2), parts).iloc[0]
    assert alike.verdict == "cannot tell from its parts"
    assert alike.low < 1 < alike.high


def coverage(scenarios: int, trials: int, seed: int) -> float:
    found = retention_test(study((1.0, 0.6, 0.5, 0.3), scenarios, seed, models=trials), {"x+y": ["x", "y"]})
    return float(((found.low <= 1) & (found.high >= 1)).mean())


@pytest.mark.parametrize("scenarios", [18, 45])
def test_intervals_of_the_ratio_cover(scenarios: int) -> None:
    assert 0.93 <= coverage(scenarios, 700, seed=1) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("scenarios", [10, 18, 270])
def test_intervals_of_the_ratio_cover_in_long_simulations(scenarios: int) -> None:
    assert 0.93 <= coverage(scenarios, 3000, seed=scenarios) <= 0.97


def test_a_combination_without_success_is_counted_as_half_a_success() -> None:
    row = retention_test(study((1.0, 0.6, 0.5, 0.0), 18, 3), {"x+y": ["x", "y"]}).iloc[0]
    assert row.r == 0
    assert row.note == "no success under the combination: half a success assumed"
    assert row.verdict == "more than its parts"
    assert 0 < row.ratio < 0.1


def test_what_cannot_be_tested_is_said() -> None:
    parts = {"x+y": ["x", "y"]}
    gone = retention_test(study((1.0, 0.0, 0.5, 0.0), 18, 4), parts).iloc[0]
    assert gone.note == "a part has no success: nothing worse can be predicted"
    assert gone.p is pd.NA
    clean = retention_test(study((0.0, 0.5, 0.5, 0.5), 18, 5), parts).iloc[0]
    assert clean.note == "zero clean success"
    assert retention_test(study((1.0, 0.6, 0.5, 0.3), 1, 6), parts).note.tolist() == ["one scenario: no standard error"]
    absent = retention_test(study((1.0, 0.6, 0.5, 0.3), 4, 7), {"x+z": ["x", "z"]}).iloc[0]
    assert absent.note == "not evaluated: x+z, z"
    counts = {("m", label, name): (k, 50) for label, k in zip(LABELS, (40, 20, 20, 10), strict=True) for name in "st"}
    same = retention_test(rates_of(counts), parts).iloc[0]
    assert same.note == "all scenarios alike: no standard error"
    assert same.ratio == pytest.approx(1.0)
    with pytest.raises(GaugeError, match="at least 2"):
        retention_test(rates_of(counts), {"x": ["x"]})


def test_a_part_that_succeeds_in_one_scenario_only_gives_a_wide_interval() -> None:
    counts = {("m", "clean", name): (40, 50) for name in "stu"}
    counts |= {("m", "x", name): (20 if name == "s" else 0, 50) for name in "stu"}
    counts |= {("m", "y", name): (20, 50) for name in "stu"} | {("m", "x+y", name): (5, 50) for name in "stu"}
    row = retention_test(rates_of(counts), {"x+y": ["x", "y"]}).iloc[0]
    assert row.verdict == "cannot tell from its parts"
    assert row.high / row.low > 1000
