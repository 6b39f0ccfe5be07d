import time

import numpy as np
import pytest

from gauge.core.policy import CAMERAS, Observation, checked_chunk
from gauge.errors import GaugeError, PolicyError
from gauge.policies.teleop import STEP_S, TeleopPolicy


class FakeDevice:
    """Plays a list of what a person does; None is nothing. Afterwards the person gives up."""

    def __init__(self, script):
        self.script, self.asked, self.started = list(script), 0, 0

    def start_control(self):
        self.started += 1

    def get_controller_state(self):
        self.asked += 1
        done = self.script.pop(0) if self.script else {"reset": 1}
        quiet = {"dpos": np.zeros(3), "raw_drotation": np.zeros(3), "grasp": 0, "reset": 0}
        return {**quiet, **(done or {})}


def policy(script, **settings):
    device, shown = FakeDevice(script), []
    made = TeleopPolicy(open_device=lambda: device, show=shown.append, image_size=64, **settings)
    made.reset("pick up the milk", np.random.default_rng(0))
    return made, device, shown


def act(made):
    images = {camera: np.full((64, 64, 3), value, np.uint8) for value, camera in enumerate(CAMERAS)}
    return made.act(Observation(images, np.zeros(0), "pick up the milk", 0))[0]


MOVE = {"dpos": np.array([0.005, -0.002, 0.0])}


def test_commands_become_normalised_actions_with_robosuites_gains():
    made, _, _ = policy([MOVE, {"raw_drotation": np.array([0.1, 0.2, 0.3])}, {"grasp": 1}])
    assert act(made) == pytest.approx([0.375, -0.15, 0, 0, 0, 0, -1])
    assert act(made) == pytest.approx([0, 0, 0, 0.3, 0.15, -0.45, -1])
    assert act(made) == pytest.approx([0, 0, 0, 0, 0, 0, 1])


def test_the_spacemouse_has_gains_of_its_own_and_actions_stay_in_bounds():
    made, _, _ = policy([MOVE, {"dpos": np.ones(3)}], device="spacemouse")
    assert act(made)[:2] == pytest.approx([0.625, -0.25])
    assert list(act(made)[:3]) == [1, 1, 1]
    assert checked_chunk(np.ones((1, 7)), made.spec).shape == (1, 7)


def test_time_stands_still_while_nothing_is_commanded():
    made, device, _ = policy([None, None, None, MOVE, None, None, None, None, MOVE], idle_steps=2)
    assert act(made)[0] == pytest.approx(0.375), "it begins with the first command"
    assert device.asked == 4
    assert list(act(made)[:6]) == list(act(made)[:6]) == [0] * 6, "two idle steps let a released object fall"
    assert act(made)[0] == pytest.approx(0.375)
    assert device.asked == 9


def test_a_gripper_command_alone_is_a_command():
    made, _, _ = policy([None, {"grasp": 1}, {"grasp": 1}, {"grasp": 1}, {"grasp": 1, **MOVE}], idle_steps=1)
    assert act(made)[6] == 1.0
    assert act(made)[6] == 1.0
    assert act(made)[0] == pytest.approx(0.375)


def test_the_person_sees_both_cameras_side_by_side():
    made, _, shown = policy([MOVE])
    act(made)
    assert shown[0].shape == (64, 128, 3)
    assert (shown[0][0, 0, 0], shown[0][0, -1, 0]) == (0, 1)


def test_giving_up_ends_the_episode_and_the_next_one_starts_afresh():
    made, device, _ = policy([MOVE])
    act(made)
    with pytest.raises(PolicyError, match="gave this episode up"):
        act(made)
    made.reset("pick up the milk", np.random.default_rng(0))
    assert device.started == 2


def test_actions_come_at_twenty_hertz_at_most():
    made, _, _ = policy([MOVE] * 5)
    began = time.monotonic()
    for _ in range(5):
        act(made)
    assert time.monotonic() - began >= 4 * STEP_S


def test_wrong_settings_and_missing_devices_are_named():
    with pytest.raises(GaugeError, match="devices are keyboard, spacemouse"):
        TeleopPolicy(device="joystick")
    with pytest.raises(PolicyError, match="before its episode was reset"):
        act(TeleopPolicy())

    def none():
        raise GaugeError("no keyboard can be read here")

    with pytest.raises(GaugeError, match="no keyboard"):
        TeleopPolicy(open_device=none).check()
