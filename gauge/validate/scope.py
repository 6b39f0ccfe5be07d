"""What a perturbation may change in the compiled model and in the positions; anything else is a fault."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS
from gauge.perturbations import materials
from gauge.perturbations.roles import roles
from gauge.validate.snapshot import TEXTURES

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.sim.scene import Scene

Rows = NDArray[np.intp]
LIGHTS = {
    "light_diffuse": ("light_diffuse",),
    "light_direction": ("light_pos", "light_dir"),
    "light_shadow": ("light_castshadow",),
    "light_specular": ("light_specular",),
}


def model_rows(attribute: str, edits: "SceneEdits") -> dict[str, Rows]:
    """The fields of the model that a start-stage attribute may change, with their rows; empty for the other stages."""
    model = edits.scene.model
    if attribute in LIGHTS:
        return {field: np.arange(model.nlight) for field in LIGHTS[attribute]}
    if attribute.startswith("camera_"):
        return {field: np.array([model.camera(CAMERAS[0]).id]) for field in ("cam_pos", "cam_quat")}
    if attribute == "background":
        names = (materials.FLOOR, materials.WALL)
        return {TEXTURES: np.array([materials.texture_of(edits, model.mat(name).id) for name in names])}
    if attribute == "background_surface":
        return {TEXTURES: np.array([materials.texture_of(edits, materials.surface(edits))])}
    if attribute.endswith(("_color", "_texture")):
        return _look(attribute, edits)
    return {}


def thing_of(attribute: str, scene: "Scene") -> str:
    """The object whose look an appearance attribute changes."""
    return roles(scene.task.bddl_path).name(attribute.partition("_")[0])


def _look(attribute: str, edits: "SceneEdits") -> dict[str, Rows]:
    geoms = materials.visual_geoms(edits, thing_of(attribute, edits.scene))
    if attribute.endswith("_color"):
        return {"geom_rgba": geoms, "geom_matid": geoms}
    return {TEXTURES: own_textures(edits, geoms), "geom_matid": geoms}


def own_textures(edits: "SceneEdits", geoms: Rows) -> Rows:
    """The textures of these geoms that no other geom shows."""
    shown = np.array([materials.texture_of(edits, int(one)) for one in edits.original("geom_matid")])
    others = np.delete(shown, geoms)
    return np.setdiff1d(shown[geoms], np.append(others, -1)).astype(np.intp)


def beyond(changed: dict[str, Rows], allowed: dict[str, Rows]) -> list[str]:
    """The fields that changed in rows in which they must not."""
    return [field for field, rows in changed.items() if len(np.setdiff1d(rows, allowed.get(field, np.zeros(0))))]


def positions(attribute: str, scene: "Scene") -> Rows:
    """Where in `qpos` an attribute may change the start; empty for one that leaves it alone."""
    if attribute == "robot_initial_state":
        return scene.arm_qpos
    if attribute == "gripper_state":
        return scene.finger_qpos
    if attribute.startswith("target_object_") and not attribute.endswith(("_color", "_texture")):
        joint = scene.env.get_object(roles(scene.task.bddl_path).target).joints[-1]
        first = int(scene.model.joint(joint).qposadr[0])
        return np.arange(first, first + 7)
    return np.zeros(0, dtype=np.intp)


def others_differ(clean: "Scene", built: "Scene") -> Iterator[str]:
    """What differs between a scene and the rebuilt one in bodies that both have, the target left out."""
    target = f"{roles(clean.task.bddl_path).target}_main"
    for body in range(1, clean.model.nbody):
        root = clean.model.body(int(clean.model.body_rootid[body])).name
        name = clean.model.body(body).name
        if root != target and name != target and not np.array_equal(_body(clean, name), _body(built, name)):
            yield name


def _body(scene: "Scene", name: str) -> NDArray[np.float64]:
    """Every number that says where a body is, how heavy, and what its geoms are."""
    model = scene.model
    body = model.body(name)
    first, count = int(body.geomadr[0]), int(body.geomnum[0])
    geoms = slice(first, first + count) if count else slice(0, 0)
    parts = [body.pos, body.quat, body.mass, body.inertia, model.geom_size[geoms], model.geom_pos[geoms]]
    parts += [model.geom_quat[geoms], model.geom_rgba[geoms], model.geom_friction[geoms], model.geom_type[geoms]]
    return np.concatenate([np.asarray(part, dtype=np.float64).ravel() for part in parts])
