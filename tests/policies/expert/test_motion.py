import numpy as np

from gauge.policies.expert.geometry import Pose, axis_rotation, between, tool_rotation
from gauge.policies.expert.grasp import DOWN
from gauge.policies.expert.imagination import Held
from gauge.policies.expert.routes import paths
from gauge.policies.expert.spot import Spot

HOME = tool_rotation(np.array([0.0, 1.0, 0.0]), DOWN)
START, GOAL = Pose(np.array([0.0, 0.0, 1.0]), HOME), Pose(np.array([0.2, 0.1, 0.9]), HOME)


def test_every_path_leads_from_start_to_goal_and_the_straight_one_comes_first():
    found = list(paths(START, GOAL))
    assert found[0] == [START, GOAL]
    assert all(path[0] is START and path[-1] is GOAL for path in found)
    assert max(pose.position[2] for path in found for pose in path) > 1.3


def test_the_way_between_two_poses_turns_evenly():
    turn = np.array([0.0, 0.0, 0.8])
    end = Pose(np.array([1.0, 0.0, 0.0]), axis_rotation(turn, 0.8))
    half = between(Pose(np.zeros(3), np.eye(3)), end, turn, 0.5)
    np.testing.assert_allclose(half.position, [0.5, 0.0, 0.0])
    np.testing.assert_allclose(half.rotation, axis_rotation(turn, 0.4), atol=1e-12)


def test_a_load_beside_itself_is_moved_in_the_world_whatever_the_hand_does():
    tilted = Pose(np.array([0.1, 0.2, 0.3]), axis_rotation(np.array([1.0, 0.0, 0.0]), 0.7) @ HOME)
    held = Held("thing", Pose(np.array([0.0, 0.01, 0.05]), np.eye(3)), np.zeros(2))
    before, after = tilted @ held.in_hand, tilted @ held.beside(tilted, np.array([0.01, 0.0, -0.02])).in_hand
    np.testing.assert_allclose(after.position - before.position, [0.01, 0.0, -0.02], atol=1e-12)


def test_a_spot_puts_the_hand_where_the_load_reaches_the_origin():
    in_hand = Pose(np.array([0.01, 0.0, 0.06]), axis_rotation(np.array([0.0, 0.0, 1.0]), 0.3))
    spot = Spot(np.array([0.3, 0.1, 0.95]), HOME, np.array([0.2, 0.0, 0.0]), 0.0)
    np.testing.assert_allclose((spot.hand(in_hand) @ in_hand).position, spot.origin, atol=1e-12)
    np.testing.assert_allclose((spot.hand(in_hand, 1.0) @ in_hand).position, [0.1, 0.1, 0.95], atol=1e-12)
