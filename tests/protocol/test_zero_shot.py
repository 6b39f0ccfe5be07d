import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_tables import rates_of, scenarios_of

from gauge.protocol.means import OVER_CAPABILITIES, OVER_EPISODES, OVER_SCENARIOS, labelled_means
from gauge.protocol.zero_shot import capability_rates, zero_shot

SCENARIOS = scenarios_of(("v0", "vision", "id"), ("v1", "vision", "ood"), ("w0", "words", "id"), ("w1", "words", "id"))


def test_the_score_weighs_capabilities_and_scenarios_equally() -> None:
    counts = {("a", "clean", "v0"): (10, 10), ("a", "clean", "v1"): (0, 50), ("a", "clean", "w0"): (1, 2)}
    parts = capability_rates(rates_of({**counts, ("a", "clean", "w1"): (0, 1)}), SCENARIOS)
    found = zero_shot(parts).set_index("split")
    assert found.zs["all"] == pytest.approx((0.5 + 0.25) / 2)
    assert found.zs["id"] == pytest.approx((1.0 + 0.25) / 2)
    # No OOD scenario was made for words: that is the design, so the OOD score is about vision alone and says so.
    assert found.zs["ood"] == 0.0
    assert found.capabilities.to_dict() == {"id": 2, "ood": 1, "all": 2}


def test_no_valid_episode_is_not_evaluated_and_never_0() -> None:
    counts = {("a", "clean", name): (1, 2) for name in SCENARIOS.scenario_id}
    broken = {("b", "clean", name): (0, 0) for name in SCENARIOS.scenario_id}
    found = zero_shot(capability_rates(rates_of({**counts, **broken}), SCENARIOS))
    b = found[found.model == "b"]
    assert b.zs.isna().all()
    assert set(b.note) == {"not evaluated"}
    assert found[found.model == "a"].zs.tolist() == [0.5, 0.5, 0.5]


def test_a_mean_over_fewer_capabilities_is_no_score() -> None:
    found = zero_shot(
        capability_rates(rates_of({("a", "clean", "v0"): (1, 1), ("a", "clean", "v1"): (1, 1)}), SCENARIOS)
    )
    by_split = found.set_index("split")
    assert pd.isna(by_split.zs["all"])
    assert by_split.note["all"] == "not evaluated: words"


def test_a_missing_scenario_is_counted_not_scored_as_0() -> None:
    parts = capability_rates(rates_of({("a", "clean", "w0"): (1, 1), ("a", "clean", "w1"): (0, 0)}), SCENARIOS)
    words = parts[(parts.capability == "words") & (parts.split == "id")].iloc[0]
    assert (words.sr, words.scenarios, words.missing, words.note) == (1.0, 1, 1, "")


def test_a_model_that_was_only_perturbed_or_never_run_is_listed() -> None:
    table = rates_of({("a", "x=1", "v0"): (1, 1)})
    assert set(capability_rates(table, SCENARIOS).note) == {"not evaluated"}
    assert set(capability_rates(table, SCENARIOS, ["never-run"]).model) == {"never-run"}


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(1, 10)), min_size=4, max_size=4), st.integers(1, 20))
def test_the_score_is_a_rate_and_does_not_change_with_the_scale_of_counts(
    pairs: list[tuple[int, int]], factor: int
) -> None:
    counts = {("a", "clean", name): (min(k, n), n) for name, (k, n) in zip(SCENARIOS.scenario_id, pairs, strict=True)}
    scaled = {keys: (factor * k, factor * n) for keys, (k, n) in counts.items()}
    one, other = (zero_shot(capability_rates(rates_of(c), SCENARIOS)).zs.astype(float) for c in (counts, scaled))
    assert one.tolist() == pytest.approx(other.tolist())
    assert one.between(0, 1).all()


def test_three_means_under_three_names() -> None:
    counts = {("a", "clean", "v0"): (1, 1), ("a", "clean", "w0"): (0, 1), ("a", "clean", "w1"): (0, 8)}
    table = rates_of(counts).merge(SCENARIOS[["scenario_id", "capability"]], on="scenario_id")
    found = labelled_means(table).set_index("mean")
    assert found.value[OVER_CAPABILITIES] == pytest.approx(1 / 2)
    assert found.value[OVER_SCENARIOS] == pytest.approx(1 / 3)
    assert found.value[OVER_EPISODES] == pytest.approx(1 / 10)
    assert found.over.to_dict() == {OVER_CAPABILITIES: 2, OVER_SCENARIOS: 3, OVER_EPISODES: 10}


def test_a_mean_of_nothing_is_unknown() -> None:
    assert labelled_means(rates_of({("a", "clean", "v0"): (0, 0)})).value.isna().all()
