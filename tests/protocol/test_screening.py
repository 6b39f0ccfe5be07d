import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_tables import scores_of, space_of

from gauge.errors import GaugeError
from gauge.protocol.screening import category_candidates, configuration, factor_candidates, summary, until_saturated
from gauge.protocol.selection import d_hm, degradation, judge, retain
from gauge.protocol.sensitivity import attribute_scores, factor_scores, sensitive_values, value_scores

SPACE = space_of(
    ("visual", "light", "diffuse", (1, 2), True),
    ("visual", "light", "shadow", ("true",), False),
    ("visual", "noise", "blur", (1,), True),
    ("spatial", "camera", "yaw", (5,), True),
    ("spatial", "image", "shift", (0.1,), True),
    ("control", "action", "delay", (1,), True),
)
R = {"diffuse=1": 60.0, "diffuse=2": 60.0, "shadow=true": 90.0, "blur=1": 80.0, "yaw=5": 40.0, "shift=0.1": 70.0}


def config(seed: int = 0, delay: float = 50.0) -> pd.DataFrame:
    scores = scores_of({(m, label): r for m in "ab" for label, r in {**R, "delay=1": delay}.items()})
    values = sensitive_values(value_scores(scores, SPACE, ["a", "b"]))
    attributes = attribute_scores(values)
    return configuration(values, attributes, factor_scores(attributes), seed)


def test_a_factor_contributes_its_lowest_attribute_with_one_drawn_value() -> None:
    found = config().set_index("factor")
    assert found.attribute.to_dict() == {
        "light": "diffuse",
        "noise": "blur",
        "camera": "yaw",
        "image": "shift",
        "action": "delay",
    }
    drawn = {config(seed).set_index("factor").value["light"] for seed in range(20)}
    assert drawn == {1, 2}
    assert config(3).value.tolist() == config(3).value.tolist()


def test_all_seven_subsets_with_the_lowest_factor_of_each_category() -> None:
    found = summary(category_candidates(config()))
    assert found.name.tolist() == ["PCC(1,1)", "PCC(1,2)", "PCC(1,3)", "PCC(2,1)", "PCC(2,2)", "PCC(2,3)", "PCC(3,1)"]
    assert found.factors.tolist()[:3] == ["light", "camera", "action"]
    assert found.factors.tolist()[-1] == "light+camera+action"
    assert found.combination.tolist()[2] == "delay=1"


def test_nested_sequences_in_descending_score_from_the_highest_of_each_category() -> None:
    found = summary(factor_candidates(config(), [("visual", "spatial", "control")]))
    assert found.factors.tolist() == [
        "noise+image+action",
        "noise+image+action+light",
        "noise+image+action+light+camera",
    ]
    assert found.name.tolist() == ["PFC(3,1)", "PFC(3,2)", "PFC(3,3)"]


def test_numbers_count_on_over_tied_category_combinations() -> None:
    found = summary(factor_candidates(config(), [("visual",), ("spatial",)]))
    assert found.name.tolist() == ["PFC(1,1)", "PFC(1,2)", "PFC(1,3)", "PFC(1,4)"]
    assert found.factors.tolist() == ["noise", "noise+light", "image", "image+camera"]


def judged(candidates: pd.DataFrame, r: dict[str, tuple[float | None, float | None]]) -> pd.DataFrame:
    labels = summary(candidates).set_index("name").combination
    values = {(m, labels[name]): value for name, pair in r.items() for m, value in zip("ab", pair, strict=True)}
    return judge(candidates, scores_of(values), ["a", "b"])


def test_expansion_stops_at_the_first_saturated_one_which_is_kept() -> None:
    candidates = factor_candidates(config(), [("visual", "spatial", "control")])
    first = until_saturated(candidates, judged(candidates, {}))
    assert summary(first).name.tolist() == ["PFC(3,1)"]  # the next to evaluate
    some = judged(candidates, {"PFC(3,1)": (10.0, 0.0)})
    assert summary(until_saturated(candidates, some)).name.tolist() == ["PFC(3,1)", "PFC(3,2)"]
    full = judged(candidates, {"PFC(3,1)": (10.0, 0.0), "PFC(3,2)": (0.0, 0.0)})
    assert summary(until_saturated(candidates, full)).name.tolist() == ["PFC(3,1)", "PFC(3,2)"]
    assert full.saturated.tolist() == [False, True, False]


