"""What each action perturbation does to the stream of executed actions."""

import numpy as np
import pytest
from perturbation_options import bound, shipped

from gauge.errors import GaugeError
from gauge.rollout.perturbed import ActivePerturbations

STREAM = np.random.default_rng(3).uniform(-0.9, 0.9, (200, 7))


def executed(name, value, stream=STREAM, seed=7):
    filtered, rng = shipped(name).filter(), np.random.default_rng(seed)
    return np.array([filtered(action, value, rng) for action in stream])


def test_a_delay_of_three_shifts_the_executed_stream_by_exactly_three():
    out = executed("execution_delay", 3)
    assert np.array_equal(out[3:], STREAM[:-3])
    assert np.array_equal(out[:3], np.zeros((3, 7)))


def test_a_delay_that_grows_inserts_no_ops_and_one_that_shrinks_overtakes():
    filtered = shipped("execution_delay").filter()
    delays = [1] * 5 + [3] * 5 + [0] * 5
    out = [filtered(action, delay, None) for action, delay in zip(STREAM[:15], delays, strict=True)]
    expected = [None, 0, 1, 2, 3, None, None, 4, 5, 6, 10, 11, 12, 13, 14]
    for got, source in zip(out, expected, strict=True):
        assert np.array_equal(got, np.zeros(7) if source is None else STREAM[source])


def test_every_episode_starts_with_an_empty_pipeline():
    assert np.array_equal(executed("execution_delay", 2), executed("execution_delay", 2))


@pytest.mark.parametrize("value", [1.5, -1, 41, "3", True])
def test_a_delay_is_a_whole_number_of_steps(value):
    with pytest.raises(GaugeError, match="execution_delay"):
        shipped("execution_delay").validate(value)


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_dropped_actions_repeat_the_last_executed_one_at_the_stated_rate(share):
    stream = np.random.default_rng(4).uniform(-1, 1, (20_000, 7))
    out = executed("action_drop", share, stream)
    dropped = ~(out == stream).all(axis=1)
    assert dropped.mean() == pytest.approx(share, abs=0.01)
    for step in np.flatnonzero(dropped[1:300]) + 1:
        assert np.array_equal(out[step], out[step - 1])


def test_which_actions_are_dropped_follows_from_the_seed_alone():
    assert np.array_equal(executed("action_drop", 0.3), executed("action_drop", 0.3))
    assert not np.array_equal(executed("action_drop", 0.3), executed("action_drop", 0.3, seed=8))


def test_a_bias_moves_the_y_translation_only_and_is_clipped():
    out = executed("action_bias", -0.2)
    others = [0, 2, 3, 4, 5, 6]
    assert np.array_equal(out[:, others], STREAM[:, others])
    assert np.allclose(out[:, 1], np.clip(STREAM[:, 1] - 0.2, -1.0, 1.0))
    assert out[:, 1].min() == -1.0


def test_each_episode_gets_a_filter_of_its_own_and_the_proof_counts_what_changed():
    for _ in range(2):
        active = ActivePerturbations([bound("execution_delay", 2)], episode_seed=1, horizon=30)
        out = [active.action(action) for action in STREAM[:5]]
        assert np.array_equal(out[2:], STREAM[:3])
        (row,) = active.proof()
        assert (row["samples"], row["changed"]) == (5, 5)
