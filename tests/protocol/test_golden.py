import pandas as pd
import pytest

from gauge.protocol import golden, paper, paper_study
from gauge.protocol.paper_study import PaperStudy
from gauge.protocol.sensitivity import rankings

TABLES = golden.table_checks()


def value(what: str) -> float:
    return float(TABLES.set_index("what").ours[what])


def test_every_printed_aggregate_is_recomputed() -> None:
    assert TABLES.groupby("table").size().to_dict() == {"I": 19, "II": 38, "IV": 19}
    assert TABLES.ok.all()
    assert not TABLES.what.duplicated().any()


def test_the_numbers_by_hand() -> None:
    """Independent of the checks' own bookkeeping."""
    assert value("ZS_ALL pi0.5") == pytest.approx((60.0 + 57.8 + 61.8 + 47.6 + 72.7 + 41.8) / 6)
    assert value("ZS_OOD Nora") == pytest.approx(0.1 / 6)
    assert value("average compositional, ood") == pytest.approx((22.0 + 10.0 + 2.0) / 12)
    assert value("Average1 pi0.5") == pytest.approx((43.0 + 17.7 + 4.9) / 3)
    assert round(value("D-RMSD PFC(1,2)"), 2) == 19.34
    assert round(value("D-RMSD PFC(2,3)"), 2) == 22.66
    assert round(value("D-RMSD PFC(3,6)"), 2) == 24.79


def test_a_wrong_digit_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = paper.printed()
    wrong = {**stored, "averages": {**stored["averages"], "zs_all": 22.5}}
    monkeypatch.setattr(paper, "printed", lambda: wrong)
    found = golden.table_checks()
    assert found.what[~found.ok].tolist() == ["average ZS_ALL"]


def test_the_paper_cannot_derive_table_one_from_table_two() -> None:
    found = golden.split_check()
    assert len(found) == 72
    impossible = found[~found.possible]
    assert ("OpenVLA-OFT", "action_reasoning") in set(zip(impossible.model, impossible.capability, strict=True))


def test_the_space_has_the_paper_s_shape() -> None:
    space = paper.space()
    assert len(space) == 268
    assert space.attribute.nunique() == 33
    assert space.groupby("category")["factor"].nunique().to_dict() == {"visual": 6, "spatial": 3, "control": 2}
    assert space.drop_duplicates("attribute").mutable.sum() == 24
    scenarios = paper.scenario_table()
    assert scenarios.groupby("capability").size().eq(45).all()


@pytest.fixture(scope="module")
def study() -> PaperStudy:
    return paper_study.run()


def test_all_counts_and_the_structure(study: PaperStudy) -> None:
    counts = golden.count_checks(study).set_index("what").ours
    assert counts["clean scenarios"] == 270
    assert counts["values x anchors"] == 4824
    assert counts["category combinations x anchors"] == 126
    assert counts["factor combinations x anchors"] == 270
    assert counts["combinatorial instances"] == 810
    assert counts["task instances"] == 6300
    assert study.judged.groupby("m").size().tolist() == [2, 4, 9]
    assert golden.count_checks(study).ok.all()
    assert golden.structure_checks(study).ok.all()


def test_the_factor_scores_follow_the_order_that_the_paper_implies(study: PaperStudy) -> None:
    score = study.factors.set_index("factor").score
    assert score["action"] > score["robot"]
    assert min(score["target_object"], score["image"]) > score["camera"] > score["robot"]
    assert min(score[name] for name in ("image_occlusion", "light", "object_appearance", "noise")) > score["camera"]
    overall = rankings(pd.DataFrame(columns=["factor", "attribute", "score"]), study.factors)
    assert overall[overall.ranking == "factors overall"].name.iloc[0] == "robot"


def test_another_seed_gives_the_same_structure() -> None:
    assert golden.count_checks(paper_study.run(seed=5)).ok.all()
