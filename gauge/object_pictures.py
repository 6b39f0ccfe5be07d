"""Pictures of objects of the pool: one on a table, or a sheet of many."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.objects import stage
from gauge.objects.entry import Entry
from gauge.objects.ready import ready

if TYPE_CHECKING:
    import mujoco

    from gauge.sim.camera import Screen

Pixels = NDArray[np.uint8]
LOOK_FROM = np.array([0.5, -1.0, 0.75])  # direction from the object to the eye
FOVY_DEG = 30.0
TILE_PX, COLUMNS, PER_FAMILY = 96, 20, 4


def draw(model: Path, upright: Sequence[float], size_px: int, solids: bool, out: Path) -> None:
    """Write the picture of one object."""
    import cv2

    with _screen() as screen:
        pixels = picture(screen, model, upright, size_px, solids)
    out.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(out), pixels[..., ::-1])


def sheets(entries: Sequence[Entry], folder: Path, cache: Path, folders: Sequence[Path]) -> None:
    """Write a contact sheet per source: four objects of each generated family, every packaged or imported one."""
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    with _screen() as screen:
        for source in dict.fromkeys(entry.source for entry in entries):
            members = [entry for entry in entries if entry.source == source]
            if source == "generator":
                members = [entry for name in dict.fromkeys(entry.category for entry in members)
                           for entry in [one for one in members if one.category == name][:PER_FAMILY]]  # fmt: skip
            tiles = [_tile(screen, entry, cache, folders) for entry in members]
            path = folder / f"{source}.png"
            cv2.imwrite(str(path), _few_colors(sheet(tiles, COLUMNS))[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 9])
            print(f"{path}: {len(tiles)} objects")


def _tile(screen: "Screen", entry: Entry, cache: Path, folders: Sequence[Path]) -> Pixels:
    """A small picture with the category written on it."""
    import cv2

    pixels = picture(screen, ready(entry.id, cache, folders).model, entry.upright, 2 * TILE_PX)
    tile = cv2.resize(pixels, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA)
    cv2.putText(tile, entry.category, (2, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.3, (20, 20, 20), 1, cv2.LINE_AA)
    return np.asarray(tile, np.uint8)


def _few_colors(pixels: Pixels) -> Pixels:
    """Drop the last two bits, which are noise here and most of a PNG's size."""
    return (pixels & np.uint8(0xFC)) | np.uint8(2)


@contextmanager
def _screen() -> "Iterator[Screen]":
    from gauge.sim import backend

    backend.prepare("auto")
    from gauge.sim.camera import Screen

    screen = Screen()
    try:
        yield screen
    finally:
        screen.close()


def picture(screen: "Screen", model: Path, upright: Sequence[float], size_px: int, solids: bool = False) -> Pixels:
    """The object standing on the table, uint8 [size, size, 3]; `solids` shows the collision shapes instead.

    Raises:
        GaugeError: the model cannot be loaded.
    """
    import mujoco

    from gauge.sim.camera import SceneRenderer

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


def _extent(
    model: "mujoco.MjModel", data: "mujoco.MjData", body: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lowest and highest corner of what is seen, m."""
    corners = []
    for geom in np.flatnonzero(model.body_rootid[model.geom_bodyid] == body):
        centre, half = model.geom_aabb[geom][:3], model.geom_aabb[geom][3:]
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        corners.append((centre + signs * half) @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def _aim(model: "mujoco.MjModel", size: NDArray[np.float64]) -> None:
    """Point the camera at the middle of an object of this size, which then fills the frame."""
    import mujoco

    camera = model.camera("view").id
    away = LOOK_FROM / np.linalg.norm(LOOK_FROM)
    distance = 0.62 * float(np.linalg.norm(size)) / np.tan(np.radians(FOVY_DEG / 2))
    model.cam_fovy[camera] = FOVY_DEG
    model.cam_pos[camera] = np.array([0, 0, size[2] / 2]) + away * distance
    right = np.cross([0, 0, 1], away) / np.linalg.norm(np.cross([0, 0, 1], away))
    axes = np.stack([right, np.cross(away, right), away], axis=1)
    mujoco.mju_mat2Quat(model.cam_quat[camera], axes.ravel())


def _swap(model: "mujoco.MjModel", body: int) -> None:
    """Show what touches in place of what is seen."""
    own = model.body_rootid[model.geom_bodyid] == body
    touching = (model.geom_contype | model.geom_conaffinity) != 0
    model.geom_group[own & ~touching] = 3
    model.geom_group[own & touching] = 1
    model.geom_rgba[own & touching] = [0.45, 0.6, 0.8, 1.0]
