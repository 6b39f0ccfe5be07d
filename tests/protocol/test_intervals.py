"""Coverage by simulation: many independent studies with known truth, each one a model of a single table."""

import numpy as np
import pandas as pd
import pytest
from protocol_tables import rates_of, scenarios_of

from gauge.protocol import coverage
from gauge.protocol.coverage import suites
from gauge.protocol.intervals import FEW, d_rmsd_intervals, r_score_intervals, zero_shot_intervals
from gauge.protocol.resampling import log_ends, percentile_ends, resample
from gauge.protocol.zero_shot import capability_rates, zero_shot


def probabilities(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Clean success and what is kept of it, both spread widely over scenarios."""
    return rng.beta(1.2, 1.5, shape), rng.beta(2.0, 2.5, shape)


def table(
    scenarios: pd.DataFrame, models: list[str], labels: list[str], p: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Rates drawn from success probabilities `p` [models, scenarios]; `labels` is the combination of each model."""
    drawn = rng.binomial(50, p)
    cells = enumerate(zip(models, labels, strict=True))
    names = list(scenarios.scenario_id)
    return rates_of({(m, c, s): (int(drawn[k, j]), 50) for k, (m, c) in cells for j, s in enumerate(names)})


@pytest.mark.parametrize(("id_size", "ood_size"), [(23, 22), (6, 4)])
def test_zero_shot_intervals_cover(id_size: int, ood_size: int) -> None:
    assert all(0.93 <= share <= 0.97 for share in coverage.of_zero_shot(400, id_size, ood_size, seed=1).values())


@pytest.mark.parametrize(("id_size", "ood_size"), [(23, 22), (2, 1)])
def test_r_score_intervals_cover(id_size: int, ood_size: int) -> None:
    assert 0.93 <= coverage.of_r_score(500, id_size, ood_size, seed=2) <= 0.97


def test_anchors_count_as_the_few_they_are() -> None:
    """The intervals of R on 18 anchors stay the same when 252 other scenarios are in the table."""
    whole = coverage.of_r_score(80, 2, 1, seed=2, of=suites(23, 22))
    assert whole == coverage.of_r_score(80, 2, 1, seed=2)


@pytest.mark.parametrize(("id_size", "ood_size"), [(23, 22), (2, 1)])
def test_d_rmsd_intervals_cover(id_size: int, ood_size: int) -> None:
    assert all(0.93 <= share <= 0.97 for share in coverage.of_d_rmsd(300, id_size, ood_size, seed=3).values())


@pytest.mark.slow
@pytest.mark.parametrize(("id_size", "ood_size"), [(23, 22), (6, 4), (3, 3)])
def test_all_intervals_cover_in_long_simulations(id_size: int, ood_size: int) -> None:
    shares = {
        **coverage.of_zero_shot(3000, id_size, ood_size, seed=11),
        "r": coverage.of_r_score(3000, id_size, ood_size, seed=12),
        **coverage.of_d_rmsd(2000, id_size, ood_size, seed=13),
    }
    assert all(0.93 <= share <= 0.97 for share in shares.values()), shares


def test_rollouts_of_a_scenario_are_no_independent_trials() -> None:
    """Ten scenarios of 50 equal rollouts say as little as ten rollouts: the interval is as wide as for n = 10."""
    scenarios = scenarios_of(*[(f"s{k}", "a", "id") for k in range(10)])
    rates = rates_of({("m", "clean", f"s{k}"): (50 * (k < 5), 50) for k in range(10)})
    row = zero_shot_intervals(rates, scenarios, np.random.default_rng(0)).query("split == 'all'").iloc[0]
    assert row.high - row.low > 0.55


def test_intervals_hold_the_score_that_the_tables_give() -> None:
    scenarios = suites(3, 2)
    rng = np.random.default_rng(5)
    clean, kept = probabilities((1, len(scenarios)), rng)
    rates = pd.concat(
        [table(scenarios, ["m"], ["clean"], clean, rng), table(scenarios, ["m"], ["x=1"], clean * kept, rng)]
    )
    zs = zero_shot_intervals(rates, scenarios, rng)
    assert zs.zs.tolist() == zero_shot(capability_rates(rates, scenarios)).zs.tolist()
    for frame, score in ((zs, "zs"), (r_score_intervals(rates, scenarios, rng), "r")):
        assert (frame.low <= frame[score]).all()
        assert (frame[score] <= frame.high).all()
    both = d_rmsd_intervals(rates, scenarios, rng)
    assert both.reading.tolist() == ["over_models", "over_instances"]
    assert (both.low <= both.d_rmsd).all()


def test_the_same_generator_gives_the_same_interval() -> None:
    scenarios = suites(3, 2)
    rng = np.random.default_rng(5)
    rates = table(scenarios, ["m"], ["clean"], probabilities((1, len(scenarios)), rng)[0], rng)
    one, same, other = (zero_shot_intervals(rates, scenarios, np.random.default_rng(seed)) for seed in (7, 7, 8))
    pd.testing.assert_frame_equal(one, same)
    assert one.low.tolist() != other.low.tolist()


def test_undefined_scores_have_no_interval() -> None:
    scenarios = scenarios_of(("s", "a", "id"), ("t", "a", "id"), ("u", "b", "id"))
    counts = {("m", "clean", name): (0, 4) for name in "stu"} | {("m", "x", name): (1, 4) for name in "stu"}
    rng = np.random.default_rng(0)
    zero = r_score_intervals(rates_of(counts), scenarios, rng).iloc[0]
    assert zero.note == "zero clean success"
    assert zero.r is pd.NA
    assert zero.low is pd.NA
    few = zero_shot_intervals(rates_of(counts), scenarios, rng).set_index("split")
    assert few.note["all"] == FEW
    assert few.zs["all"] == 0.0
    assert few.low["all"] is pd.NA
    nothing = r_score_intervals(rates_of({("m", "x", "s"): (1, 4)}), scenarios, rng).iloc[0]
    assert nothing.note == "not evaluated"
    single = rates_of({("m", "clean", "s"): (2, 4), ("m", "x", "s"): (1, 4)})
    assert r_score_intervals(single, scenarios, rng).note.tolist() == [FEW]
    assert d_rmsd_intervals(single, scenarios, rng).note.tolist() == [FEW, FEW]
    assert d_rmsd_intervals(rates_of({("m", "x", "s"): (0, 0)}), scenarios, rng).note.tolist() == ["not evaluated"] * 2


def test_weights_are_drawn_within_groups_and_single_scenarios_share_one() -> None:
    drawn = resample(["a", "a", "a", "b", "c"], np.random.default_rng(0), 4000)
    assert np.allclose(drawn.weights[:, :3].sum(axis=1), 3)
    assert np.allclose(drawn.weights[:, 3:].sum(axis=1), 2)
    assert drawn.freedom == 3
    # The variance of a resampled mean is the unbiased one of the sample, not (n - 1) / n of it.
    values = np.array([0.0, 1.0, 5.0])
    means = drawn.weights[:, :3] @ values / 3
    assert means.var() == pytest.approx(values.var(ddof=1) / 3, rel=0.08)


def test_without_any_drop_the_interval_is_0() -> None:
    assert log_ends(np.zeros(10), 0.0, 5, 0.95) == (0.0, 0.0)
    assert percentile_ends(np.array([1.0, np.nan, 3.0]), 10, 0.95)[0] >= 1.0
