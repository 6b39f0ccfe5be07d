"""Pictures of objects of the pool: one on a table, or a sheet of many."""

from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.objects import stage
from gauge.sim.camera import SceneRenderer, Screen

Pixels = NDArray[np.uint8]
LOOK_FROM = np.array([0.5, -1.0, 0.75])  # direction from the object to the eye
FOVY_DEG = 30.0


def picture(screen: Screen, model: Path, upright: Sequence[float], size_px: int, solids: bool = False) -> Pixels:
    """The object standing on the table, uint8 [size, size, 3]; `solids` shows the collision shapes instead.

    Raises:
        GaugeError: the model cannot be loaded.
    """
    compiled = stage.compiled(model, free=False)
    body = compiled.body(stage.THING).id
    compiled.body_quat[body] = upright
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    low, high = _extent(compiled, data, body)
    compiled.body_pos[body] = [-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2]]
    _aim(compiled, high - low)
    if solids:
        _swap(compiled, body)
    mujoco.mj_forward(compiled, data)
    renderer = SceneRenderer(compiled, (size_px, size_px), screen)
    try:
        return renderer.frame(data, "view", (size_px, size_px))
    finally:
        renderer.close()


def sheet(tiles: Sequence[Pixels], columns: int) -> Pixels:
    """The pictures side by side, row by row."""
    size = tiles[0].shape[0]
    rows = -(-len(tiles) // columns)
    made = np.full((rows * size, columns * size, 3), 255, np.uint8)
    for k, tile in enumerate(tiles):
        y, x = k // columns * size, k % columns * size
        made[y : y + size, x : x + size] = tile
    return made


def _extent(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lowest and highest corner of what is seen, m."""
    corners = []
    for geom in np.flatnonzero(model.body_rootid[model.geom_bodyid] == body):
        centre, half = model.geom_aabb[geom][:3], model.geom_aabb[geom][3:]
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        corners.append((centre + signs * half) @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def _aim(model: mujoco.MjModel, size: NDArray[np.float64]) -> None:
    """Point the camera at the middle of an object of this size, which then fills the frame."""
    camera = model.camera("view").id
    away = LOOK_FROM / np.linalg.norm(LOOK_FROM)
    distance = 0.62 * float(np.linalg.norm(size)) / np.tan(np.radians(FOVY_DEG / 2))
    model.cam_fovy[camera] = FOVY_DEG
    model.cam_pos[camera] = np.array([0, 0, size[2] / 2]) + away * distance
    right = np.cross([0, 0, 1], away) / np.linalg.norm(np.cross([0, 0, 1], away))
    axes = np.stack([right, np.cross(away, right), away], axis=1)
    mujoco.mju_mat2Quat(model.cam_quat[camera], axes.ravel())


def _swap(model: mujoco.MjModel, body: int) -> None:
    """Show what touches in place of what is seen."""
    own = model.body_rootid[model.geom_bodyid] == body
    touching = model.geom_contype > 0
    model.geom_group[own & ~touching] = 3
    model.geom_group[own & touching] = 1
    model.geom_rgba[own & touching] = [0.45, 0.6, 0.8, 1.0]
