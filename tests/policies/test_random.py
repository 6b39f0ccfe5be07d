import numpy as np
import pytest

from gauge.core.policy import Observation
from gauge.errors import PolicyError
from gauge.policies.random import RandomPolicy

LOOK = Observation({}, np.zeros(0), "go", 0)


def test_the_same_generator_gives_the_same_episode() -> None:
    policy = RandomPolicy(chunk=50, executed=50)
    episodes = []
    for seed in (1, 2, 1):
        policy.reset("go", np.random.default_rng(seed))
        episodes.append(np.concatenate([policy.act(LOOK), policy.act(LOOK)]))
    first, other, again = episodes
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert first.shape == (100, 7)
    assert -1.0 <= first.min() < -0.9
    assert 0.9 < first.max() <= 1.0


def test_acting_before_the_reset_is_refused() -> None:
    with pytest.raises(PolicyError, match="before its episode was reset"):
        RandomPolicy().act(LOOK)


def test_episodes_answered_together_draw_as_they_would_alone() -> None:
    policy = RandomPolicy(chunk=4, executed=4)
    states = [policy.begin("go", np.random.default_rng(seed)) for seed in (1, 2)]
    together = np.concatenate([policy.act_batch(states, [LOOK, LOOK]) for _ in range(3)], axis=1)
    for row, seed in enumerate((1, 2)):
        policy.reset("go", np.random.default_rng(seed))
        assert np.array_equal(together[row], np.concatenate([policy.act(LOOK) for _ in range(3)]))
