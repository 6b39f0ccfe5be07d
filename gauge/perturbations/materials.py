"""Which geoms and textures of a compiled scene make up the look of a thing."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.errors import SceneError
from gauge.perturbations.textures import fitted

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

COLLISION_GROUP = 0
RGB_ROLE = 1
SURFACES = ("table_texture", "living_room_table", "desk", "short_coffee_table", "floorplane")
FLOOR, WALL = "floorplane", "walls_mat"


def visual_geoms(edits: "SceneEdits", name: str) -> NDArray[np.intp]:
    """The geoms that are drawn of the object or fixture `name`."""
    model = edits.scene.model
    root = model.body(edits.scene.env.get_object(name).root_body).id
    inside = np.zeros(model.nbody, dtype=np.bool_)
    inside[root] = True
    for body in range(root + 1, model.nbody):  # parents come before their children
        inside[body] = inside[model.body_parentid[body]]
    return np.flatnonzero(inside[model.geom_bodyid] & (model.geom_group != COLLISION_GROUP))


def texture_of(edits: "SceneEdits", material: int) -> int:
    """The colour texture of a material; -1 if it has none."""
    return int(edits.scene.model.mat_texid[material, RGB_ROLE]) if material >= 0 else -1


def surface(edits: "SceneEdits") -> int:
    """The material of what the objects stand on: the table's top, or the floor where there is no table."""
    model = edits.scene.model
    drawn = set(model.geom_matid[model.geom_group != COLLISION_GROUP])
    names = {model.mat(material).name: material for material in range(model.nmat) if material in drawn}
    return next(names[name] for name in SURFACES if name in names)


def retexture(edits: "SceneEdits", material: int, name: str | None) -> None:
    """Give a material's texture the pixels of the texture `name`; None gives it its own back."""
    texture = texture_of(edits, material)
    edits.set_texture(texture, None if name is None else fitted(name, edits.texture_shape(texture)))


def dress(edits: "SceneEdits", thing: str, name: str | None) -> None:
    """Give every part of a thing the texture `name`; None gives it its own look back.

    MuJoCo binds materials to textures when it uploads them, so the pixels are replaced; a part that has no
    texture of its own takes over the material of one that has.

    Raises:
        SceneError: the thing has no part whose mesh can carry a texture.
    """
    geoms = visual_geoms(edits, thing)
    own = edits.original("geom_matid")[geoms]
    dressed = [int(material) for material in own if texture_of(edits, int(material)) >= 0]
    if not dressed:
        raise SceneError(f"{thing} has no textured part, so it cannot get another texture")
    for material in dict.fromkeys(dressed):
        retexture(edits, material, name)
    bare = np.array([texture_of(edits, int(material)) < 0 for material in own])
    taken = geoms[bare & _can_carry(edits, geoms)]
    edits.set_rows("geom_matid", geoms, own)
    if name is not None and len(taken):
        edits.set_rows("geom_matid", taken, dressed[0])


def paint(edits: "SceneEdits", thing: str, rgb: tuple[float, float, float] | None) -> None:
    """Give every part of a thing one plain colour (its transparency stays); None gives it its own look back."""
    geoms = visual_geoms(edits, thing)
    own, material = edits.original("geom_rgba")[geoms], edits.original("geom_matid")[geoms]
    alpha = np.where(material >= 0, edits.scene.model.mat_rgba[material, 3], own[:, 3])
    plain = np.column_stack([np.tile(rgb or (0.0, 0.0, 0.0), (len(geoms), 1)), alpha])
    edits.set_rows("geom_matid", geoms, material if rgb is None else -1)
    edits.set_rows("geom_rgba", geoms, own if rgb is None else plain)


def _can_carry(edits: "SceneEdits", geoms: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Whether each geom's mesh says where on it a texture goes."""
    model = edits.scene.model
    mesh = model.geom_dataid[geoms]
    return np.asarray((mesh >= 0) & (model.mesh_texcoordadr[np.maximum(mesh, 0)] >= 0))
