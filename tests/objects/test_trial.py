from pathlib import Path

import numpy as np
import pytest

from gauge.objects import grasp as grasps
from gauge.objects.generate import generate
from gauge.objects.grasp import Grasp
from gauge.objects.make_pool import held
from gauge.objects.measure import digest, measure
from gauge.objects.model import mjcf
from gauge.objects.shapes.solid import Solid, box, capsule
from gauge.objects.trial import Result, stands, trial

pytestmark = pytest.mark.sim
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
CUBE = np.array([[x, y, z] for x in (-0.02, 0.02) for y in (-0.02, 0.02) for z in (0.0, 0.04)])


def model(folder: Path, solids: list[Solid], masses: list[float]) -> Path:
    """A model of collision shapes, seen as a cube."""
    generate("toy cube", 0).built.write(folder)
    (folder / "model.xml").write_text(mjcf("thing", CUBE, solids, masses, ()))
    return folder / "model.xml"


def test_a_block_stands_and_is_held(tmp_path: Path) -> None:
    solids = [box((0, 0, 0.03), (0.02, 0.02, 0.03))]
    result = trial(model(tmp_path, solids, [0.1]), UPRIGHT, grasps.candidates("body", solids, [0.1])[0])
    assert result.reason == ""
    assert result.tilt_deg < 0.1
    assert result.sunk_mm < 0.1
    assert result.rise_mm == pytest.approx(120, abs=3)
    assert result.turn_deg < 1
    assert result.width_mm == pytest.approx(40, abs=1)


def test_what_tips_over_is_told_by_its_lean(tmp_path: Path) -> None:
    solids = [box((0, 0, 0.002), (0.004, 0.004, 0.002)), box((0, 0, 0.1), (0.02, 0.02, 0.02))]
    assert "degrees off upright" in trial(model(tmp_path, solids, [0.001, 0.3]), UPRIGHT, None).reason


def test_what_rolls_does_not_come_to_rest_or_upright(tmp_path: Path) -> None:
    solids = [
        capsule(np.array([0, -0.03, 0.02]), np.array([0, 0.03, 0.02]), 0.02),
        box((0.01, 0, 0.03), (0.002, 0.01, 0.002)),
    ]
    assert trial(model(tmp_path, solids, [0.05, 0.05]), UPRIGHT, None).reason


def test_what_is_too_heavy_slips(tmp_path: Path) -> None:
    solids = [box((0, 0, 0.03), (0.02, 0.02, 0.03))]
    held = grasps.candidates("body", solids, [20.0])[0]
    assert "slips out of the gripper" in trial(model(tmp_path, solids, [20.0]), UPRIGHT, held).reason


def test_what_is_held_at_its_end_turns(tmp_path: Path) -> None:
    solids = [box((0, 0, 0.01), (0.15, 0.01, 0.01))]
    end = Grasp("body", (0.14, 0.0, 0.01), 0.0, 0.02)
    result = trial(model(tmp_path, solids, [1.2]), UPRIGHT, end)
    assert "turns by" in result.reason or "slips" in result.reason
    assert result.turn_deg > 10


def test_a_damaged_file_is_a_reason_and_no_crash(tmp_path: Path) -> None:
    path = model(tmp_path, [box((0, 0, 0.03), (0.02, 0.02, 0.03))], [0.1])
    path.write_text("<mujoco>")
    assert "cannot be loaded" in trial(path, UPRIGHT, None).reason
    assert "cannot be loaded" in stands(path, UPRIGHT).reason


@pytest.mark.parametrize("family", ["bowl", "mug", "can", "spoon", "ball", "banana", "toy car", "screwdriver"])
def test_generated_objects_stand_and_are_held(family: str, tmp_path: Path) -> None:
    built = generate(family, 0).built
    options = grasps.candidates("rim" if family in ("bowl", "mug") else "body", built.solids, built.masses)
    assert trial(built.write(tmp_path), UPRIGHT, options[0]).reason == ""


def test_measuring_reads_size_mass_and_shapes(tmp_path: Path) -> None:
    built = generate("mug", 0).built
    path = built.write(tmp_path)
    measured = measure(path, UPRIGHT)
    assert measured.mass_g == pytest.approx(1000 * sum(built.masses), rel=1e-4)
    assert measured.size_mm == pytest.approx(1000 * np.ptp(built.mesh.vertices, axis=0), abs=0.5)
    assert measured.faces == len(built.mesh.faces)
    assert measured.collision.startswith("box ")
    before = digest(path)
    (tmp_path / "texture.png").write_bytes(b"another picture")
    assert digest(path) != before


def test_a_margin_leaves_out_what_passes_by_little() -> None:
    good = Result("", tilt_deg=0.1, sunk_mm=0.1, rise_mm=118.0, turn_deg=5.0, grasped=True)
    assert good.clear(0.1)
    for close in (
        Result("", tilt_deg=0.49),
        Result("", rise_mm=92.0, turn_deg=5.0, grasped=True),
        Result("", rise_mm=118.0, turn_deg=19.0, grasped=True),
    ):
        assert close.clear(0.0)
        assert not close.clear(0.1)
    assert not Result("slips").clear(0.0)


def test_a_grasp_that_slips_gives_way_to_the_next(tmp_path: Path) -> None:
    solids = [box((0, 0, 0.03), (0.02, 0.02, 0.03))]
    path = model(tmp_path, solids, [0.1])
    beside = Grasp("body", (0.0, 0.2, 0.03), 0.0, 0.02)
    good = grasps.candidates("body", solids, [0.1])[0]
    assert held(path, UPRIGHT, [beside, good])[1] == good
    result, none = held(path, UPRIGHT, [beside])
    assert none is None
    assert result.reason == ""
