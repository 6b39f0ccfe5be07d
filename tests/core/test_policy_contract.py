import numpy as np
import pytest

from gauge.core.policy import PolicySpec, checked_chunk, oriented
from gauge.errors import GaugeError, PolicyError

SPEC = PolicySpec(chunk=8, executed=4)


def test_the_executed_part_of_a_chunk_is_taken():
    chunk = np.arange(56.0).reshape(8, 7)
    assert np.array_equal(checked_chunk(chunk, SPEC), chunk[:4])


def test_an_opposite_gripper_sign_is_turned_once():
    chunk = np.ones((8, 7))
    turned = checked_chunk(chunk, PolicySpec(chunk=8, executed=4, gripper="open_positive"))
    assert turned[:, 6].tolist() == [-1.0] * 4
    assert (turned[:, :6] == 1.0).all()
    assert (chunk == 1.0).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.full((8, 7), np.nan), "NaN or infinity"),
        (np.full((8, 7), np.inf), "NaN or infinity"),
        (np.zeros((8, 6)), r"shape \[8, 6\]; expected \[T, 7\]"),
        (np.zeros(7), r"shape \[7\]"),
        (np.zeros((0, 7)), "holds 0 actions; its spec executes 4"),
        (np.zeros((3, 7)), "holds 3 actions"),
        ("forward", "not an array of numbers"),
        ([[1, 2], [3]], "not an array of numbers"),
        (None, r"shape \[\]"),
    ],
)
def test_a_bad_answer_says_what_is_wrong(answer, message):
    with pytest.raises(PolicyError, match=message):
        checked_chunk(answer, SPEC)


def test_only_executed_actions_must_be_finite():
    chunk = np.zeros((8, 7))
    chunk[4:] = np.nan
    assert checked_chunk(chunk, SPEC).shape == (4, 7)


@pytest.mark.parametrize("executed", [0, 9])
def test_executed_lies_within_the_chunk(executed):
    with pytest.raises(GaugeError, match=r"executed must be 1 to chunk \(8\)"):
        PolicySpec(chunk=8, executed=executed)


def test_an_unknown_camera_lists_the_known_ones():
    with pytest.raises(GaugeError, match="unknown camera sideview; cameras are agentview, robot0_eye_in_hand"):
        PolicySpec(cameras=("sideview",))


def test_orientations_of_four_corners():
    """Red top left, green top right, blue bottom left, white bottom right, as a person sees the scene."""
    red, green, blue, white = [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]
    upright = np.array([[red, green], [blue, white]], dtype=np.uint8)
    assert oriented(upright, "upright").tolist() == [[red, green], [blue, white]]
    assert oriented(upright, "flipped").tolist() == [[blue, white], [red, green]]
    assert oriented(upright, "mirrored").tolist() == [[green, red], [white, blue]]
    libero = oriented(upright, "flipped")
    assert np.array_equal(oriented(upright, "mirrored"), libero[::-1, ::-1])
