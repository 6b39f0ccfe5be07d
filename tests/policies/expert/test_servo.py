import numpy as np
import pytest

from gauge.policies.expert.geometry import Pose, axis_rotation
from gauge.policies.expert.servo import CLOSE, METRES_PER_UNIT, RADIANS_PER_UNIT, TURN_LIMIT, distance, limited, servo

HERE = Pose(np.zeros(3), np.eye(3))


def test_no_error_moves_nothing_and_passes_the_gripper_on():
    np.testing.assert_array_equal(servo(HERE, HERE, CLOSE), [0, 0, 0, 0, 0, 0, 1])


def test_a_far_goal_saturates_along_the_straight_line():
    action = servo(HERE, Pose(np.array([0.3, 0.4, 0.0]), np.eye(3)), CLOSE)
    np.testing.assert_allclose(action[:3], [0.6, 0.8, 0.0])
    assert np.linalg.norm(
        servo(HERE, Pose(np.array([0.3, 0.4, 0.0]), np.eye(3)), CLOSE, speed=0.5)[:3]
    ) == pytest.approx(0.5)


def test_turns_are_rotations_in_the_world():
    goal = Pose(np.zeros(3), axis_rotation(np.array([0.0, 0.0, 1.0]), 0.1))
    np.testing.assert_allclose(servo(HERE, goal, CLOSE)[3:6], [0.0, 0.0, 2 * 0.1 / RADIANS_PER_UNIT], atol=1e-9)
    far = Pose(np.zeros(3), axis_rotation(np.array([0.0, 0.0, 1.0]), 2.0))
    assert np.linalg.norm(servo(HERE, far, CLOSE)[3:6]) == pytest.approx(TURN_LIMIT)


def test_repeating_the_servo_converges_when_a_third_of_each_command_is_covered():
    hand, goal = HERE, Pose(np.array([0.1, -0.05, 0.2]), axis_rotation(np.array([1.0, 0.0, 0.0]), 0.8))
    for _ in range(60):
        action = servo(hand, goal, CLOSE)
        turn = action[3:6] * RADIANS_PER_UNIT / 3
        size = np.linalg.norm(turn)
        rotation = hand.rotation if size < 1e-12 else axis_rotation(turn, size) @ hand.rotation
        hand = Pose(hand.position + action[:3] * METRES_PER_UNIT / 3, rotation)
    metres, radians = distance(hand, goal)
    assert metres < 1e-3
    assert radians < 1e-2


def test_short_vectors_are_left_alone():
    np.testing.assert_array_equal(limited(np.array([0.3, 0.0]), 1.0), [0.3, 0.0])
    np.testing.assert_allclose(limited(np.array([3.0, 4.0]), 1.0), [0.6, 0.8])
