import numpy as np
import pandas as pd
import pytest

from gauge.core.items import Combination, Item
from gauge.errors import GaugeError
from gauge.protocol import paper
from gauge.protocol.anchors import anchors, difficulty
from gauge.protocol.interaction import retention_test
from gauge.protocol.paired import compare_with_clean
from gauge.protocol.robustness import r_scores
from gauge.protocol.synthetic import SyntheticPolicy, clean_probabilities, simulate
from gauge.protocol.tables import rates

SHIFT, NOISE = Item("spatial", "image", "shift", (0.1,)), Item("control", "action", "noise", (0.2,))
BOTH = Combination.of([SHIFT, NOISE])
SCENARIOS = [f"s{k}" for k in range(30)]


def policy(interaction: float = 1.0, clean: float = 0.8) -> SyntheticPolicy:
    return SyntheticPolicy(
        "synthetic-a",
        dict.fromkeys(SCENARIOS, clean),
        {("shift", 0.1): 0.5, ("shift", 0.3): 0.1, ("noise", 0.2): 0.4},
        {frozenset({"image", "action"}): interaction},
    )


def test_the_truth_is_known() -> None:
    one = policy(interaction=0.5)
    assert one.probabilities(Combination(), SCENARIOS)[0] == 0.8
    assert one.probabilities(Combination.of([SHIFT]), SCENARIOS)[0] == pytest.approx(0.4)
    assert one.probabilities(BOTH, SCENARIOS)[0] == pytest.approx(0.8 * 0.5 * 0.4 * 0.5)
    dynamic = Combination.of([Item("spatial", "image", "shift", (0.1, 0.3), "dynamic")])
    assert one.kept(dynamic) == pytest.approx(0.3)
    assert policy(interaction=100.0).probabilities(BOTH, SCENARIOS)[0] == 1.0


def test_it_is_named_synthetic_wherever_it_appears() -> None:
    with pytest.raises(GaugeError, match="name it synthetic-pi0"):
        SyntheticPolicy("pi0", {})
    found = simulate([policy()], [Combination()], SCENARIOS, 2, np.random.default_rng(0))
    assert found.model.str.startswith("synthetic").all()
    assert found.cell_id.str.startswith("synthetic").all()
    assert set(found.model_identity) == {"synthetic"}


def test_episodes_follow_the_truth_and_the_seed() -> None:
    draw = [simulate([policy()], [Combination(), BOTH], SCENARIOS, 100, np.random.default_rng(s)) for s in (1, 1, 2)]
    pd.testing.assert_frame_equal(draw[0], draw[1])
    assert not draw[0].status.equals(draw[2].status)
    row = r_scores(rates(draw[0])).iloc[0]
    assert row.clean_sr == pytest.approx(0.8, abs=0.03)
    assert row.r == pytest.approx(20, abs=3)
    assert draw[0].groupby(["scenario_id", "rollout"], observed=True)["seed"].nunique().eq(1).all()


def test_no_chance_means_no_success() -> None:
    found = simulate([policy(interaction=0.0)], [BOTH], SCENARIOS, 500, np.random.default_rng(0))
    assert (found.status == "fail").all()


def test_pairing_makes_luck_shared() -> None:
    shares = []
    for pairing in (0.0, 0.9):
        found = simulate([policy(clean=0.5)], [Combination(), BOTH], SCENARIOS, 100, np.random.default_rng(3), pairing)
        row = compare_with_clean(found).iloc[0]
        shares.append(row.gained / row.n)
    assert shares[0] == pytest.approx(0.5 * 0.1, abs=0.015)
    assert shares[1] < 0.01


def test_the_interaction_that_was_put_in_is_found_again() -> None:
    single = [Combination.of([SHIFT]), Combination.of([NOISE])]
    parts = {BOTH.label: [combination.label for combination in single]}
    for interaction, word in ((1.0, "cannot tell from its parts"), (0.3, "more than its parts")):
        found = simulate([policy(interaction)], [Combination(), *single, BOTH], SCENARIOS, 50, np.random.default_rng(4))
        assert retention_test(rates(found), parts).verdict.tolist() == [word]


def test_clean_probabilities_give_every_difficulty_in_every_capability() -> None:
    scenarios, rng = paper.scenario_table(), np.random.default_rng(0)
    crew = [SyntheticPolicy(f"synthetic-{skill}", clean_probabilities(scenarios, skill, rng)) for skill in (1.3, 0.9)]
    found = rates(simulate(crew, [Combination()], list(scenarios.scenario_id), 50, rng))
    chosen = anchors(difficulty(found, scenarios, [one.name for one in crew]))
    assert len(chosen) == 18
    assert chosen.scenario_id.notna().all()
    ood = scenarios.scenario_id[scenarios.split == "ood"]
    of_ood = np.mean([crew[0].clean[name] for name in ood])
    assert of_ood < np.mean(list(crew[0].clean.values()))
