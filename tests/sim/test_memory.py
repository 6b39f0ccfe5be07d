"""Memory and open files stay where they are after warm-up."""

import gc
from pathlib import Path

import numpy as np
import pytest

from gauge.suites import load

pytestmark = [pytest.mark.sim, pytest.mark.slow]


def resident_mb():
    from gauge.rollout.worker import resident_gb

    gc.collect()
    return 1024 * resident_gb()


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_two_hundred_episodes_of_one_scene_are_flat(goal_scene):
    def episode(index):
        goal_scene.start(index, index % 50)
        for _ in range(5):
            goal_scene.step(np.zeros(7))
        goal_scene.look()
        for camera in ("agentview", "robot0_eye_in_hand"):
            goal_scene.frame(camera, (96, 96))

    for index in range(20):
        episode(index)
    memory, files = resident_mb(), open_files()
    for index in range(200):
        episode(index)
    assert resident_mb() - memory < 10
    assert open_files() == files


def test_scenes_made_and_closed_give_their_memory_back(screen):
    from gauge.sim.scene import Scene

    def cycle(index):
        scene = Scene(load("libero_goal").tasks[index % 3], screen)
        scene.start(0, 0)
        scene.look()
        scene.frame("agentview", (96, 96))
        scene.close()

    for index in range(3):
        cycle(index)
    memory, files = resident_mb(), open_files()
    for index in range(9):
        cycle(index)
    assert resident_mb() - memory < 700  # less than one scene of nine is left
    assert open_files() == files
