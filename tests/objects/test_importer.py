"""The importer on real meshes (generated objects as other tools write them) and on broken ones."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from gauge.errors import GaugeError
from gauge.objects.entry import Entry
from gauge.objects.generate import generate
from gauge.objects.importing.importer import Job, Wishes, import_folder, one
from gauge.objects.importing.sources import Source
from gauge.objects.ready import ready

pytestmark = pytest.mark.sim


def imported(path: Path, root: Path, out: Path, **wishes: object) -> Entry | str:
    out.mkdir(exist_ok=True)
    return one(Job(Source("thing", path), root, out, "mine", Wishes(**wishes)))  # type: ignore[arg-type]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    return folder


def test_a_textured_glb_stands_up_and_keeps_its_skin(root: Path, tmp_path: Path) -> None:
    built = generate("toy cross", 0).built
    mesh = trimesh.load(built.write(tmp_path / "made").parent / "visual.obj", force="mesh")
    mesh.visual = trimesh.visual.TextureVisuals(mesh.visual.uv, image=Image.open(tmp_path / "made" / "texture.png"))
    mesh.apply_transform(trimesh.transformations.rotation_matrix(-np.pi / 2, [1, 0, 0]))  # glTF has y up
    mesh.export(root / "cross.glb")
    entry = imported(root / "cross.glb", root, tmp_path / "out", density=650.0)
    assert isinstance(entry, Entry), entry
    assert entry.size_mm == pytest.approx(1000 * np.ptp(built.mesh.vertices, axis=0), abs=0.1)
    assert entry.mass_g == pytest.approx(1000 * sum(built.masses), rel=0.03)
    assert entry.collision.startswith("box 1 mesh ")
    assert entry.grasp is not None
    skins = [
        np.asarray(Image.open(folder / "texture.png"), int)
        for folder in (tmp_path / "out" / "thing", tmp_path / "made")
    ]
    assert np.array_equal(*skins)


def test_a_urdf_is_read_with_origin_and_scale(root: Path, tmp_path: Path) -> None:
    trimesh.creation.box((20, 30, 40)).export(root / "box.stl")
    visual = '<visual><origin xyz="0 0 1" rpy="1.5708 0 0"/><geometry><mesh filename="box.stl" scale=".001 .001 .001"/>'
    (root / "box.urdf").write_text(f'<robot name="b"><link name="a">{visual}</geometry></visual></link></robot>')
    entry = imported(root / "box.urdf", root, tmp_path / "out")
    assert isinstance(entry, Entry), entry
    assert entry.size_mm == pytest.approx((20, 40, 30), abs=0.1)
    assert entry.mass_g == pytest.approx(20 * 30 * 40 * 1e-9 * 400 * 1000, rel=0.02)


def test_a_robosuite_model_is_taken_over_as_it_is(root: Path, tmp_path: Path) -> None:
    built = generate("jar", 0).built
    entry = imported(built.write(root / "jar" / "jar_0"), root, tmp_path / "out")
    assert isinstance(entry, Entry), entry
    assert entry.mass_g == pytest.approx(1000 * sum(built.masses), rel=1e-3)


BOX = "\n".join(f"v {x} {y} {z}" for x in (0, 0.05) for y in (0, 0.05) for z in (0, 0.05))
FACES = "\n".join(f"f {face}" for face in ("1 2 4", "1 4 3", "5 7 8", "5 8 6", "1 5 6", "1 6 2", "3 4 8", "3 8 7",
                                           "1 3 7", "1 7 5", "2 6 8", "2 8 4"))  # fmt: skip
BROKEN = {
    "empty": ("a.obj", "", "is empty"),
    "no faces": ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "holds no triangle"),
    "not a number": ("a.obj", BOX.replace("v 0 0 0\n", "v nan 0 0\n") + "\n" + FACES, "not finite"),
    "flat": ("a.obj", "v 0 0 0\nv .1 0 0\nv 0 .1 0\nf 1 2 3\n", "it is flat"),
    "open": ("a.obj", BOX + "\n" + "\n".join(FACES.splitlines()[:6]), "open shell"),
    "millimetres": ("a.obj", BOX.replace("0.05", "50") + "\n" + FACES, "type --scale 0.001"),
    "tiny": ("a.obj", BOX.replace("0.05", "0.00005") + "\n" + FACES, "long (allowed: 0.005 to 0.6)"),
    "no material": ("a.obj", "mtllib gone.mtl\n" + BOX + "\n" + FACES, "gone.mtl, which is missing"),
    "escape": ("a.obj", "mtllib ../../gone.mtl\n" + BOX + "\n" + FACES, "leaves the folder"),
    "garbage": ("a.glb", "not a glb", "cannot be read"),
    "no XML": ("a.urdf", "<robot", "is no XML"),
    "moving": ("a.urdf", '<robot><link name="a"/><joint name="door" type="revolute"/></robot>', "its joint door moves"),
    "URDF escape": ("a.urdf", '<robot><link name="a"><visual><geometry><mesh filename="/etc/passwd"/></geometry>'
                    "</visual></link></robot>", "leaves the folder"),
    "other MJCF": ("a.xml", '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>', "robosuite's layout"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_what_is_broken_is_refused_with_its_reason(kind: str, root: Path, tmp_path: Path) -> None:
    name, text, reason = BROKEN[kind]
    (root / name).write_text(text)
    result = imported(root / name, root, tmp_path / "out")
    assert isinstance(result, str)
    assert reason in result
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.slow
def test_an_open_shell_gets_thin_walls_on_demand(root: Path, tmp_path: Path) -> None:
    (root / "a.obj").write_text(BROKEN["open"][1])
    entry = imported(root / "a.obj", root, tmp_path / "out", shells=True)
    assert isinstance(entry, Entry), entry
    assert 1 < entry.mass_g < 0.2 * 0.05**3 * 400 * 1000  # of the whole cube


def test_a_needle_on_its_end_does_not_stand(root: Path, tmp_path: Path) -> None:
    trimesh.creation.cylinder(0.003, 0.2).export(root / "needle.stl")
    result = imported(root / "needle.stl", root, tmp_path / "out")
    assert isinstance(result, str)
    assert "it does not come to rest" in result or "degrees off upright" in result


@pytest.mark.process
def test_a_folder_is_imported_one_by_one_and_not_twice(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "my things"
    (root / "good.obj").write_text(BOX + "\n" + FACES)
    (root / "bad.obj").write_text("")
    entries, refused = import_folder(root, out, Wishes(licence="CC0"))
    assert [entry.id for entry in entries] == ["my_things/good"]
    assert [name for name, _ in refused] == ["bad"]
    made = ready("my_things/good", folders=[out])
    assert made.entry.licence == "CC0"
    before = made.model.stat().st_mtime_ns
    again, _ = import_folder(root, out, Wishes())
    assert again == entries
    assert made.model.stat().st_mtime_ns == before


def test_the_result_stays_out_of_the_source(root: Path, tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match="lies inside the folder"):
        import_folder(root, root / "out", Wishes())
    with pytest.raises(GaugeError, match="belongs to a source of the pool"):
        import_folder(root, tmp_path / "libero", Wishes())
