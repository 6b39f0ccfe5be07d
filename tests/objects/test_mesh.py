import numpy as np
import pytest

from gauge.objects.shapes.mesh import corner_normals, loft, merge
from gauge.objects.shapes.part import ROUND, Section, curve, prism, rectangle, rings, rod, tube, turned, vessel

CYLINDER = np.array([[0.03, 0.0], [0.03, 0.1]])


def test_a_loft_is_closed_and_encloses_what_it_should() -> None:
    sides = 64
    mesh = loft(rings(CYLINDER, Section(sides=sides)), ["main"], ("main", "main"))
    polygon = 0.5 * sides * 0.03**2 * np.sin(2 * np.pi / sides)
    assert mesh.is_closed()
    assert mesh.volume() == pytest.approx(polygon * 0.1, rel=1e-9)


def test_a_loft_downwards_still_looks_outwards() -> None:
    mesh = loft(rings(CYLINDER[::-1], ROUND), ["main"], ("main", "main"))
    assert mesh.volume() > 0
    assert mesh.is_closed()


def test_a_hole_is_noticed() -> None:
    mesh = loft(rings(CYLINDER, ROUND), ["main"], ("main", "main"))
    torn = type(mesh)(mesh.vertices, mesh.faces[1:], mesh.uv[1:], mesh.island[1:], mesh.islands)
    assert not torn.is_closed()


def test_islands_of_one_name_become_one() -> None:
    one = loft(rings(CYLINDER, ROUND), ["main"], ("cap", "cap"))
    both = merge([one, one.placed(np.eye(3), (0, 0, 1))])
    assert both.islands == ("main", "cap")
    assert both.volume() == pytest.approx(2 * one.volume())
    assert both.is_closed()


def test_sharp_edges_stay_sharp_and_round_walls_are_smooth() -> None:
    mesh = loft(rings(CYLINDER, ROUND), ["main"], ("main", "main"))
    normals = corner_normals(mesh.vertices, mesh.faces)
    walls = np.ptp(mesh.vertices[mesh.faces][..., 2], axis=1) > 1e-6
    assert np.abs(normals[walls][..., 2]).max() < 1e-9  # no cap bends a wall's shading
    radial = mesh.vertices[mesh.faces][walls][..., :2]
    radial /= np.linalg.norm(radial, axis=-1, keepdims=True)
    assert ((normals[walls][..., :2] * radial).sum(axis=-1) > 0.98).all()


def test_every_kind_of_part_is_closed() -> None:
    bend = np.stack([np.linspace(0, 0.03, 9), np.zeros(9), 0.02 * np.sin(np.linspace(0, 3, 9))], axis=1)
    parts = [
        turned(CYLINDER),
        vessel(curve([(0.5, 0), (0.9, 0.5), (1, 1)], 0.06, 0.05), 0.004, 0.004),
        rod([(0, 0.01, 0.01, 0.01), (0.1, 0.005, 0.005, 0.01)]),
        tube(bend, 0.004),
        prism(rectangle(0.08, 0.05, 0.005), 0.03, 0.002),
    ]
    for part in parts:
        assert part.mesh.is_closed()
        assert part.mesh.volume() > 0
        assert part.solids


def test_a_vessel_is_hollow() -> None:
    outer = curve([(1, 0), (1, 1)], 0.04, 0.08, smooth=False)
    hollow = vessel(outer, 0.003, 0.003).mesh.volume()
    shell = np.pi * (0.04**2 * 0.08 - 0.037**2 * 0.077)
    assert hollow == pytest.approx(shell, rel=0.08)


def test_a_rectangle_unwraps_with_its_sides_in_the_middle_of_the_quarters() -> None:
    outline = rectangle(0.1, 0.04, 0.001)
    assert outline[0] == pytest.approx([0.05, 0.0])
    area = 0.5 * abs(
        np.dot(outline[:, 0], np.roll(outline[:, 1], -1)) - np.dot(outline[:, 1], np.roll(outline[:, 0], -1))
    )
    assert area == pytest.approx(0.1 * 0.04, rel=0.01)
