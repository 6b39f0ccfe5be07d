import gc

import numpy as np
import pytest

from gauge.errors import GaugeError, SceneError
from gauge.suites import load

pytestmark = pytest.mark.sim


def settle(scene, seed, index, steps=10):
    from gauge.sim.scene import DUMMY_ACTION

    scene.start(seed, index)
    for _ in range(steps):
        scene.step(DUMMY_ACTION)
    return scene.start_hash()


def test_a_start_depends_on_its_seed_alone(goal_scene, screen):
    from gauge.sim.scene import Scene

    first = settle(goal_scene, 5, 2)
    rng = np.random.default_rng(0)
    for _ in range(15):
        goal_scene.step(rng.uniform(-1, 1, 7))
    assert settle(goal_scene, 6, 2) != first
    assert settle(goal_scene, 5, 3) != first
    assert settle(goal_scene, 5, 2) == first
    fresh = Scene(goal_scene.task, screen)
    assert settle(fresh, 5, 2) == first
    assert fresh.hash == goal_scene.hash
    fresh.close()


def test_starting_reads_and_leaves_the_global_generator_alone(goal_scene):
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.rand()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    first = settle(goal_scene, 5, 0)
    assert np.random.rand() == expected  # noqa: NPY002
    assert settle(goal_scene, 5, 0) == first


def test_looking_never_changes_the_physics(goal_scene):
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1, 1, (10, 7))
    ends = []
    for looks in (False, True):
        settle(goal_scene, 1, 0)
        for action in actions:
            goal_scene.step(action)
            if looks:
                goal_scene.look()
                goal_scene.frame("agentview", (64, 64))
                goal_scene.proprioception()
        ends.append(goal_scene.start_hash())
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("suite", "index"), [("libero_goal", 0), ("libero_object", 0), ("libero_10", 5)])
def test_frames_and_proprioception_are_liberos_own(suite, index, screen):
    """LIBERO's pictures of the same state, bit for bit, turned upright; its proprioception likewise."""
    from libero.libero.envs.env_wrapper import OffScreenRenderEnv
    from robosuite.utils.transform_utils import quat2axisangle

    from gauge.sim.libero import global_seed
    from gauge.sim.scene import Scene

    task = load(suite).tasks[index]
    scene = Scene(task, screen)
    settle(scene, 5, 1)
    scene.look()
    ours = {camera: scene.frame(camera, (128, 128)) for camera in ("agentview", "robot0_eye_in_hand")}
    state = scene.proprioception()
    reference = OffScreenRenderEnv(bddl_file_name=str(task.bddl_path), camera_heights=128, camera_widths=128)
    with global_seed(5):
        reference.reset()
    seen = reference.set_init_state(np.concatenate([[scene.data.time], scene.data.qpos, scene.data.qvel]))
    reference.close()
    del reference
    gc.collect()  # robosuite frees its buffers when collected, in whatever context is current then
    scene.close()
    for camera, frame in ours.items():
        assert np.array_equal(frame, seen[f"{camera}_image"][::-1]), camera
    theirs = [seen["robot0_eef_pos"], quat2axisangle(seen["robot0_eef_quat"]), seen["robot0_gripper_qpos"]]
    assert np.allclose(state, np.concatenate(theirs), atol=1e-12)


def test_a_state_file_of_another_task_is_refused(monkeypatch, screen):
    from gauge.sim import scene as module

    task = load("libero_goal").tasks[0]
    short = module.load_states(task)[:, :-7]
    monkeypatch.setattr(module, "load_states", lambda _: short)
    with pytest.raises(SceneError, match=r"initial states hold 72 numbers, the scene has 79"):
        module.Scene(task, screen)


def test_an_empty_state_file_is_refused(tmp_path, monkeypatch):
    from gauge.sim.libero import load_states
    from gauge.suites import libero

    task = load("libero_goal").tasks[0]
    path = tmp_path / task.init
    path.parent.mkdir(parents=True)
    np.savez(path, states=np.zeros((0, 79)))
    monkeypatch.setattr(libero, "benchmark_root", lambda: tmp_path)
    with pytest.raises(GaugeError, match="holds no initial state"):
        load_states(task)


def test_another_context_of_the_process_takes_no_frame_away(goal_scene):
    from gauge.sim.camera import Screen
    from gauge.sim.scene import Scene

    settle(goal_scene, 1, 0)
    goal_scene.look()
    before = goal_scene.frame("agentview", (64, 64))
    other = Scene(goal_scene.task, Screen())
    settle(other, 1, 0)
    other.look()
    assert np.array_equal(other.frame("agentview", (64, 64)), before)
    assert np.array_equal(goal_scene.frame("agentview", (64, 64)), before)
    other.close()
    other.screen.close()
    assert np.array_equal(goal_scene.frame("agentview", (64, 64)), before)
    goal_scene.frame("agentview", (800, 800))  # a new buffer is made in the right context, too


def test_no_frame_of_a_closed_scene_is_left_over(goal_scene, screen):
    from gauge.sim.scene import Scene

    settle(goal_scene, 1, 0)
    goal_scene.look()
    before = goal_scene.frame("agentview", (64, 64))
    other = Scene(load("libero_object").tasks[0], screen)
    settle(other, 1, 0)
    other.look()
    seen = other.frame("agentview", (64, 64))
    goal_scene.frame("agentview", (64, 64))
    assert np.array_equal(other.frame("agentview", (64, 64)), seen)
    other.close()
    assert np.array_equal(goal_scene.frame("agentview", (64, 64)), before)


def test_an_empty_frame_is_no_picture(goal_scene):
    settle(goal_scene, 1, 0)
    goal_scene.look()
    goal_scene.frame("agentview", (64, 64))
    renderer = goal_scene._renderer
    groups = renderer._options.geomgroup.copy()
    renderer._options.geomgroup[:] = 0
    flags = renderer._scene.flags.copy()
    try:
        renderer._scene.flags[:] = 0
        with pytest.raises(SceneError, match="empty frame for camera agentview"):
            goal_scene.frame("agentview", (64, 64))
    finally:
        renderer._options.geomgroup[:] = groups
        renderer._scene.flags[:] = flags


def test_a_larger_frame_than_before_gets_a_larger_buffer(goal_scene):
    settle(goal_scene, 1, 0)
    goal_scene.look()
    small = goal_scene.frame("agentview", (64, 64))
    large = goal_scene.frame("agentview", (720, 720))
    assert large.shape == (720, 720, 3)
    assert large[700:].std() > 0
    assert np.array_equal(goal_scene.frame("agentview", (64, 64)), small)


def test_robosuites_own_stepper_stays_as_the_reference(screen):
    from gauge.sim.scene import Scene

    task = load("libero_goal").tasks[1]
    ends = {}
    for stepper in ("lean", "robosuite"):
        scene = Scene(task, screen, stepper)
        settle(scene, 3, 1)
        for action in np.random.default_rng(0).uniform(-0.2, 0.2, (10, 7)):
            scene.step(action)
        ends[stepper] = scene.data.qpos.copy()
        scene.close()
    assert np.abs(ends["lean"] - ends["robosuite"]).max() < 1e-9
