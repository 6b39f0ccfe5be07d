"""Edits to a compiled scene that are counted, proven and undone."""

from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.errors import SceneError

if TYPE_CHECKING:
    from gauge.sim.scene import Scene

DEEPEST_OVERLAP_M = 0.002


class SceneEdits:
    """Writes fields, textures and the start of a scene, remembers what they were, and puts them back.

    Every write starts from the unperturbed field, so writing twice is the same as writing the last value.
    Positions need no undoing: the next start overwrites them. With `looks_only` they are left as they are, for a
    video that shows the positions of an earlier moment.
    """

    def __init__(self, scene: "Scene", looks_only: bool = False) -> None:
        self.scene = scene
        self._model, self.looks_only = scene.model, looks_only
        self._originals: dict[str, NDArray[Any]] = {}
        self._textures: dict[int, NDArray[np.uint8]] = {}
        self._moved: dict[str, float] = {}

    def original(self, field: str) -> NDArray[Any]:
        """A copy of the field as it was before the first edit."""
        if field not in self._originals:
            self._originals[field] = np.array(getattr(self._model, field))
        return self._originals[field].copy()

    def set(self, field: str, value: NDArray[Any]) -> None:
        """Write the whole field; its shape must be the field's own."""
        self.original(field)
        getattr(self._model, field)[:] = value

    def set_rows(self, field: str, rows: NDArray[np.intp], value: Any) -> None:
        """Write some rows of a field, so that two edits of different things share it."""
        self.original(field)
        getattr(self._model, field)[rows] = value

    def texture_shape(self, texture: int) -> tuple[int, int]:
        """Height and width of a texture in pixels; a cube with six faces holds them one below the other."""
        return int(self._model.tex_height[texture]), int(self._model.tex_width[texture])

    def set_texture(self, texture: int, image: NDArray[np.uint8] | None) -> None:
        """Replace the pixels of a texture by `image` [H, W, 3] of its own shape; None puts its own back."""
        pixels = self._pixels(texture)
        if texture not in self._textures:
            self._textures[texture] = pixels.copy()
        pixels[:] = self._textures[texture] if image is None else image.reshape(-1)
        self.scene.upload(texture)

    def place(self, joint: str, pose: NDArray[np.float64], allowed_m: float | None = None) -> None:
        """Start the free body of `joint` at `pose`: position (3, m) and quaternion (4, wxyz).

        Raises:
            SceneError: there it would overlap something by more than `allowed_m`; by default by more than 2 mm and
                more than where it was.
        """
        if self.looks_only:
            return
        data, which = self.scene.data, self._model.joint(joint)
        address, body = int(which.qposadr[0]), int(which.bodyid[0])
        before = data.qpos[address : address + 7].copy()
        allowed = max(DEEPEST_OVERLAP_M, self._overlap(body)[0]) if allowed_m is None else allowed_m
        data.qpos[address : address + 7] = pose
        mujoco.mj_forward(self._model, data)
        deepest, other = self._overlap(body)
        if deepest > allowed + 1e-6:
            data.qpos[address : address + 7] = before
            mujoco.mj_forward(self._model, data)
            raise SceneError(
                f"{joint.removesuffix('_joint0')} would overlap {other} by {1000 * deepest:.1f} mm where this value "
                f"puts it; at most {1000 * allowed:.1f} mm are allowed"
            )
        self._moved[f"qpos of {joint}"] = float(np.abs(pose - before).max())

    def overlap(self, joint: str) -> float:
        """How deep (m) the free body of `joint` overlaps anything as the scene is now."""
        mujoco.mj_forward(self._model, self.scene.data)
        return self._overlap(int(self._model.joint(joint).bodyid[0]))[0]

    def place_arm(self, positions: NDArray[np.float64]) -> None:
        """Start the arm at these joint positions [7] (rad), at rest; its posture and home pose follow."""
        if not self.looks_only:
            which = self.scene.arm_qpos
            self._moved["qpos of the arm"] = float(np.abs(self.scene.data.qpos[which] - positions).max())
            self.scene.data.qpos[which] = positions
            self.scene.rehome()

    def place_fingers(self, opening: float) -> None:
        """Start with the hand at this opening (0 closed, 1 open), and keep it there until the policy acts."""
        if not self.looks_only:
            which, open_m = self.scene.finger_qpos, self.scene.fingers_open
            change = np.abs(self.scene.data.qpos[which] - opening * open_m)
            self._moved["qpos of the fingers"] = float(change.max())
            self.scene.data.qpos[which] = opening * open_m
            self.scene.hold_fingers(opening)

    def changes(self) -> dict[str, float]:
        """Largest absolute change per edited field, fields that did not change left out."""
        sizes = {
            f: float(np.abs(getattr(self._model, f) - was).max()) for f, was in self._originals.items() if was.size
        }
        for texture, was in self._textures.items():
            name = self._model.tex(texture).name
            sizes[f"texture {name}"] = float(np.abs(self._pixels(texture).astype(np.int16) - was).max())
        return {field: size for field, size in {**sizes, **self._moved}.items() if size > 0.0}

    def undo(self) -> None:
        """Put every edited field and texture back, bit for bit."""
        for field, was in self._originals.items():
            getattr(self._model, field)[:] = was
        for texture in self._textures:
            self.set_texture(texture, None)
        self._originals.clear()
        self._textures.clear()
        self._moved.clear()

    def _pixels(self, texture: int) -> NDArray[np.uint8]:
        """A view of the texture's bytes in the model."""
        height, width = self.texture_shape(texture)
        first, size = int(self._model.tex_adr[texture]), height * width * int(self._model.tex_nchannel[texture])
        pixels: NDArray[np.uint8] = self._model.tex_data[first : first + size]
        return pixels

    def _overlap(self, body: int) -> tuple[float, str]:
        """How deep (m) and with which body a body and those fixed to it overlap anything, 0 if they do not."""
        model, contacts = self._model, self.scene.data.contact
        deepest, other = 0.0, ""
        for geoms, distance in zip(contacts.geom, contacts.dist, strict=True):
            bodies = model.geom_bodyid[geoms]
            mine = model.body_rootid[bodies] == model.body_rootid[body]
            if mine.sum() == 1 and -distance > deepest:
                deepest, other = float(-distance), model.body(int(bodies[~mine][0])).name
        return deepest, other
