import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gauge.objects.shapes import solid
from gauge.objects.shapes.lean import lying
from gauge.objects.shapes.part import rod, turned


def test_an_octagon_of_boxes_stands_for_a_disc() -> None:
    boxes = solid.disc(0.03, 0.0, 0.02, (1.0, 1.0), square=False)
    angles = np.linspace(0, np.pi, 91)
    reach = []
    for angle in angles:
        ray = np.linspace(0, 0.04, 800)[:, None] * [np.cos(angle), np.sin(angle)]
        inside = np.zeros(len(ray), bool)
        for box in boxes:
            local = (
                Rotation.from_quat(box.rotation)
                .inv()
                .apply(np.column_stack([ray, np.full(len(ray), 0.01)]) - box.centre)
            )
            inside |= (np.abs(local) <= np.array(box.half) + 1e-9).all(axis=1)
        reach.append(np.linalg.norm(ray[inside], axis=1).max())
    assert min(reach) > 0.03 * 0.94
    assert max(reach) < 0.03 * 1.04


def test_only_the_foot_touches_the_table() -> None:
    part = turned(np.array([[0.03, 0.0], [0.03, 0.1]]))
    bottoms = sorted(one.centre[2] - one.half[2] for one in part.solids)
    assert bottoms[0] == pytest.approx(0.0)
    assert bottoms[1] == pytest.approx(solid.GAP_M)


def test_a_capsule_lies_between_its_ends() -> None:
    made = solid.capsule(np.array([0.0, 0, 0]), np.array([0.1, 0, 0]), 0.01)
    assert made.centre == pytest.approx((0.05, 0, 0))
    axis = Rotation.from_quat(made.rotation).apply([0, 0, 1])
    assert abs(axis[0]) == pytest.approx(1.0)
    assert made.volume() == pytest.approx(np.pi * 0.01**2 * (0.1 + 4 / 3 * 0.01))


def test_straightening_keeps_corners_and_drops_what_lies_between() -> None:
    line = np.array([[0, 0], [1, 0.001], [2, 0], [2, 2]], float)
    assert solid.straightened(line, 0.01).tolist() == [[0, 0], [2, 0], [2, 2]]


def test_a_torch_lies_on_its_head_and_its_tail() -> None:
    torch = rod([(-0.1, 0.01, 0.01, 0.02), (0.0, 0.01, 0.01, 0.02), (0.01, 0.02, 0.02, 0.02), (0.03, 0.02, 0.02, 0.02)])
    placed = lying([torch], [torch.mesh.volume()])[0]
    corners = np.concatenate(
        [
            Rotation.from_quat(one.rotation).apply(np.array(one.half) * [sx, 1, -1]) + one.centre
            for one in placed.solids
            for sx in (-1.0, 1.0)
        ]
    ).reshape(-1, 3)
    low = corners[corners[:, 2] < 1e-4]
    assert np.ptp(low[:, 0]) > 0.08  # carried at both ends
    assert corners[:, 2].min() == pytest.approx(0.0, abs=1e-9)
