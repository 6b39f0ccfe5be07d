import pandas as pd
import pytest
from protocol_tables import scores_of, space_of

from gauge.errors import GaugeError
from gauge.protocol.sensitivity import attribute_scores, factor_scores, rankings, sensitive_values, value_scores
from gauge.protocol.space import combination_of

SPACE = space_of(
    ("visual", "light", "diffuse", (1, 2, 3), True),
    ("visual", "light", "shadow", ("true",), False),
    ("control", "action", "noise", (0.1, 0.2), True),
)


def marked(values: dict[tuple[str, str], float | None], reference: tuple[str, ...] = ("a", "b")) -> pd.DataFrame:
    return sensitive_values(value_scores(scores_of(values), SPACE, reference))


FULL = {
    ("a", "diffuse=1"): 90.0,
    ("b", "diffuse=1"): 50.0,
    ("a", "diffuse=2"): 60.0,
    ("b", "diffuse=2"): 60.0,
    ("a", "diffuse=3"): 100.0,
    ("b", "diffuse=3"): 95.0,
    ("a", "shadow=true"): 80.0,
    ("b", "shadow=true"): 70.0,
    ("a", "noise=0.1"): 20.0,
    ("b", "noise=0.1"): 40.0,
    ("a", "noise=0.2"): 40.0,
    ("b", "noise=0.2"): 20.0,
}


def test_lowest_mean_and_largest_gap() -> None:
    found = marked(FULL).set_index("combination")
    assert found.index[found.deg].tolist() == ["diffuse=2", "shadow=true", "noise=0.1", "noise=0.2"]
    # Both noise values tie in mean and in gap, and ties are kept.
    assert found.index[found.disc].tolist() == ["diffuse=1", "shadow=true", "noise=0.1", "noise=0.2"]
    assert found.index[found.sensitive].tolist() == ["diffuse=1", "diffuse=2", "shadow=true", "noise=0.1", "noise=0.2"]


def test_scores_and_the_three_rankings() -> None:
    attributes = attribute_scores(marked(FULL))
    assert attributes.score.tolist() == pytest.approx([65, 75, 30])
    assert attributes["values"].tolist() == [2, 1, 2]
    factors = factor_scores(attributes)
    assert factors.set_index("factor").score.to_dict() == pytest.approx({"light": 70, "action": 30})
    table = rankings(attributes, factors)
    overall = table[table.ranking == "factors overall"]
    assert overall.name.tolist() == ["action", "light"]
    assert overall["rank"].tolist() == [1, 2]
    within = table[(table.ranking == "attributes in factor") & (table.group == "light")]
    assert within.name.tolist() == ["diffuse", "shadow"]
    assert table[table.ranking == "factors in category"]["rank"].tolist() == [1, 1]


def test_one_value_is_both_the_worst_and_the_most_telling() -> None:
    row = marked(FULL).set_index("combination").loc["shadow=true"]
    assert row.deg
    assert row.disc


def test_with_one_reference_model_there_is_no_gap() -> None:
    found = marked({key: r for key, r in FULL.items() if key[0] == "a"}, ("a",))
    assert found.r_gap.isna().all()
    assert not found.disc.any()
    assert found.set_index("combination").index[found.sensitive].tolist() == ["diffuse=2", "shadow=true", "noise=0.1"]
    with pytest.raises(GaugeError, match="at least one reference"):
        marked(FULL, ())


def test_a_reference_model_without_clean_success_is_left_out_everywhere_and_named() -> None:
    found = marked({key: (None if key[0] == "b" else r) for key, r in FULL.items()})
    assert found.models.tolist() == [1] * 6
    assert set(found.note) == {"undefined for b"}
    assert not found.disc.any()
    assert found.r_mean.notna().all()


def test_a_value_that_one_reference_model_lacks_gets_no_score() -> None:
    partial = {key: r for key, r in FULL.items() if key != ("b", "diffuse=2")}
    found = marked(partial).set_index("combination")
    assert found.r_mean["diffuse=2"] is pd.NA
    assert found.note["diffuse=2"] == "not evaluated: b"
    assert found.deg["diffuse=1"]  # the lowest of what is left


def test_an_attribute_without_any_score_has_no_rank() -> None:
    partial = {key: r for key, r in FULL.items() if not key[1].startswith("noise")}
    attributes = attribute_scores(marked(partial))
    noise = attributes.set_index("attribute").loc["noise"]
    assert noise.score is pd.NA
    assert noise.note == "not evaluated"
    factors = factor_scores(attributes)
    assert factors.set_index("factor").note["action"] == "not evaluated: noise"
    overall = rankings(attributes, factors).query("ranking == 'factors overall'")
    assert overall.name.tolist() == ["light", "action"]
    assert overall["rank"].tolist() == [1, pd.NA]


def test_values_without_any_gap_all_tie() -> None:
    same = dict.fromkeys(FULL, 50.0)
    assert marked(same).sensitive.all()
    table = rankings(attribute_scores(marked(same)), factor_scores(attribute_scores(marked(same))))
    overall = table[table.ranking == "factors overall"]
    assert overall["rank"].tolist() == [1, 1]
    assert overall.tied.all()
    assert overall.name.tolist() == ["action", "light"]


def test_a_whole_number_stays_one() -> None:
    space = space_of(("control", "action", "delay", (1, 2), True), ("control", "action", "noise", (0.5,), True))
    assert space.combination.tolist() == ["delay=1", "delay=2", "noise=0.5"]
    assert combination_of(space.iloc[:1]).label == "delay=1"


def test_a_value_that_is_listed_twice_is_refused() -> None:
    with pytest.raises(GaugeError, match="lists diffuse=1 twice"):
        space_of(("visual", "light", "diffuse", (1, 1), True))
