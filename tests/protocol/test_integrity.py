import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_tables import episodes_of, rates_of

from gauge.errors import GaugeError
from gauge.protocol.integrity import (
    STUDY_FIELDS,
    differences,
    impossible_rates,
    missing,
    possible_counts,
    refuse_mixed,
    uneven_rollouts,
)
from gauge.records.fingerprint import NUMERICS


def test_a_rate_that_no_count_gives() -> None:
    """R39: 43.9% of 500 would be 219.5 successes."""
    table = pd.DataFrame({"who": ["a", "b", "c"], "percent": [43.9, 33.3, "50"], "n": [500, 30, 2]})
    found = impossible_rates(table)
    assert found.who.tolist() == ["a"]
    assert found.nearest.tolist() == ["43.8 (219/500) or 44.0 (220/500)"]


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(0, 3))
def test_every_real_rate_is_possible(counts: tuple[int, int], decimals: int) -> None:
    successes, n = counts
    printed = f"{100 * successes / n:.{decimals}f}"
    assert successes in possible_counts(float(printed), n, decimals)
    assert impossible_rates(pd.DataFrame({"percent": [printed], "n": [n]})).empty


def test_halves_may_be_rounded_either_way_and_nothing_has_no_rate() -> None:
    assert possible_counts(12.5, 8, 1) == [1]
    assert possible_counts(12, 8, 0) == possible_counts(13, 8, 0) == [1]
    assert possible_counts(101.0, 50) == []
    with pytest.raises(ValueError, match="at least one trial"):
        possible_counts(0.0, 0)


EPISODES = episodes_of(
    ("a", "clean", "s", 0, "success"), ("b", "clean", "s", 0, "fail"), ("b", "clean", "t", 0, "error")
).assign(horizon=[220, 660, 999], mujoco="3.3.2", prompt=["open it", "open it", ""])


def test_a_longer_step_limit_is_refused_with_the_difference() -> None:
    """R40: the same weights, three times the steps, five points more."""
    found = differences(EPISODES)
    assert found.values.tolist() == [["horizon", "s", "220 and 660", "220: a; 660: b"]]
    with pytest.raises(GaugeError, match=r"mix horizon 220 and 660 on s \(220: a; 660: b\); analyse them as separate"):
        refuse_mixed(EPISODES)
    refuse_mixed(EPISODES[EPISODES.model == "a"])


def test_another_simulator_version_is_refused() -> None:
    """R23: a suite lost 20 points by the version of the simulator alone."""
    same = EPISODES.assign(horizon=220, mujoco=["3.3.2", "3.4.0", ""])
    assert differences(same)["values"].tolist() == ["3.3.2 and 3.4.0"]
    with pytest.raises(GaugeError, match=r"mix mujoco 3\.3\.2 and 3\.4\.0 \(3\.3\.2: a; 3\.4\.0: b\)"):
        refuse_mixed(same)
    with pytest.raises(GaugeError, match="and 1 more"):
        refuse_mixed(EPISODES.assign(mujoco=["3.3.2", "3.4.0", ""]))


def test_horizons_may_differ_between_scenarios_and_errors_are_no_results() -> None:
    other = EPISODES.assign(horizon=[220, 220, 999], scenario_id=["s", "s", "s"])
    assert differences(other).empty
    two = EPISODES.assign(horizon=[220, 300, 999], scenario_id=["s", "t", "t"])
    assert differences(two).empty


def test_all_fingerprint_fields_that_decide_results_are_compared() -> None:
    assert set(NUMERICS) <= set(STUDY_FIELDS)


def test_uneven_rollouts_are_listed() -> None:
    rates = rates_of({("a", "clean", "s"): (1, 50), ("b", "clean", "s"): (1, 10), ("a", "clean", "t"): (1, 50)})
    found = uneven_rollouts(rates)
    assert found.scenario_id.tolist() == ["s"]
    assert found.groups.tolist() == ["10 in b clean; 50 in a clean"]


def test_missing_cells_are_listed() -> None:
    rates = rates_of({("a", "clean", "s"): (1, 50), ("a", "clean", "t"): (1, 49)})
    plan = pd.DataFrame(
        [("a", "clean", "s"), ("a", "clean", "t"), ("b", "clean", "s")], columns=["model", "combination", "scenario_id"]
    )
    found = missing(rates, plan, 50)
    assert found[["model", "scenario_id", "n", "planned"]].values.tolist() == [["a", "t", 49, 50], ["b", "s", 0, 50]]
