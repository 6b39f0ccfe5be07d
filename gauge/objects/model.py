"""A built object: its mesh, its picture and its MJCF, as robosuite's object class wants them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from gauge.objects.materials import LIBERO_FRICTION, material
from gauge.objects.recipe import Recipe
from gauge.objects.shapes.lean import lying
from gauge.objects.shapes.mesh import Array, Mesh, corner_normals, merge
from gauge.objects.shapes.solid import Solid
from gauge.objects.skins import MARGIN_PX, SIZE_PX, Paint, Pixels, picture, rectangles

MESH, PICTURE, XML = "visual.obj", "texture.png", "model.xml"
LEAST_MASS_KG = 1e-5
SOLVER = 'solimp="0.998 0.998 0.001" solref="0.001 1" condim="3"'  # as in LIBERO's models


@dataclass(frozen=True)
class Built:
    """One object in memory. Its origin is the middle of its foot; z is up.

    Attributes:
        name: of the model.
        mesh: what is seen.
        pixels: uint8 [256, 256, 3].
        solids: collision shapes.
        masses: kg, one per shape.
        cavity: half sizes and centre of the room inside, or empty.
    """

    name: str
    mesh: Mesh
    pixels: Pixels
    solids: tuple[Solid, ...]
    masses: tuple[float, ...]
    cavity: tuple[float, ...]

    @cached_property
    def obj(self) -> str:
        """The mesh as Wavefront OBJ, one group."""
        return obj_text(self.mesh.vertices, self.mesh.faces, _atlas(self.mesh))

    @cached_property
    def xml(self) -> str:
        """The model as MJCF."""
        return mjcf(self.name, self.mesh.vertices, self.solids, self.masses, self.cavity)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over everything that is written, 16 hex digits; the picture by its pixels."""
        made = hashlib.sha256()
        for piece in (self.obj.encode(), self.xml.encode(), self.pixels.tobytes()):
            made.update(hashlib.sha256(piece).digest())
        return made.hexdigest()[:16]

    def write(self, folder: Path) -> Path:
        """Write the three files and return the path of the MJCF."""
        import cv2

        folder.mkdir(parents=True, exist_ok=True)
        (folder / MESH).write_text(self.obj, encoding="ascii")
        cv2.imwrite(str(folder / PICTURE), np.ascontiguousarray(self.pixels[..., ::-1]))
        (folder / XML).write_text(self.xml, encoding="ascii")
        return folder / XML


def assemble(name: str, recipe: Recipe, base: str, paints: dict[str, Paint], rng: np.random.Generator) -> Built:
    """Merge the parts, share their masses among their shapes, paint."""
    whole = [part.mesh.volume() * material(part.material or base).density + part.content for part in recipe.parts]
    parts = lying(recipe.parts, whole) if recipe.lies else recipe.parts
    mesh = merge([part.mesh for part in parts])
    masses: list[float] = []
    for part, mass in zip(parts, whole, strict=True):
        volumes = np.array([one.volume() for one in part.solids])
        masses += [max(float(share), LEAST_MASS_KG) for share in mass * volumes / volumes.sum()]
    solids = tuple(one for part in parts for one in part.solids)
    return Built(name, mesh, picture(mesh.islands, paints, rng), solids, tuple(masses), recipe.cavity)


def _atlas(mesh: Mesh) -> Array:
    """[m, 3, 2] texture coordinates in the whole picture, v upwards."""
    boxes = np.array([rectangles(mesh.islands)[name] for name in mesh.islands], dtype=float)
    left, top, right, bottom = (boxes[mesh.island, k][:, None] for k in range(4))
    inner = MARGIN_PX
    u = left + inner + mesh.uv[..., 0] * (right - left - 2 * inner)
    v = bottom - inner - mesh.uv[..., 1] * (bottom - top - 2 * inner)
    return np.stack([u / SIZE_PX, 1 - v / SIZE_PX], axis=2)


