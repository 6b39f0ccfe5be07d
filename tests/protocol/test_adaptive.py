"""Races decide as the full grid does, spend less, and say when they are not sure."""

import numpy as np
import pandas as pd
import pytest
from protocol_tables import episodes_of, scores_of, space_of

from gauge.protocol import adaptive, adaptive_choice, rehearsal_choice, sensitivity
from gauge.protocol.adaptive import Grid, Race, margins, scores
from gauge.protocol.rehearsal import SHAPES, rehearse
from gauge.protocol.selection import d_hm
from gauge.protocol.twins import Counts, Twins

SPACE = space_of(
    ("visual", "light", "diffuse", (1, 2, 3), True),
    ("visual", "light", "shadow", ("true", "false"), False),
    ("control", "action", "noise", (0.1, 0.2), True),
)


def grid(models: int = 2) -> Grid:
    return Grid.of(SPACE, np.ones((len(SPACE), models)))


@pytest.mark.parametrize("models", [1, 2, 3])
def test_scores_of_many_grids_are_those_of_the_tables(models: int) -> None:
    rng = np.random.default_rng(models)
    r = np.array(
        rng.integers(0, 5, (models, 6, len(SPACE))) * 20, np.float64
    )  # few distinct numbers, so that there are ties
    found = scores(grid(models), r)
    names = [f"m{k}" for k in range(models)]
    for one in range(r.shape[1]):
        table = {(m, label): r[k, one, v] for k, m in enumerate(names) for v, label in enumerate(SPACE.combination)}
        values = sensitivity.sensitive_values(sensitivity.value_scores(scores_of(table), SPACE, names))
        attributes = sensitivity.attribute_scores(values).set_index("attribute")
        factors = sensitivity.factor_scores(attributes.reset_index()).set_index("factor")
        assert (found.deg[one] == values.deg).all()
        assert (found.disc[one] == values.disc).all()
        assert found.attributes[one] == pytest.approx(attributes.score[sorted(attributes.index)].astype(float))
        assert found.factors[one] == pytest.approx(factors.score[sorted(factors.index)].astype(float))


def counts(successes: list[int], n: int, left: int, models: int = 2) -> Counts:
    """The same for all models, all clean twins having succeeded."""
    side = np.repeat(np.array(successes)[:, None], models, axis=1)
    none = np.zeros_like(side)
    return Counts(
        np.stack([none, side], axis=2), np.stack([none, none + n], axis=2), np.stack([none, none + left], axis=2)
    )


def test_a_race_ends_where_all_is_clear_and_asks_for_what_is_close() -> None:
    race = Race(grid(1), 0.05, np.random.default_rng(0))
    clear = race.look(counts([90, 80, 5, 85, 50, 95, 60], 100, 900, models=1))
    assert clear.error <= 0.05
    assert not clear.needs.any()
    near = counts([90, 30, 31, 85, 60, 95, 60], 100, 900, models=1)
    close = Race(grid(1), 0.05, np.random.default_rng(0)).look(near)
    assert close.error > 0.05
    assert close.needs.any()
    assert not close.needs[0]


def test_a_race_without_rollouts_left_is_over_and_is_the_full_grid() -> None:
    found = Race(grid(), 0.05, np.random.default_rng(0)).look(counts([90, 30, 31, 85, 60, 95, 60], 1000, 0))
    assert found.error == 0.0
    assert not found.needs.any()


def test_a_grid_refutes_only_what_it_can_tell() -> None:
    rng = np.random.default_rng(0)
    r = np.repeat(np.array([90.0, 80.0, 30.0, 95.0, 94.0, 60.0, 50.0])[None], 2, axis=0)[:, None]
    noise = rng.normal(0, 1, (2, 500, 7))
    swapped = r.copy()
    swapped[:, :, 2] = 70.0
    swapped[:, :, 6] = 75.0
    decided, full, repeated = (scores(grid(), one) for one in (r, swapped, r + noise))
    assert (margins(grid(), decided, decided, repeated) <= 0).all()
    assert (margins(grid(), decided, full, repeated) > 0).any()
    near = r.copy()
    near[:, :, 3] = 93.5  # now the lowest of its attribute by half a point, where repetitions differ by one
    assert (margins(grid(), decided, scores(grid(), near), repeated) <= 0).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_rehearsal_agrees_with_half_of_the_rollouts(shape: str) -> None:
    found = rehearse(shape, 1)  # type: ignore[arg-type]
    assert found.agrees
    assert found.share < 0.6


