import pandas as pd
import pytest
from protocol_tables import rates_of, scenarios_of

from gauge.errors import GaugeError
from gauge.protocol.anchors import anchor_scenarios, anchors, difficulty
from gauge.protocol.reference import reference_models


def scores(**zs: float | None) -> pd.DataFrame:
    frame = pd.DataFrame({"model": list(zs), "split": "all", "zs": list(zs.values())})
    return frame.astype({"zs": "Float64"})


def test_the_two_best_are_the_reference() -> None:
    found = reference_models(scores(a=0.2, b=0.9, c=0.5))
    assert found.model.tolist() == ["b", "c"]
    assert found["rank"].tolist() == [1, 2]
    assert not found.tied.any()


def test_a_tie_for_the_last_place_is_decided_by_name_and_said() -> None:
    found = reference_models(scores(c=0.1 + 0.2, b=0.3, a=0.9))
    assert found.model.tolist() == ["a", "b"]
    assert found.tied.tolist() == [False, True]


def test_one_evaluated_model_is_the_only_reference() -> None:
    assert reference_models(scores(a=None, b=0.1)).model.tolist() == ["b"]
    with pytest.raises(GaugeError, match="no model has a zero-shot score"):
        reference_models(scores(a=None))


SCENARIOS = scenarios_of(*[(f"s{k}", "vision", "id") for k in range(6)])


def levels(first: list[int], second: list[int], n: int = 50) -> pd.DataFrame:
    counts = {("a", "clean", f"s{k}"): (value, n) for k, value in enumerate(first)}
    counts |= {("b", "clean", f"s{k}"): (value, n) for k, value in enumerate(second)}
    return difficulty(rates_of(counts), SCENARIOS, ["a", "b"])


def test_difficulty_by_how_many_reach_the_threshold() -> None:
    found = levels([30, 30, 29, 0, 50, 0], [30, 29, 30, 0, 0, 29])
    assert found.difficulty.tolist() == ["easy", "medium", "medium", "hard", "medium", "hard"]


def test_thirty_of_fifty_reaches_exactly_the_threshold() -> None:
    assert levels([30] * 6, [30] * 6).difficulty.tolist() == ["easy"] * 6


def test_with_one_reference_model_nothing_is_medium() -> None:
    counts = {("a", "clean", f"s{k}"): (10 * k, 50) for k in range(6)}
    found = difficulty(rates_of(counts), SCENARIOS, ["a"])
    assert found.difficulty.tolist() == ["hard"] * 3 + ["easy"] * 3
    chosen = anchors(found).set_index("difficulty")
    assert chosen.note.to_dict() == {"easy": "", "medium": "empty group", "hard": ""}
    assert chosen.scenario_id["hard"] == "s1"
    with pytest.raises(GaugeError, match="at least one reference"):
        difficulty(rates_of(counts), SCENARIOS, [])


def test_a_scenario_that_one_reference_model_lacks_has_no_difficulty() -> None:
    found = levels([50] * 5, [50] * 6)
    assert found.note.tolist() == [""] * 5 + ["not evaluated"]
    assert found.difficulty[5] is None or pd.isna(found.difficulty[5])
    assert "s5" not in set(anchors(found).scenario_id.dropna())


def test_an_empty_group_is_reported_and_never_filled() -> None:
    chosen = anchors(levels([50] * 6, [50] * 6))
    assert len(chosen) == 3
    assert chosen.note.tolist() == ["", "empty group", "empty group"]
    assert chosen.scenario_id.isna().tolist() == [False, True, True]
    assert anchor_scenarios(chosen, SCENARIOS).scenario_id.tolist() == [chosen.scenario_id[0]]


def test_the_anchor_is_closest_to_the_median_and_ties_go_to_the_first_id() -> None:
    # Means .4 and .1: both are .15 from the median .25, but in floats the first is farther by the last bit.
    found = levels([20, 5, 50, 50, 50, 50], [20, 5, 50, 50, 50, 50])
    assert abs(0.4 - 0.25) > abs(0.1 - 0.25)
    chosen = anchors(found).set_index("difficulty")
    assert chosen.scenario_id["hard"] == "s0"
    assert chosen["median"]["hard"] == pytest.approx(0.25)
    assert chosen.group["hard"] == 2
    assert chosen.scenario_id["easy"] == "s2"