def obj_text(vertices: Array, faces: np.ndarray, uv: Array) -> str:
    """Wavefront OBJ with texture coordinates and normals; repeated ones are written once."""
    normals = np.round(corner_normals(vertices, faces).reshape(-1, 3), 3) + 0.0
    places = np.round(uv.reshape(-1, 2), 4) + 0.0
    unique_uv, vt = np.unique(places, axis=0, return_inverse=True)
    unique_normal, vn = np.unique(normals, axis=0, return_inverse=True)
    lines = ["v {:.6f} {:.6f} {:.6f}".format(*row) for row in np.round(vertices, 6) + 0.0]
    lines += ["vt {:.4f} {:.4f}".format(*row) for row in unique_uv]
    lines += ["vn {:.3f} {:.3f} {:.3f}".format(*row) for row in unique_normal]
    corners = np.stack([faces.ravel(), vt.ravel(), vn.ravel()], axis=1).reshape(-1, 9) + 1
    lines += ["f {}/{}/{} {}/{}/{} {}/{}/{}".format(*row) for row in corners]
    return "\n".join([*lines, ""])


def _numbers(values: Sequence[float], digits: int = 6) -> str:
    return " ".join(f"{round(float(value), digits) + 0.0:.{digits}f}" for value in values)


def geom(shape: Solid, mass: float, color: str = "0.8 0.8 0.8 0.3") -> str:
    """One collision geom; robosuite counts only group 0 for inertia."""
    size = shape.half if shape.kind == "box" else shape.half[:2]
    x, y, z, w = shape.rotation
    return (
        f'<geom type="{shape.kind}" size="{_numbers(size)}" pos="{_numbers(shape.centre)}" '
        f'quat="{_numbers((w, x, y, z))}" mass="{mass:.7f}" group="0" {SOLVER} '
        f'friction="{" ".join(map(str, LIBERO_FRICTION))}" rgba="{color}"/>'
    )


def mjcf(name: str, vertices: Array, solids: Sequence[Solid], masses: Sequence[float], cavity: Sequence[float]) -> str:
    """The MJCF of a generated object: collision geoms with their masses, and the room inside, if there is one."""
    parts = [geom(one, mass) for one, mass in zip(solids, masses, strict=True)]
    if cavity:
        parts.append(
            f'<site name="contain_region" type="box" size="{_numbers(cavity[:3])}" '
            f'pos="{_numbers(cavity[3:])}" rgba="0 0 0 0" group="0"/>'
        )
    return framed(name, vertices, parts)


def framed(name: str, vertices: Array, parts: Sequence[str], meshes: Sequence[str] = ()) -> str:
    """An MJCF around `parts`: a picture geom without contact, and the sites robosuite reads.

    Args:
        name: of the model and of what it declares.
        vertices: of what is seen (N, 3), m.
        parts: geoms and sites of the body.
        meshes: assets that the parts name.
    """
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    radius = float(np.abs(vertices[:, :2]).max())
    assets = "".join(f"\n    {mesh}" for mesh in meshes)
    shapes = "\n        ".join(parts)
    return f"""<mujoco model="{name}">
  <asset>
    <mesh name="{name}_mesh" file="{MESH}" inertia="shell"/>{assets}
    <texture name="{name}_picture" type="2d" file="{PICTURE}"/>
    <material name="{name}_skin" texture="{name}_picture" specular="0.3" shininess="0.3"/>
  </asset>
  <worldbody>
    <body>
      <body name="object">
        <geom type="mesh" mesh="{name}_mesh" material="{name}_skin" contype="0" conaffinity="0" group="1" mass="0"/>
        {shapes}
      </body>
      <site name="bottom_site" pos="{_numbers((0, 0, float(low[2])))}" size="0.005" rgba="0 0 0 0"/>
      <site name="top_site" pos="{_numbers((0, 0, float(high[2])))}" size="0.005" rgba="0 0 0 0"/>
      <site name="horizontal_radius_site" pos="{_numbers((radius, radius, 0))}" size="0.005" rgba="0 0 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""