def test_the_unsaturated_one_with_the_highest_d_hm_is_retained() -> None:
    candidates = factor_candidates(config(), [("visual",), ("spatial",), ("visual", "spatial")])
    r = {"PFC(1,1)": (50.0, 50.0), "PFC(1,2)": (5.0, 90.0), "PFC(1,3)": (0.0, 0.0), "PFC(1,4)": (50.0, 50.0)}
    r |= {"PFC(2,1)": (0.0, 0.0), "PFC(2,2)": (0.0, 0.0), "PFC(2,3)": (0.0, 0.0)}
    found = retain(judged(candidates, r)).set_index("name")
    # 1: the harmonic mean prefers 50/50 to 5/90, whose arithmetic mean is higher; both ties stay.
    # 2: all are saturated, so the highest mean D decides, and all tie.
    assert found.index[found.retained].tolist() == ["PFC(1,1)", "PFC(1,4)", "PFC(2,1)", "PFC(2,2)", "PFC(2,3)"]


def test_a_candidate_without_result_forbids_the_choice() -> None:
    candidates = factor_candidates(config(), [("visual",)])
    with pytest.raises(GaugeError, match=r"PFC\(1,2\) not evaluated"):
        retain(judged(candidates, {"PFC(1,1)": (1.0, 1.0)}))
    half = judged(candidates, {"PFC(1,1)": (1.0, 1.0), "PFC(1,2)": (1.0, None)})
    assert half.note.tolist() == ["", "not evaluated: b"]


def test_an_undefined_reference_model_is_left_out_and_named() -> None:
    candidates = factor_candidates(config(), [("visual",)])
    found = judged(candidates, {"PFC(1,1)": (40.0, None), "PFC(1,2)": (0.0, None)})
    assert found.d_hm.tolist() == pytest.approx([0.6, 1.0])
    assert found.saturated.tolist() == [False, True]
    assert set(found.note) == {"undefined for b"}
    assert found.models.tolist() == [1, 1]
    nobody = judged(candidates, {"PFC(1,1)": (None, None)})
    assert not nobody.evaluated.any()


def test_the_formulas_by_hand() -> None:
    assert degradation(130) == 0
    assert degradation(25) == 0.75
    assert d_hm([1.0, 1.0]) == pytest.approx(1.0)
    assert d_hm([0.0, 1.0]) == pytest.approx(2 / (1e6 + 1 / 1.000001) - 1e-6)
    assert d_hm([0.2, 0.6]) == pytest.approx(0.3, abs=1e-5)
    with pytest.raises(ValueError, match="at least one model"):
        d_hm([])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_d_hm_lies_between_the_smallest_and_the_mean_degradation(d: list[float]) -> None:
    assert min(d) - 1e-9 <= d_hm(d) <= sum(d) / len(d) + 1e-9


def test_no_score_at_all_is_said() -> None:
    values = sensitive_values(value_scores(scores_of({}), SPACE, ["a"]))
    attributes = attribute_scores(values)
    with pytest.raises(GaugeError, match="no perturbation factor has a sensitivity score"):
        configuration(values, attributes, factor_scores(attributes))


def test_a_factor_without_score_contributes_nothing() -> None:
    scores = scores_of({(m, label): r for m in "ab" for label, r in R.items()})
    values = sensitive_values(value_scores(scores, SPACE, ["a", "b"]))
    attributes = attribute_scores(values)
    found = configuration(values, attributes, factor_scores(attributes))
    assert "action" not in set(found.factor)
    assert summary(category_candidates(found)).name.tolist() == ["PCC(1,1)", "PCC(1,2)", "PCC(2,1)"]
