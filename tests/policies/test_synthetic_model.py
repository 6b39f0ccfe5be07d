"""The synthetic model draws what it says, on shared seeds, and cannot pass for a policy."""

import numpy as np
import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item
from gauge.core.record import EpisodeRecord
from gauge.errors import PolicyError
from gauge.perturbations.base import Bound
from gauge.perturbations.image_shift import ImageShift
from gauge.policies.synthetic import SyntheticModel, step
from gauge.rollout.drawn import Drawing
from gauge.rollout.plan import EpisodePlan, plan_episodes
from gauge.suites import synthetic

SHIFT = ImageShift("spatial", "image", "image_shift", "share", 0.0, (0.05, 0.1, 0.15, 0.2))
TASKS = synthetic.load().tasks[:20]


def model(**more: object) -> SyntheticModel:
    given: dict[str, object] = {"skill": 0.5, "spread": 1.5, "own": 0.8, "weakness": 1.0, "pairing": 0.5}
    return SyntheticModel(**{**given, "effects": {"image": 0.4}, "attributes": {}, "interactions": [], **more})  # type: ignore[arg-type]


def item(*values: float, mode: str = "static") -> Item:
    found = SHIFT.item(values, mode)  # type: ignore[arg-type]
    assert found is not None
    return found


def drawn(items: list[Item], plans: list[EpisodePlan], name: str = "synthetic-1") -> list[EpisodeRecord]:
    cell = Cell({"name": name}, {"name": "synthetic"}, Combination.of(items))
    bound = [Bound(one, SHIFT) for one in items]
    batches = Drawing(model(), cell, bound, {"renderer": "none"}).batches(plans)
    return [record for batch in batches for record in batch]


def rate(records: list[EpisodeRecord]) -> float:
    return float(np.mean([record.status == "success" for record in records]))


@pytest.fixture(scope="module")
def plans() -> list[EpisodePlan]:
    return plan_episodes("cell", TASKS, 400, 0, 300, 10)


@pytest.mark.parametrize(("items", "kept"), [([], 1.0), ([item(0.2)], 0.4), ([item(0.1)], 0.7)])
def test_success_is_drawn_from_the_stated_probabilities(
    items: list[Item], kept: float, plans: list[EpisodePlan]
) -> None:
    truth = model().policy("synthetic-1", TASKS, items, {"image_shift": SHIFT.levels})
    expected = kept * float(np.mean(list(truth.clean.values())))
    error = 4 * 0.5 / np.sqrt(len(plans))
    assert abs(rate(drawn(items, plans)) - expected) < error


def test_a_dynamic_item_keeps_the_mean_over_its_draws(plans: list[EpisodePlan]) -> None:
    between = rate(drawn([item(0.05, 0.2, mode="dynamic")], plans))
    gentle, harsh = rate(drawn([item(0.05)], plans)), rate(drawn([item(0.2)], plans))
    assert abs(between - (gentle + harsh) / 2) < 0.03


def test_order_and_subset_of_the_plans_change_nothing(plans: list[EpisodePlan]) -> None:
    every = {record.key: record.status for record in drawn([item(0.1)], plans)}
    some = drawn([item(0.1)], plans[::-7])
    assert all(every[record.key] == record.status for record in some)


def test_luck_is_shared_between_models_and_perturbations(plans: list[EpisodePlan]) -> None:
    one, other = drawn([], plans, "synthetic-1"), drawn([], plans, "synthetic-2")
    first, second = ([record.status == "success" for record in side] for side in (one, other))
    within = [np.corrcoef(first[k : k + 400], second[k : k + 400])[0, 1] for k in range(0, len(plans), 400)]
    assert 0.15 < float(np.nanmean(within)) < 0.5


def test_every_record_says_that_it_is_synthetic(plans: list[EpisodePlan]) -> None:
    record = drawn([item(0.1)], plans[:1])[0]
    assert record.model_identity.startswith("synthetic")
    assert record.fingerprint["renderer"] == "none"
    assert record.items[0]["label"] == "image_shift=0.1"
    assert record.steps == record.frames == record.policy_calls == 0


def test_it_cannot_act() -> None:
    with pytest.raises(PolicyError, match="no actions, only success probabilities"):
        model().reset("", np.random.default_rng(0))


@pytest.mark.parametrize(("value", "place"), [(0.05, 1), (0.2, 4), (0.11, 2), (9.0, 4), ("red", 4)])
def test_a_value_counts_as_the_nearest_level(value: float | str, place: int) -> None:
    assert step(SHIFT.levels, value) == place
