"""Pictures of what a perturbation does: one frame per value, the clean one first."""

import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.core.policy import CAMERAS
from gauge.errors import NotApplicableError, SceneError
from gauge.perturbations.base import (
    ActionPerturbation,
    Bound,
    CompilePerturbation,
    Perturbation,
    changes,
)
from gauge.rollout.perturbed import ActivePerturbations
from gauge.sim.edits import SceneEdits

if TYPE_CHECKING:
    from gauge.sim.scene import Scene

log = logging.getLogger(__name__)
Frame = NDArray[np.uint8]
COLUMNS, CAPTION_PX = 6, 14
LETTER_PX, LETTER_SCALE = 7, 0.38
ROLLOUT, SETTLE_STEPS, STEPS = 0, 10, 40
SEED = 0


def strip(scene: "Scene", perturbation: Perturbation, size_px: int) -> Frame:
    """The clean frame and one per level, captioned, in rows of six; uint8 [H, W, 3]."""
    tiles = [_tile(scene, perturbation, value, size_px) for value in (None, *perturbation.levels)]
    lines = max(len(_lines(caption, size_px)) for _, caption in tiles)
    return grid([_captioned(tile, _lines(caption, size_px), lines) for tile, caption in tiles])


def _tile(scene: "Scene", perturbation: Perturbation, value: Value | None, size_px: int) -> tuple[Frame, str]:
    """One picture and its caption; white where the value makes no sense in this scene."""
    draw = _trace if isinstance(perturbation, ActionPerturbation) else _seen
    try:
        caption = f"clean ({perturbation.default})" if value is None else str(value)
        return draw(scene, perturbation, value, size_px), caption
    except (NotApplicableError, SceneError) as reason:
        log.warning("%s=%s is not drawn: %s", perturbation.attribute, value, reason)
        return np.full((size_px, size_px, 3), 255, dtype=np.uint8), f"{value}: not applicable"


def _bound(perturbation: Perturbation, value: Value | None) -> list[Bound]:
    item = None if value is None else perturbation.item((value,))
    return [] if item is None else [Bound(item, perturbation)]


def _seen(scene: "Scene", perturbation: Perturbation, value: Value | None, size_px: int) -> Frame:
    """What the camera sees once the scene has settled; for the hand the part of its own view that shows the fingers."""
    bound = _bound(perturbation, value)
    if perturbation.attribute == "gripper_state":
        return _settled(scene, bound, CAMERAS[1], 2 * size_px)[size_px:, size_px // 2 : size_px // 2 + size_px]
    if not isinstance(perturbation, CompilePerturbation) or value is None:
        return _settled(scene, bound, CAMERAS[0], size_px)
    from gauge.sim.scene import Scene

    rebuilt = Scene(scene.task, scene.screen, changes=changes(bound, scene.task))
    try:
        return _settled(rebuilt, bound, CAMERAS[0], size_px)
    finally:
        rebuilt.close()


def _settled(scene: "Scene", bound: list[Bound], camera: str, size_px: int) -> Frame:
    active = ActivePerturbations(bound, SEED, STEPS)
    edits = SceneEdits(scene)
    try:
        scene.start(SEED, ROLLOUT)
        active.advance(0, edits)
        for _ in range(SETTLE_STEPS):
            scene.step(scene.rest)
        scene.look()
        return active.image(scene.frame(camera, (size_px, size_px)))
    finally:
        edits.undo()


def _trace(scene: "Scene", perturbation: Perturbation, value: Value | None, size_px: int) -> Frame:
    """Commanded (grey) and executed (black) y translation over time, -1 to 1 from bottom to top."""
    import cv2

    active = ActivePerturbations(_bound(perturbation, value), SEED, STEPS)
    commanded = np.zeros((STEPS, 7))
    commanded[:, 1] = 0.7 * np.sin(np.linspace(0.0, 2.0 * np.pi, STEPS))
    executed = np.array([active.action(action) for action in commanded])
    canvas = np.full((size_px, size_px, 3), 255, dtype=np.uint8)
    across = np.linspace(4, size_px - 5, STEPS)
    for series, shade in ((commanded, 190), (executed, 0)):
        points = np.column_stack([across, (0.5 - 0.45 * series[:, 1]) * size_px]).round().astype(np.int32)
        cv2.polylines(canvas, [points], False, (shade, shade, shade), 1, cv2.LINE_AA)
    return canvas


def _lines(caption: str, width_px: int) -> list[str]:
    """The caption in one line or, where it is too long, in two, parted at the sign nearest to its middle."""
    breaks = [k + 1 for k, letter in enumerate(caption[:-1]) if letter in "+_- "]
    if LETTER_PX * len(caption) <= width_px or not breaks:
        return [caption]
    at = min(breaks, key=lambda k: abs(k - len(caption) / 2))
    return [caption[:at], caption[at:]]


def _captioned(tile: Frame, text: Sequence[str], lines: int) -> Frame:
    import cv2

    above = np.full((CAPTION_PX * lines, tile.shape[1], 3), 255, dtype=np.uint8)
    for number, line in enumerate(text):
        scale = min(1.0, tile.shape[1] / max(1, LETTER_PX * len(line))) * LETTER_SCALE
        spot = (2, 10 + CAPTION_PX * number)
        cv2.putText(above, line, spot, cv2.FONT_HERSHEY_SIMPLEX, scale, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([above, tile])


def grid(tiles: Sequence[Frame]) -> Frame:
    """Tiles of one size in rows of six, white where the last row ends early."""
    columns = min(COLUMNS, len(tiles))
    rows = math.ceil(len(tiles) / columns)
    blank = np.full_like(tiles[0], 255)
    padded = [*tiles, *[blank] * (rows * columns - len(tiles))]
    return np.vstack([np.hstack(padded[row * columns : (row + 1) * columns]) for row in range(rows)])
