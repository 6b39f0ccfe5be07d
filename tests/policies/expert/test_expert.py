import numpy as np
import pytest

from gauge.core.policy import Observation
from gauge.errors import PolicyError
from gauge.policies.expert import ExpertPolicy

IDLE_STEPS = 10


def look(step, scene=None):
    return Observation(images={}, state=np.zeros(0), instruction="", step=step, scene=scene)


def episode(scene, policy, state, horizon=280):
    """Actions, first successful step (or None), and whether the goal holds after idling at the end."""
    scene.start(seed=state, state_index=state)
    for _ in range(10):
        scene.step(np.array([0, 0, 0, 0, 0, 0, -1.0]))
    policy.reset("", np.random.default_rng(state))
    actions, first, idle = [], None, 0
    for step in range(horizon):
        action = policy.act(look(step, scene))[0]
        scene.step(action)
        actions.append(action)
        first = step if first is None and scene.success() else first
        idle += policy.status != "acting"
        if idle > IDLE_STEPS:
            break
    return np.array(actions), first, scene.success()


def test_it_declares_that_it_is_privileged_and_needs_no_picture():
    policy = ExpertPolicy()
    assert policy.spec.privileged
    assert policy.spec.cameras == ()
    assert policy.spec.chunk == policy.spec.executed == 1
    assert policy.identity.startswith("expert/")


def test_acting_without_a_reset_or_a_scene_is_an_error():
    policy = ExpertPolicy()
    with pytest.raises(PolicyError, match="reset"):
        policy.act(look(0))
    policy.reset("", np.random.default_rng(0))
    with pytest.raises(PolicyError, match="scene"):
        policy.act(look(0))


@pytest.mark.sim
@pytest.mark.parametrize("task", [0, 6])
def test_objects_end_in_the_basket_and_stay(task):
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene
    from gauge.suites import load

    scene, policy = Scene(load("libero_object").tasks[task]), ExpertPolicy()
    for state in (0, 1):
        actions, first, final = episode(scene, policy, state)
        assert policy.status == "done"
        assert first is not None
        assert final
        assert np.abs(actions).max() <= 1.0
    again, _, _ = episode(scene, policy, 1)
    np.testing.assert_array_equal(again, actions)
    scene.close()
