"""Absolute poses instead of deltas, as X-VLA commands them, against robosuite's own controller."""

import numpy as np
import pytest

from gauge.suites import load

pytestmark = pytest.mark.sim


def test_a_commanded_pose_is_followed_as_robosuite_follows_it():
    from gauge.sim.scene import DUMMY_ACTION, Scene

    scene = Scene(load("libero_goal").tasks[0])
    ends, reached = [], []
    for scene.stepper in ("lean", "robosuite"):
        scene.start(3, 0)
        for _ in range(10):
            scene.step(DUMMY_ACTION)
        scene.look()
        pose = scene.controller_pose()
        assert pose.shape == (9,)
        assert np.allclose(np.linalg.norm(pose[3:].reshape(2, 3), axis=1), 1.0)
        goal = np.concatenate([pose[:3] + np.array([0.03, -0.04, 0.08]), [np.pi, 0.0, 0.0], [-1.0]])
        scene.drive(absolute=True)
        for _ in range(40):
            scene.step(goal)
        scene.look()
        ends.append(scene.data.qpos[:9].copy())
        reached.append(scene.controller_pose())
        assert np.abs(reached[-1][:3] - goal[:3]).max() < 0.01  # the same as a delta would have thrown it far away
        assert np.abs(reached[-1][3:] - [1, 0, 0, 0, -1, 0]).max() < 0.05
    scene.start(3, 0)
    assert scene.env.robots[0].controller.use_delta
    scene.close()
    assert np.abs(ends[0] - ends[1]).max() < 1e-9
