from itertools import pairwise

import numpy as np
import pytest

from gauge.policies.expert.geometry import Boxes, tool_rotation
from gauge.policies.expert.grasp import DOWN, MAX_WIDTH_M, candidates

HOME = tool_rotation(np.array([0.0, 1.0, 0.0]), DOWN)


def box(half, centre=(0.0, 0.0, 0.0)):
    return Boxes(np.array([centre]), np.eye(3)[None], np.array([half]))


def test_a_long_block_is_taken_across_its_middle():
    best = candidates(box((0.08, 0.02, 0.03), centre=(0.1, 0.2, 0.3)), HOME, [DOWN])[0]
    assert best.width == pytest.approx(0.04)
    assert abs(best.pose.rotation[1, 0]) == pytest.approx(1.0)
    np.testing.assert_allclose(best.pose.position[:2], [0.1, 0.2], atol=0.005)
    assert best.pose.position[2] == pytest.approx(0.33 - 0.018, abs=0.005)


def test_what_is_wider_than_the_fingers_has_no_grasp():
    assert candidates(box((0.05, 0.05, 0.05)), HOME, [DOWN]) == []


def test_a_ring_is_taken_at_its_rim_with_the_fingers_radial():
    angles = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    centres = np.stack([0.06 * np.cos(angles), 0.06 * np.sin(angles), np.zeros(24)], axis=1)
    turns = np.stack([np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]) for a in angles])
    ring = Boxes(centres, turns, np.tile([0.002, 0.009, 0.03], (24, 1)))
    best = candidates(ring, HOME, [DOWN])[0]
    out = best.pose.position / np.linalg.norm(best.pose.position)
    assert np.linalg.norm(best.pose.position[:2]) == pytest.approx(0.06, abs=0.006)
    assert abs(best.pose.rotation[:, 0] @ out) > 0.9
    assert best.width < 0.02


def test_costs_rise_and_widths_fit():
    found = candidates(box((0.03, 0.03, 0.03)), HOME, [DOWN])
    assert all(a.cost <= b.cost for a, b in pairwise(found))
    assert max(grasp.width for grasp in found) <= MAX_WIDTH_M
