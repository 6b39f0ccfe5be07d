import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gauge.policies.expert.geometry import (
    Boxes,
    Pose,
    axis_rotation,
    nearest_turn,
    overlapping,
    rotation_vector,
    tool_rotation,
)

DOWN = np.array([0.0, 0.0, -1.0])
components = st.floats(-1.0, 1.0)
vectors = st.tuples(components, components, components).map(np.array).filter(lambda v: np.linalg.norm(v) > 0.1)


def boxes(centre=(0.0, 0.0, 0.0), half=(0.01, 0.02, 0.03), turn=None):
    rotation = np.eye(3) if turn is None else turn
    return Boxes(np.array([centre]), rotation[None], np.array([half]))


@settings(max_examples=50, deadline=None)
@given(axis=vectors, angle=st.floats(0.0, 3.14159))
def test_rotations_agree_with_scipy(axis, angle):
    vector = angle * axis / np.linalg.norm(axis)
    rotation = axis_rotation(axis, angle)
    np.testing.assert_allclose(rotation, Rotation.from_rotvec(vector).as_matrix(), atol=1e-9)
    np.testing.assert_allclose(rotation_vector(rotation), Rotation.from_matrix(rotation).as_rotvec(), atol=1e-3)


def test_half_a_turn_has_a_vector_of_length_pi():
    for axis in np.eye(3):
        assert np.linalg.norm(rotation_vector(axis_rotation(axis, np.pi))) == pytest.approx(np.pi)


@settings(max_examples=30, deadline=None)
@given(position=vectors, axis=vectors, angle=st.floats(-3.0, 3.0))
def test_a_pose_and_its_inverse_cancel(position, axis, angle):
    pose = Pose(position, axis_rotation(axis, angle))
    unit = pose @ pose.inverse()
    np.testing.assert_allclose(unit.position, 0.0, atol=1e-12)
    np.testing.assert_allclose(unit.rotation, np.eye(3), atol=1e-12)


def test_tool_rotation_is_right_handed_and_points_down():
    rotation = tool_rotation(np.array([0.3, 0.9, 0.2]), DOWN)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    np.testing.assert_allclose(rotation[:, 2], DOWN)
    assert rotation[2, 0] == pytest.approx(0.0)


def test_the_nearer_of_two_equal_grips_is_taken():
    reference = tool_rotation(np.array([0.0, 1.0, 0.0]), DOWN)
    far = tool_rotation(np.array([0.0, -1.0, 0.0]), DOWN)
    np.testing.assert_allclose(nearest_turn(far, reference), reference, atol=1e-12)
    np.testing.assert_allclose(nearest_turn(reference, reference), reference)


def test_points_fill_a_turned_box_up_to_its_corners():
    box = boxes(centre=(1.0, 2.0, 3.0), turn=axis_rotation(np.array([0.0, 0.0, 1.0]), 0.5))
    points = box.points(0.005)
    local = (points - box.centres[0]) @ box.rotations[0]
    assert (np.abs(local) <= box.halves[0] + 1e-12).all()
    np.testing.assert_allclose(points.min(axis=0), box.bounds()[0], atol=1e-12)
    np.testing.assert_allclose(points.max(axis=0), box.bounds()[1], atol=1e-12)


def test_the_centre_is_weighted_by_volume():
    two = Boxes(
        np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), np.stack([np.eye(3)] * 2), np.array([[1.0] * 3, [0.5] * 3])
    )
    np.testing.assert_allclose(two.volume_centre(), [1.0 / 9.0, 0.0, 0.0])


def test_a_board_inside_a_box_overlaps_it_and_one_beside_it_does_not():
    block, board = boxes(half=(0.05, 0.05, 0.05)), boxes(half=(0.2, 0.2, 0.002))
    assert overlapping(block, board, 0.001) == 1
    assert overlapping(block, boxes(centre=(0.0, 0.0, 0.06), half=(0.2, 0.2, 0.002)), 0.001) == 0
    assert overlapping(block, boxes(centre=(0.0, 0.0, 0.0515), half=(0.2, 0.2, 0.002)), 0.001) == 0  # only touches


@settings(max_examples=60, deadline=None)
@given(vectors, st.floats(0.0, 3.0), vectors)
def test_boxes_overlap_exactly_where_points_of_one_are_well_inside_the_other(axis, angle, offset):
    first = boxes(half=(0.05, 0.03, 0.02))
    second = boxes(centre=tuple(0.08 * offset), half=(0.02, 0.06, 0.03), turn=axis_rotation(axis, angle))
    local = first.points(0.004) - second.centres[0]
    inside = (np.abs(local @ second.rotations[0]) < second.halves[0] - 0.004).all(axis=1)
    if inside.any():
        assert overlapping(first, second, 0.0) == 1
    if overlapping(first, second, 0.0) == 0:
        assert not inside.any()


def test_boxes_that_only_an_edge_across_an_edge_keeps_apart():
    flat = boxes(half=(0.1, 0.005, 0.005), turn=axis_rotation(np.array([1.0, 0.0, 0.0]), np.pi / 4))
    turn = axis_rotation(np.array([0.0, 1.0, 0.0]), np.pi / 4) @ axis_rotation(np.array([0.0, 0.0, 1.0]), np.pi / 2)
    across = boxes(centre=(0.0, 0.0, 0.0145), half=(0.1, 0.005, 0.005), turn=turn)
    assert overlapping(flat, across, 0.0) == 0
    nearer = boxes(centre=(0.0, 0.0, 0.0135), half=(0.1, 0.005, 0.005), turn=turn)
    assert overlapping(flat, nearer, 0.0) == 1
