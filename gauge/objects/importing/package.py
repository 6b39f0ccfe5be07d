"""Writing an imported body as model files, like those of generated objects."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gauge.objects.importing.solidify import Body
from gauge.objects.materials import LIBERO_FRICTION
from gauge.objects.model import LEAST_MASS_KG, MESH, PICTURE, SOLVER, XML, framed, geom, obj_text
from gauge.objects.shapes.mesh import Array, Ints

if TYPE_CHECKING:
    import trimesh

LARGEST_PICTURE_PX = 1024
FOOT_MASS_SHARE = 0.02


def package(name: str, mesh: "trimesh.Trimesh", body: Body, folder: Path) -> Path:
    """Write MJCF, visual mesh, picture and convex parts into `folder`; returns the MJCF."""
    folder.mkdir(parents=True)
    uv, image = skin(mesh)
    vertices, faces = np.asarray(mesh.vertices, float), np.asarray(mesh.faces)
    (folder / MESH).write_text(obj_text(vertices, faces, uv), encoding="ascii")
    image.save(folder / PICTURE)
    for k, (corners, triangles) in enumerate(body.parts):
        (folder / f"part_{k:02d}.obj").write_text(_bare(corners, triangles), encoding="ascii")
    (folder / XML).write_text(_mjcf(name, vertices, body), encoding="ascii")
    return folder / XML


def skin(mesh: "trimesh.Trimesh") -> tuple[Array, Any]:
    """Texture coordinates [m, 3, 2] and the picture; one flat colour where the mesh has no texture."""
    from PIL import Image

    material, uv = getattr(mesh.visual, "material", None), getattr(mesh.visual, "uv", None)
    image = getattr(material, "image", None) or getattr(material, "baseColorTexture", None)
    if uv is not None and image is not None and len(uv) == len(mesh.vertices) and np.isfinite(uv).all():
        picture = image.convert("RGB")
        picture.thumbnail((LARGEST_PICTURE_PX, LARGEST_PICTURE_PX))
        return np.asarray(uv, float)[mesh.faces], picture
    color = tuple(int(x) for x in _color(mesh))
    return np.full((len(mesh.faces), 3, 2), 0.5), Image.new("RGB", (8, 8), color)


def _color(mesh: "trimesh.Trimesh") -> NDArray[np.uint8]:
    """The material's colour, or the mean colour of the vertices."""
    material = getattr(mesh.visual, "material", None)
    colors = [material.main_color] if material is not None else mesh.visual.vertex_colors
    mean: NDArray[np.uint8] = np.asarray(colors)[:, :3].mean(axis=0).astype(np.uint8)
    return mean


def _bare(vertices: Array, faces: Ints) -> str:
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    return "\n".join([*lines, *(f"f {a} {b} {c}" for a, b, c in faces + 1), ""])


def _mjcf(name: str, vertices: Array, body: Body) -> str:
    friction = " ".join(map(str, LIBERO_FRICTION))
    shapes = [
        f'<geom type="mesh" mesh="{name}_{k}" mass="{max(mass * (1 - FOOT_MASS_SHARE), LEAST_MASS_KG):.7f}" group="0" '
        f'{SOLVER} friction="{friction}" rgba="0.8 0.8 0.8 0.3"/>'
        for k, mass in enumerate(body.masses)
    ]
    foot = geom(body.foot, FOOT_MASS_SHARE * sum(body.masses))
    meshes = [f'<mesh name="{name}_{k}" file="part_{k:02d}.obj"/>' for k in range(len(body.parts))]
    return framed(name, vertices, [foot, *shapes], meshes)
