"""Reading meshes: any file that trimesh knows, or the visual meshes of a URDF, as one mesh with one picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.errors import GaugeError
from gauge.objects.importing.references import checked, inside, tree

if TYPE_CHECKING:
    import trimesh

Y_UP = (".glb", ".gltf")  # by the glTF 2.0 specification, section 3.4


def read(path: Path, root: Path, up: str) -> "trimesh.Trimesh":
    """The mesh of a file in metres as authored, z up.

    Args:
        path: the mesh or URDF.
        root: folder that nothing may lie outside of.
        up: y, z, or auto (y for glTF, z for others).

    Raises:
        GaugeError: the file cannot be read, or it has joints that move.
    """
    mesh = _urdf(path, root) if path.suffix.lower() == ".urdf" else _mesh(path, root)
    if up == "y" or (up == "auto" and path.suffix.lower() in Y_UP):
        mesh.apply_transform(_placed(Rotation.from_euler("x", 90, degrees=True), np.zeros(3)))
    return mesh


def _mesh(path: Path, root: Path) -> "trimesh.Trimesh":
    import trimesh

    checked(path, root)
    try:
        loaded: Any = trimesh.load_scene(path, process=False)
        parts = [part for part in loaded.dump() if isinstance(part, trimesh.Trimesh)]
        faces = sum(len(part.faces) for part in parts)
        if not faces:
            raise GaugeError(f"{path.name} holds no triangle")
        made = loaded.to_mesh()
    except GaugeError:
        raise
    except Exception as error:  # trimesh's readers raise whatever their format's damage leads to
        raise GaugeError(f"{path.name} cannot be read ({type(error).__name__}: {str(error)[:120]})") from error
    return made


def _urdf(path: Path, root: Path) -> "trimesh.Trimesh":
    import trimesh

    robot = tree(path)
    moving = [joint.get("name", "?") for joint in robot.iterfind("joint") if joint.get("type") != "fixed"]
    if moving:
        raise GaugeError(f"its joint {moving[0]} moves; only rigid URDF models can be imported")
    if len(robot.findall("link")) > 1:
        raise GaugeError("it has several links; only URDF models of one link can be imported")
    parts = []
    for visual in robot.iterfind("link/visual"):
        shape = visual.find("geometry/mesh")
        if shape is None:
            raise GaugeError("a visual of it is no mesh; only meshes can be imported")
        mesh = _mesh(inside(shape.get("filename", ""), path.parent, root), root)
        scale = np.array([float(x) for x in shape.get("scale", "1 1 1").split()])
        mesh.apply_transform(np.diag([*scale, 1.0]))
        mesh.apply_transform(_origin(visual.find("origin")))
        parts.append(mesh)
    if not parts:
        raise GaugeError("it has no visual mesh")
    return trimesh.util.concatenate(parts) if len(parts) > 1 else parts[0]


def _origin(node: Element | None) -> Any:
    """The 4 x 4 matrix of a URDF origin."""
    if node is None:
        return np.eye(4)
    numbers = [[float(x) for x in node.get(key, "0 0 0").split()] for key in ("rpy", "xyz")]
    return _placed(Rotation.from_euler("xyz", numbers[0]), np.array(numbers[1]))


def _placed(turn: Rotation, move: Any) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn.as_matrix(), move
    return matrix
