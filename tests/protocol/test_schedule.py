import pandas as pd
import pytest
from protocol_tables import episodes_of, space_of

from gauge.core.draws import draws
from gauge.core.items import Item
from gauge.core.seeds import episode_seed
from gauge.perturbations.base import Bound
from gauge.perturbations.image_shift import ImageShift
from gauge.protocol.schedule import by_candidate, mode, mode_schedule, value_schedule
from gauge.rollout.perturbed import ActivePerturbations

SPACE = space_of(
    ("spatial", "image", "image_shift", (0.1, 0.2, 0.3), True),
    ("control", "action", "delay", (1, 2), True),
    ("control", "robot", "start", (25, 475), False),
)
# image_shift keeps two sensitive values, delay one, start two that cannot change during an episode.
SENSITIVE = SPACE.assign(sensitive=[True, False, True, False, True, True, True])
PFC = pd.DataFrame(
    [
        ("PFC(2,1)", "delay=2+image_shift=0.3+start=25", "spatial", "image", "image_shift", 0.3),
        ("PFC(2,1)", "delay=2+image_shift=0.3+start=25", "control", "action", "delay", 2),
        ("PFC(2,1)", "delay=2+image_shift=0.3+start=25", "control", "robot", "start", 25),
    ],
    columns=["name", "combination", "category", "factor", "attribute", "value"],
    dtype=object,
)
HORIZONS = pd.DataFrame({"scenario_id": ["s", "t"], "horizon": [220, 100]})


def test_half_of_the_trials_are_dynamic() -> None:
    modes = mode_schedule(PFC, SENSITIVE, [f"s{k}" for k in range(40)], 50)
    share = (modes["mode"] == "dynamic").mean()
    assert 0.46 < share < 0.54  # 2000 fair draws: 0.5 +- 3.6 standard errors
    assert modes.groupby("scenario_id").size().eq(50).all()
    labels = set(zip(modes["mode"], modes.combination, strict=True))
    assert labels == {
        ("static", "delay=2+image_shift=0.3+start=25"),
        ("dynamic", "delay=2+image_shift=dynamic+start=25"),
    }


def test_the_schedule_is_a_function_of_seed_combination_scenario_and_rollout() -> None:
    both, one = (mode_schedule(PFC, SENSITIVE, names, 30) for names in (["s", "t"], ["t"]))
    assert both[both.scenario_id == "t"]["mode"].tolist() == one["mode"].tolist()
    assert mode_schedule(PFC, SENSITIVE, ["t"], 30, root=1)["mode"].tolist() != one["mode"].tolist()
    others = [mode("another=1", "t", rollout) for rollout in range(30)]
    assert others != one["mode"].tolist()


def test_only_mutable_attributes_with_two_sensitive_values_move() -> None:
    modes = mode_schedule(PFC, SENSITIVE, ["s", "t"], 20)
    values = value_schedule(modes, PFC, SENSITIVE, HORIZONS)
    trials = modes.set_index(["scenario_id", "rollout"])["mode"]
    moving = values[[trials[(row.scenario_id, row.rollout)] == "dynamic" for row in values.itertuples()]]
    steps = moving.groupby(["scenario_id", "attribute"])["step"].agg(lambda found: sorted(set(found)))
    assert steps["s", "image_shift"] == [0, 73, 146]
    assert steps["t", "image_shift"] == [0, 33, 66]
    assert steps["s", "delay"] == steps["s", "start"] == [0]
    assert set(moving[moving.attribute == "image_shift"].value) == {0.1, 0.3}
    still = values.drop(index=moving.index)
    assert set(still.step) == {0}
    assert set(still[still.attribute == "image_shift"].value) == {0.3}


def test_the_planned_values_are_those_that_the_episode_meets() -> None:
    shift = ImageShift("spatial", "image", "image_shift", "fraction", 0.0, (0.1, 0.2, 0.3))
    item = Item("spatial", "image", "image_shift", (0.1, 0.2, 0.3), "dynamic")
    for rollout in range(20):
        seed = episode_seed(0, "libero_goal/open_the_drawer", rollout)
        met = ActivePerturbations([Bound(item, shift)], seed, horizon=300)
        assert draws(item, seed) == met._active[0].draws


def test_two_cells_become_one_candidate() -> None:
    modes = mode_schedule(PFC, SENSITIVE, ["s"], 8)
    planned = [("a", row.combination, "s", row.rollout, "success") for row in modes.itertuples()]
    label = {"static": "delay=2+image_shift=dynamic+start=25", "dynamic": "delay=2+image_shift=0.3+start=25"}
    wrong = [("a", label[row.mode], "s", row.rollout, "fail") for row in modes.itertuples()]
    found = by_candidate(episodes_of(("a", "clean", "s", 0, "success"), *planned, *wrong), modes)
    assert found.groupby("combination").size().to_dict() == {"PFC(2,1)": 8, "clean": 1}
    assert set(found.status) == {"success"}


def test_a_table_without_horizon_is_refused() -> None:
    with pytest.raises(Exception, match="horizons table lacks horizon"):
        value_schedule(mode_schedule(PFC, SENSITIVE, ["s"], 1), PFC, SENSITIVE, HORIZONS[["scenario_id"]])
