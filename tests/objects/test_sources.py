from pathlib import Path

import pytest

from gauge.errors import GaugeError
from gauge.objects.importing.references import checked, inside, tree
from gauge.objects.importing.sources import sources


def fill(root: Path, *names: str, text: str = "x") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def found(root: Path) -> dict[str, str]:
    return {one.name: str(one.path.relative_to(root)) for one in sources(root)}


def test_ycb(tmp_path: Path) -> None:
    fill(tmp_path / "025_mug", "google_16k/textured.obj", "google_16k/nontextured.ply", "clouds/merged.ply")
    fill(tmp_path, "025_mug/tsdf/textured.obj", "011_banana/google_16k/textured.obj", "011_banana/poisson/model.stl")
    assert found(tmp_path) == {
        "011_banana": "011_banana/google_16k/textured.obj",
        "025_mug": "025_mug/google_16k/textured.obj",
    }


def test_google_scanned_objects(tmp_path: Path) -> None:
    fill(
        tmp_path,
        "Cole_Mug/meshes/model.obj",
        "Cole_Mug/meshes/model.mtl",
        "Cole_Mug/model.sdf",
        "Cole_Mug/model.config",
    )
    assert found(tmp_path) == {"cole_mug": "Cole_Mug/meshes/model.obj"}


def test_robocasa(tmp_path: Path) -> None:
    fill(tmp_path, "apple/apple_0/model.xml", text='<mujoco model="apple">')
    fill(tmp_path, "apple/apple_0/visual/model_0.obj", "apple/apple_0/collision/model_collision_0.obj")
    fill(tmp_path, "apple/apple_0/notes.xml", text="<notes/>")
    assert found(tmp_path) == {"apple_apple_0": "apple/apple_0/model.xml"}


def test_objaverse_and_loose_files(tmp_path: Path) -> None:
    fill(tmp_path, "000-023/0a1b.glb", "000-023/0c2d.glb", "Red Cup.stl", "textured.obj")
    assert found(tmp_path) == {
        "000_023_0a1b": "000-023/0a1b.glb",
        "000_023_0c2d": "000-023/0c2d.glb",
        "red_cup": "Red Cup.stl",
        "textured": "textured.obj",
    }


def test_nothing_to_import_is_a_user_fault(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match="is no folder"):
        sources(tmp_path / "nowhere")
    fill(tmp_path, "readme.txt")
    with pytest.raises(GaugeError, match=r"holds no \.obj"):
        sources(tmp_path)


def test_names_that_leave_the_folder_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    fill(tmp_path, "secret.png", "root/a/inner.png")
    (root / "a" / "link.png").symlink_to(tmp_path / "secret.png")
    assert inside("inner.png", root / "a", root) == (root / "a" / "inner.png").resolve()
    assert inside("package://a/inner.png", root / "b", root) == (root / "a" / "inner.png").resolve()
    for name in (
        "../../secret.png",
        "link.png",
        str(tmp_path / "secret.png"),
        "package://../secret.png",
        "..\\..\\secret.png",
    ):
        with pytest.raises(GaugeError, match=r"leaves the folder"):
            inside(name, root / "a", root)
    with pytest.raises(GaugeError, match=r"names gone.png, which is missing"):
        inside("gone.png", root / "a", root)


def test_materials_and_buffers_are_followed(tmp_path: Path) -> None:
    fill(tmp_path, "a.obj", text="mtllib a.mtl\nv 0 0 0\n")
    with pytest.raises(GaugeError, match=r"a.mtl, which is missing"):
        checked(tmp_path / "a.obj", tmp_path)
    fill(tmp_path, "a.mtl", text="newmtl m\n  map_Kd ../b.png\n")
    with pytest.raises(GaugeError, match=r"names ../b.png, which leaves the folder"):
        checked(tmp_path / "a.obj", tmp_path)
    fill(tmp_path, "c.gltf", text='{"buffers": [{"uri": "../c.bin"}]}')
    with pytest.raises(GaugeError, match=r"leaves the folder"):
        checked(tmp_path / "c.gltf", tmp_path)
    fill(tmp_path, "d.gltf", text="[")
    with pytest.raises(GaugeError, match=r"is no glTF"):
        checked(tmp_path / "d.gltf", tmp_path)
    fill(tmp_path, "e.stl", text="")
    with pytest.raises(GaugeError, match=r"e.stl is empty"):
        checked(tmp_path / "e.stl", tmp_path)


def test_entities_are_not_read(tmp_path: Path) -> None:
    fill(tmp_path, "bomb.xml", text='<!DOCTYPE x [<!ENTITY a "aaaa">]><mujoco>&a;</mujoco>')
    with pytest.raises(GaugeError, match="document type"):
        tree(tmp_path / "bomb.xml")