@pytest.mark.slow
def test_races_agree_in_95_percent_of_200_trials_with_less_than_half_of_the_rollouts() -> None:
    found = np.array([rehearse(SHAPES[k % 3], k) for k in range(200)], float)
    assert found[:, 0].mean() >= 0.95
    assert found[:, 4].mean() <= 0.5


def test_races_of_the_screening_agree_in_95_percent_of_30_trials_with_less_than_half_of_the_rollouts() -> None:
    found = np.array([rehearsal_choice.rehearse(SHAPES[k % 3], k) for k in range(30)], float)
    assert found[:, 0].mean() >= 0.95
    assert found[:, 4].mean() <= 0.5


def test_the_screening_is_rehearsed_up_to_saturation_and_its_choice_is_the_best_that_is_left() -> None:
    table = pd.DataFrame({"sequence": [0, 0, 0, 1, 1]})
    alive = np.array([True, False, True, True, True])
    assert rehearsal_choice._until_saturated(table, alive).tolist() == [0, 1, 3, 4]
    d_hm, size = np.array([0.2, 0.9, 0.4, 0.3, 0.1]), np.array([1, 1, 1, 2, 2])
    assert rehearsal_choice._best(d_hm, size, alive) == [2, 3]
    again = np.tile(d_hm, (3, 1))  # repetitions that never differ tell everything apart
    assert rehearsal_choice._off([0, 3], d_hm, again, size, alive) == pytest.approx(0.2)


def test_the_choice_runs_saturated_candidates_to_their_end_and_close_ones_on() -> None:
    size, rng = np.array([1, 1, 1, 2]), np.random.default_rng(0)
    clean = np.full((4, 2), 0.8)
    open_ = adaptive_choice.look(counts([70, 60, 0, 40], 100, 900), clean, size, 0.05, rng)
    assert open_.needs.tolist() == [False, False, True, False]
    close = adaptive_choice.look(counts([60, 61, 5, 40], 100, 900), clean, size, 0.05, rng)
    assert not close.needs.any()
    assert close.error == 0.0
    doubtful = adaptive_choice.look(counts([60, 11, 9, 40], 100, 900), clean, size, 0.05, rng)
    assert doubtful.needs.tolist() == [False, True, True, False]


def test_d_hm_of_many_grids_is_that_of_the_selection() -> None:
    found = adaptive_choice.d_hm(np.array([[[30.0, 120.0]], [[80.0, 50.0]]]))
    assert found[0].tolist() == pytest.approx([d_hm([0.7, 0.2]), d_hm([0.0, 0.5])])


EPISODES = episodes_of(
    ("a", "clean", "s", 0, "success"),
    ("a", "clean", "s", 1, "fail"),
    ("a", "clean", "t", 0, "error"),
    ("a", "clean", "t", 1, "success"),
    ("a", "x=1", "s", 0, "success"),
    ("a", "x=1", "s", 1, "error"),
    ("a", "x=1", "t", 0, "fail"),
    ("b", "x=1", "t", 0, "success"),
)


def test_episodes_are_counted_by_how_their_clean_twins_ended() -> None:
    twins = Twins.of(EPISODES, ["a"], ["s", "t"], 2)
    successes, n = twins.count(EPISODES, ["x=1", "y=1"])
    assert n.tolist() == [[[1, 1]], [[0, 0]]]
    assert successes.tolist() == [[[0, 1]], [[0, 0]]]
    everywhere, one = np.ones((1, 2), bool), np.array([[True, False]])
    assert twins.rate(np.concatenate([everywhere, one]))[:, 0].tolist() == [0.75, 0.5]
    assert twins.left(everywhere, np.array([1])).tolist() == [[[1, 1]]]
    assert twins.left(one, np.array([0])).tolist() == [[[1, 1]]]
    assert twins.left(one, np.array([2])).tolist() == [[[0, 0]]]


def test_rollouts_grow_step_by_step_up_to_the_plan() -> None:
    steps = [adaptive.FIRST]
    while steps[-1] < 50:
        steps.append(adaptive.more(steps[-1], 50))
    assert steps == [5, 8, 13, 21, 34, 50]
    assert adaptive.more(1, 50) == 2
