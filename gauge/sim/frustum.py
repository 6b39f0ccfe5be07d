"""Which geoms a camera can see: what lies outside its frustum need not be drawn."""

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MIRRORS = (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_BOX)


def in_view(
    positions: Array, radii: Array, camera_pos: Array, camera_mat: Array, fovy_deg: float, aspect: float
) -> NDArray[np.bool_]:
    """Whether each bounding sphere (centre [n, 3] and radius [n], m) can touch the frustum, [n].

    Conservative: a sphere that only grazes a plane counts as seen. Radius 0 means unbounded and is seen.
    """
    local = (positions - camera_pos) @ camera_mat  # right, up, and backwards
    depth = -local[:, 2]
    seen: NDArray[np.bool_] = depth > -radii
    for axis, tangent in ((0, np.tan(np.radians(fovy_deg) / 2) * aspect), (1, np.tan(np.radians(fovy_deg) / 2))):
        seen &= np.abs(local[:, axis]) <= depth * tangent + radii * np.sqrt(1.0 + tangent**2)
    seen |= radii == 0.0
    return seen


class Frustum:
    """Finds the geoms of one scene that a camera cannot see, to the pixel.

    A mirror in view also shows what its reflection puts into the frustum (MuJoCo mirrors planes and the top
    faces of boxes). Where a light casts shadows everything is drawn.
    """

    def __init__(self, model: mujoco.MjModel, hidden_group: int) -> None:
        self.enabled = True  # off: draw everything, to compare with
        self._model = model
        material = model.geom_matid
        shiny = (material >= 0) & (model.mat_reflectance[np.maximum(material, 0)] > 0.0)
        drawn = model.geom_group != hidden_group
        self._mirrors = shiny & drawn & np.isin(model.geom_type, [int(kind) for kind in MIRRORS])

    def unseen(self, data: mujoco.MjData, camera: int, aspect: float) -> NDArray[np.bool_]:
        """The geoms that may be left out of this camera's frame, [ngeom]."""
        model = self._model
        if not self.enabled or model.light_castshadow.any():
            return np.zeros(model.ngeom, dtype=np.bool_)
        pose = data.cam_xpos[camera], data.cam_xmat[camera].reshape(3, 3)
        seen = in_view(data.geom_xpos, model.geom_rbound, *pose, float(model.cam_fovy[camera]), aspect)
        for mirror in np.flatnonzero(seen & self._mirrors):
            normal = data.geom_xmat[mirror].reshape(3, 3)[:, 2]
            top = model.geom_size[mirror, 2] if model.geom_type[mirror] == mujoco.mjtGeom.mjGEOM_BOX else 0.0
            height = (data.geom_xpos - data.geom_xpos[mirror]) @ normal - top
            reflected = data.geom_xpos - 2.0 * height[:, None] * normal
            seen |= in_view(reflected, model.geom_rbound, *pose, float(model.cam_fovy[camera]), aspect)
        return ~seen
