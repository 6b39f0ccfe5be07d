"""Frames: one OpenGL context per process, one set of uploaded meshes and textures per scene."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, SceneError
from gauge.sim.frustum import Frustum

MAX_GEOMS = 10_000
COLLISION_GROUP = 0
CULLED_GROUP = 5  # MuJoCo draws groups 0 to 2 unless told otherwise


class Screen:
    """The process's OpenGL context; every scene renderer draws into it."""

    def __init__(self) -> None:
        try:
            self._gl = mujoco.GLContext(640, 480)
            self._gl.make_current()
        except Exception as error:  # drivers raise anything from ImportError to AttributeError
            raise _no_renderer(error) from error

    def use(self) -> None:
        """Draw here from now on; another context made or freed in this thread may have taken its place."""
        self._gl.make_current()

    def close(self) -> None:
        """Free the context before the interpreter ends (EGL complains otherwise)."""
        self._gl.free()


class SceneRenderer:
    """Draws the cameras of one compiled scene as LIBERO does: visual geoms only, four samples a pixel."""

    def __init__(self, model: mujoco.MjModel, size: tuple[int, int], screen: Screen) -> None:
        height, width = size
        visual = model.vis.global_
        visual.offheight, visual.offwidth = max(visual.offheight, height), max(visual.offwidth, width)
        self._largest: tuple[int, int] = (visual.offheight, visual.offwidth)
        self._model, self._screen = model, screen
        screen.use()
        try:
            self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_150)
        except mujoco.FatalError as error:
            raise _no_renderer(error) from error
        self._scene = mujoco.MjvScene(model, maxgeom=MAX_GEOMS)
        self._options = mujoco.MjvOption()
        self._options.geomgroup[COLLISION_GROUP] = 0
        self._frustum = Frustum(model, COLLISION_GROUP)
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED

    def fits(self, size: tuple[int, int]) -> bool:
        """Whether frames of this (height, width) fit into the buffer that was made."""
        return size[0] <= self._largest[0] and size[1] <= self._largest[1]

    def frame(self, data: mujoco.MjData, camera: str, size: tuple[int, int]) -> NDArray[np.uint8]:
        """One view as a person sees it: uint8 [H, W, 3], RGB, row 0 at the top.

        Raises:
            SceneError: every pixel is the same, which a working renderer never draws.
        """
        height, width = size
        self._camera.fixedcamid = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_CAMERA, camera)
        self._collect(data, width / height)
        viewport = mujoco.MjrRect(0, 0, width, height)
        self._aim()
        mujoco.mjr_render(viewport, self._scene, self._context)
        bottom_up = np.empty((height, width, 3), dtype=np.uint8)
        mujoco.mjr_readPixels(bottom_up, None, viewport, self._context)
        if bottom_up.min() == bottom_up.max():
            raise SceneError(f"the renderer drew an empty frame for camera {camera}")
        return bottom_up[::-1].copy()

    def _collect(self, data: mujoco.MjData, aspect: float) -> None:
        """List what is to be drawn; geoms out of sight wait in a group that is not drawn."""
        model, everything = self._model, mujoco.mjtCatBit.mjCAT_ALL
        groups = model.geom_group.copy()
        model.geom_group[self._frustum.unseen(data, self._camera.fixedcamid, aspect)] = CULLED_GROUP
        try:
            mujoco.mjv_updateScene(model, data, self._options, None, self._camera, everything, self._scene)
        finally:
            model.geom_group[:] = groups

    def _aim(self) -> None:
        """Draw into this scene's own buffer; MuJoCo goes on with whichever was used last, and frees with it."""
        self._screen.use()
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)

    def upload(self, texture: int) -> None:
        """Hand the present pixels of a texture of the model to OpenGL."""
        self._screen.use()
        mujoco.mjr_uploadTexture(self._model, self._context, texture)

    def close(self) -> None:
        """Free the uploaded meshes and textures."""
        self._screen.use()
        self._context.free()


def _no_renderer(error: Exception) -> GaugeError:
    return GaugeError(
        f"no frame can be rendered here ({type(error).__name__}: {error}); "
        "run python -m gauge.doctor for the fix, or choose renderer=osmesa or renderer=egl"
    )
