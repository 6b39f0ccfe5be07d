import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_tables import rates_of, scenarios_of, scores_of

from gauge.protocol.drmsd import d_rmsd, rms_drop
from gauge.protocol.radar import capability_radar, robustness_radar
from gauge.protocol.robustness import mean_r, r_scores
from gauge.protocol.zero_shot import capability_rates


def test_a_ratio_of_sums_and_the_mean_of_ratios_beside_it() -> None:
    counts = {
        ("a", "clean", "s"): (10, 10),
        ("a", "clean", "t"): (2, 10),
        ("a", "clean", "u"): (0, 10),
        ("a", "x=1", "s"): (5, 10),
        ("a", "x=1", "t"): (4, 10),
        ("a", "x=1", "u"): (1, 10),
    }
    row = r_scores(rates_of(counts)).iloc[0]
    assert row.r == pytest.approx(100 * 1.0 / 1.2)
    assert row.r_by_scenario == pytest.approx((50 + 200) / 2)
    assert (row.scenarios, row.scenarios_nonzero, row.missing, row.note) == (3, 2, 0, "")


def test_r_may_exceed_100() -> None:
    row = r_scores(rates_of({("a", "clean", "s"): (1, 10), ("a", "x=1", "s"): (3, 10)})).iloc[0]
    assert row.r == pytest.approx(300)


def test_zero_clean_success_is_undefined() -> None:
    row = r_scores(rates_of({("a", "clean", "s"): (0, 10), ("a", "x=1", "s"): (3, 10)})).iloc[0]
    assert row.r is pd.NA
    assert row.r_by_scenario is pd.NA
    assert row.note == "zero clean success"


def test_a_scenario_without_valid_episodes_on_one_side_leaves_both_sums() -> None:
    counts = {
        ("a", "clean", "s"): (10, 10),
        ("a", "clean", "t"): (10, 10),
        ("a", "x=1", "s"): (5, 10),
        ("a", "x=1", "t"): (0, 0),
        ("a", "x=1", "never-clean"): (9, 10),
        ("b", "x=1", "s"): (5, 10),
    }
    found = r_scores(rates_of(counts)).set_index("model")
    assert found.r["a"] == pytest.approx(50)
    assert found.missing["a"] == 2
    assert found.r["b"] is pd.NA
    assert found.note["b"] == "not evaluated"


def test_nothing_perturbed_gives_an_empty_table() -> None:
    assert r_scores(rates_of({("a", "clean", "s"): (1, 1)})).empty


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=6),
    st.integers(1, 9),
)
def test_r_does_not_change_with_the_scale_of_counts(pairs: list[tuple[int, int]], factor: int) -> None:
    def table(scale: int) -> pd.DataFrame:
        clean = {("a", "clean", f"s{k}"): (scale * c, scale * 20) for k, (c, _) in enumerate(pairs)}
        return rates_of(clean | {("a", "x=1", f"s{k}"): (scale * p, scale * 20) for k, (_, p) in enumerate(pairs)})

    one, other = r_scores(table(1)).iloc[0], r_scores(table(factor)).iloc[0]
    total = sum(c for c, _ in pairs)
    if total == 0:
        assert one.r is pd.NA
        assert other.r is pd.NA
    else:
        assert one.r == pytest.approx(100 * sum(p for _, p in pairs) / total)
        assert other.r == pytest.approx(one.r)


def test_undefined_scores_are_left_out_of_means_counted_and_named() -> None:
    scores = scores_of({("a", "x"): 40.0, ("b", "x"): None, ("c", "x"): 20.0, ("a", "y"): None, ("b", "y"): None})
    found = mean_r(scores).set_index("combination")
    assert found.r_mean["x"] == pytest.approx(30)
    assert (found.defined["x"], found.undefined["x"], found.note["x"]) == (2, 1, "undefined for b")
    assert found.r_mean["y"] is pd.NA
    per_model = mean_r(scores, ["model"]).set_index("model")
    assert per_model.r_mean["a"] == 40
    assert per_model.note["a"] == "undefined for y"


def test_both_readings_of_the_root_mean_square() -> None:
    counts = {
        ("a", "clean", "s"): (10, 10),
        ("a", "clean", "t"): (0, 10),
        ("a", "x", "s"): (0, 10),
        ("a", "x", "t"): (5, 10),
        ("b", "clean", "s"): (0, 10),
        ("b", "clean", "t"): (0, 10),
        ("b", "x", "s"): (0, 10),
        ("b", "x", "t"): (0, 10),
    }
    row = d_rmsd(rates_of(counts)).iloc[0]
    # Models: a drops 0.5 - 0.25, b drops 0. Instances: one drop of 1, a gain that counts 0, two of 0.
    assert row.over_models == pytest.approx(100 * (0.25**2 / 2) ** 0.5)
    assert row.over_instances == pytest.approx(100 * (1 / 4) ** 0.5)
    assert (row.models, row.instances, row.zero_clean) == (2, 4, 1)


def test_a_model_that_was_not_evaluated_is_no_drop_of_0() -> None:
    counts = {("a", "clean", "s"): (10, 10), ("a", "x", "s"): (0, 10), ("b", "x", "s"): (0, 0)}
    row = d_rmsd(rates_of(counts)).iloc[0]
    assert row.over_models == pytest.approx(100)
    assert row.note == "not evaluated: b"
    nothing = d_rmsd(rates_of({("a", "x", "s"): (0, 10)})).iloc[0]
    assert nothing.over_models is pd.NA
    assert nothing.note == "not evaluated"
    with pytest.raises(ValueError, match="at least one"):
        rms_drop([], [])


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20))
def test_the_root_mean_square_lies_between_the_mean_drop_and_the_largest(pairs: list[tuple[float, float]]) -> None:
    drops = [max(0.0, clean - perturbed) for clean, perturbed in pairs]
    found = rms_drop([clean for clean, _ in pairs], [perturbed for _, perturbed in pairs])
    assert sum(drops) / len(drops) - 1e-9 <= found <= max(drops) + 1e-9


SCENARIOS = scenarios_of(("s", "vision", "id"), ("t", "words", "id"), ("u", "space", "id"))


def test_a_capability_that_was_not_evaluated_is_a_gap_in_the_radar() -> None:
    counts = {("a", "clean", "s"): (1, 2), ("a", "clean", "t"): (1, 1)}
    points = capability_radar(capability_rates(rates_of(counts), SCENARIOS))
    overall = points[points.split == "all"]
    assert overall.axis.tolist() == [0, 1, 2]
    assert overall.angle_rad.tolist() == pytest.approx([0, 2.0944, 4.18879], abs=1e-4)
    assert overall.value.tolist()[:2] == [50, 100]
    assert overall.value.tolist()[2] is pd.NA
    assert overall.note.tolist() == ["", "", "not evaluated"]


def test_robustness_by_capability_keeps_the_order_of_the_suites() -> None:
    counts = {("a", "clean", name): (4, 4) for name in "uts"} | {("a", "x", name): (1, 4) for name in "uts"}
    counts[("a", "clean", "t")] = (0, 4)
    points = robustness_radar(rates_of(counts), SCENARIOS)
    assert points.capability.tolist() == ["vision", "words", "space"]
    assert points.axis.tolist() == [0, 1, 2]
    assert points.note.tolist() == ["", "zero clean success", ""]
    assert points.value.tolist()[0] == 25
