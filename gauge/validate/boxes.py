"""Bounding boxes of bodies in their own frame."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
COLLISION_GROUP = 0


def boxed(model: Any, body: int) -> tuple[Array, Array]:
    """Lowest and highest corner (3, m) of the collision geoms of a body and its parts, in the body's frame at rest."""
    import mujoco

    rest = mujoco.MjData(model)
    mujoco.mj_kinematics(model, rest)
    axes, origin = rest.xmat[body].reshape(3, 3), rest.xpos[body]
    corners = [
        ((rest.geom_xpos[geom] + _corners(model, rest, geom)) - origin) @ axes
        for geom in range(model.ngeom)
        if model.body_rootid[model.geom_bodyid[geom]] == body and model.geom_group[geom] == COLLISION_GROUP
    ]
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def _corners(model: Any, rest: Any, geom: int) -> Array:
    """The eight corners [8, 3] of a geom's box, turned as the geom is."""
    signs = np.stack(np.meshgrid([-1, 1], [-1, 1], [-1, 1]), axis=-1).reshape(-1, 3)
    box = model.geom_aabb[geom, :3] + signs * model.geom_aabb[geom, 3:]
    return np.asarray(box @ rest.geom_xmat[geom].reshape(3, 3).T)
