import numpy as np

from gauge.core.policy import Observation, checked_chunk
from gauge.policies.noop import NoopPolicy


def test_the_arm_rests_and_the_gripper_is_open() -> None:
    policy = NoopPolicy(chunk=4, executed=3)
    policy.reset("go", np.random.default_rng(0))
    chunk = checked_chunk(policy.act(Observation({}, np.zeros(0), "go", 0)), policy.spec)
    assert chunk.tolist() == [[0.0] * 6 + [-1.0]] * 3
    assert (policy.spec.cameras, policy.spec.state) == ((), "none")
