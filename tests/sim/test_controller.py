"""The lean controller against robosuite's own step on the same scenes and actions."""

import numpy as np
import pytest

from gauge.suites import load

pytestmark = pytest.mark.sim


@pytest.mark.parametrize(
    ("suite", "index"), [("libero_spatial", 0), ("libero_object", 3), ("libero_goal", 4), ("libero_10", 2)]
)
def test_free_motion_is_robosuites_to_a_nanometre(suite, index):
    from gauge.sim.scene import DUMMY_ACTION, Scene

    task = load(suite).tasks[index]
    lean, reference = Scene(task), Scene(task)
    rng = np.random.default_rng(7)
    motion = rng.uniform(-0.6, 0.6, (30, 7))
    motion[:, 2] = np.abs(motion[:, 2])  # upwards: nothing is touched
    for scene in (lean, reference):
        scene.start(11, 4)
    for action in [*np.tile(DUMMY_ACTION, (10, 1)), *motion]:
        lean.step(action)
        reference.env.step(action)
        robot = slice(0, 9)
        assert np.abs(lean.data.qpos[robot] - reference.data.qpos[robot]).max() < 1e-9
    assert np.abs(lean.data.qpos - reference.data.qpos).max() < 1e-6
    assert lean.success() == reference.success()
    lean.close()
    reference.close()


def test_the_gripper_closes_on_plus_one_and_opens_on_minus_one(goal_scene):
    widths = {}
    for command in (1.0, -1.0):
        goal_scene.start(1, 0)
        for _ in range(15):
            goal_scene.step(np.array([0.0, 0, 0, 0, 0, 0, command]))
        goal_scene.look()
        widths[command] = goal_scene.proprioception()[6] - goal_scene.proprioception()[7]
    assert widths[1.0] < 0.005
    assert widths[-1.0] > 0.07


def test_a_push_ends_where_robosuites_does_once_the_contact_solver_runs_to_its_end():
    """The plate is pushed over the table; with MuJoCo's own tolerance the two differ by millimetres."""
    from gauge.core.policy import Observation
    from gauge.policies.expert import ExpertPolicy
    from gauge.sim.scene import Scene

    task = load("libero_goal").tasks[5]
    scene = Scene(task)
    scene.model.opt.tolerance, scene.model.opt.iterations = 1e-15, 300
    expert, actions, ends = ExpertPolicy(), [], []
    expert.reset(task.instruction, np.random.default_rng(0))
    scene.start(3, 0)
    begin = scene.data.qpos.copy()
    for step in range(100):
        actions.append(expert.act(Observation({}, np.zeros(0), task.instruction, step, scene))[0])
        scene.step(actions[-1])
    for scene.stepper in ("lean", "robosuite"):
        scene.start(3, 0)
        for action in actions:
            scene.step(action)
        ends.append(scene.data.qpos.copy())
    scene.close()
    assert np.abs(ends[0] - begin)[9:].max() > 0.02  # something was moved
    assert np.abs(ends[0] - ends[1]).max() < 1e-8
