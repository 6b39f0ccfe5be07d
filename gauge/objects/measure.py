"""What a model file says about an object: size, mass, shapes, and a hash of everything it is made of."""

import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
from scipy.spatial.transform import Rotation

from gauge.errors import GaugeError
from gauge.objects import stage
from gauge.objects.shapes.mesh import Array
from gauge.objects.shapes.solid import Solid

if TYPE_CHECKING:
    import mujoco


@dataclass(frozen=True, slots=True)
class Measured:
    """Read off a compiled model in its upright pose; see `Entry` for the fields."""

    size_mm: tuple[float, float, float]
    mass_g: float
    collision: str
    faces: int
    solids: tuple[Solid, ...]
    masses: tuple[float, ...]


def measure(model: Path, upright: tuple[float, float, float, float]) -> Measured:
    """Compile the model and read it.

    Raises:
        GaugeError: it cannot be compiled.
    """
    import mujoco

    compiled = stage.compiled(model, free=False)
    body = compiled.body(stage.THING).id
    compiled.body_quat[body] = upright
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    own = np.flatnonzero(compiled.body_rootid[compiled.geom_bodyid] == body)
    touches = (compiled.geom_contype | compiled.geom_conaffinity) != 0
    touching = [int(geom) for geom in own if touches[geom]]
    solids = tuple(_solid(compiled, data, geom) for geom in touching)
    seen = [int(geom) for geom in own if not touches[geom]] or touching
    low, high = _extent(compiled, data, seen)
    size = 1000 * (high - low)
    names = Counter(mujoco.mjtGeom(compiled.geom_type[geom]).name.removeprefix("mjGEOM_").lower() for geom in touching)
    meshes = {int(compiled.geom_dataid[geom]) for geom in own if not touches[geom]} - {-1}
    faces = int(sum(compiled.mesh_facenum[mesh] for mesh in meshes))
    mass = float(compiled.body_subtreemass[body])
    volumes = np.array([one.volume() for one in solids])
    return Measured(
        (float(size[0]), float(size[1]), float(size[2])),
        1000 * mass,
        " ".join(f"{kind} {count}" for kind, count in sorted(names.items())),
        faces,
        solids,
        tuple(float(share) for share in mass * volumes / volumes.sum()) if len(solids) else (),
    )


def _solid(model: "mujoco.MjModel", data: "mujoco.MjData", geom: int) -> Solid:
    """The geom's bounding box in its own frame; exact for boxes."""
    turn = data.geom_xmat[geom].reshape(3, 3)
    centre = data.geom_xpos[geom] + turn @ model.geom_aabb[geom][:3]
    quat = Rotation.from_matrix(turn).as_quat()
    half = np.maximum(model.geom_aabb[geom][3:], 1e-5)
    return Solid("box", tuple(map(float, centre)), tuple(map(float, quat)), tuple(map(float, half)))


def _extent(model: "mujoco.MjModel", data: "mujoco.MjData", geoms: list[int]) -> tuple[Array, Array]:
    lows, highs = [], []
    for geom in geoms:
        turn = data.geom_xmat[geom].reshape(3, 3)
        mesh = int(model.geom_dataid[geom])
        if mesh >= 0:
            start = model.mesh_vertadr[mesh]
            points = model.mesh_vert[start : start + model.mesh_vertnum[mesh]] @ turn.T + data.geom_xpos[geom]
            lows.append(points.min(axis=0))
            highs.append(points.max(axis=0))
        else:
            centre = data.geom_xpos[geom] + turn @ model.geom_aabb[geom][:3]
            reach = np.abs(turn) @ model.geom_aabb[geom][3:]
            lows.append(centre - reach)
            highs.append(centre + reach)
    return np.min(lows, axis=0), np.max(highs, axis=0)


def digest(model: Path) -> str:
    """SHA-256 (16 hex digits) of the MJCF and of every file it names.

    Raises:
        GaugeError: a file is missing or the MJCF is not XML.
    """
    made = hashlib.sha256()
    try:
        made.update(model.read_bytes())
        root = ElementTree.parse(model).getroot()
        for name in sorted({node.attrib["file"] for node in root.iter() if node.get("file")}):
            made.update(hashlib.sha256((model.parent / name).read_bytes()).digest())
    except (OSError, ElementTree.ParseError) as error:
        raise GaugeError(f"{model} cannot be read ({error})") from error
    return made.hexdigest()[:16]
