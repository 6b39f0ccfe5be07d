"""Which library draws the frames, chosen before MuJoCo is imported and stored with every result."""

import ctypes.util
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from gauge.errors import GaugeError

RENDERERS = ("egl", "osmesa", "glfw", "cgl")
APT_FIX = "apt-get install -y libosmesa6 (or libegl1 libgl1-mesa-dri)"


def _has_library(name: str) -> bool:
    return ctypes.util.find_library(name) is not None


def _has_gpu() -> bool:
    devices = Path("/dev")
    return any(devices.glob("nvidia[0-9]*")) or any(devices.glob("dri/renderD*"))


def choose(
    wanted: str,
    environment: Mapping[str, str],
    platform: str = sys.platform,
    has_library: Callable[[str], bool] = _has_library,
    has_gpu: Callable[[], bool] = _has_gpu,
) -> str:
    """The renderer to use: the user's MUJOCO_GL, else `wanted`, else what this platform can do.

    Linux with a GPU takes EGL; without one OSMesa, or EGL in software where only that is installed.

    Raises:
        GaugeError: the name is unknown, or no library is installed that can draw.
    """
    name = environment.get("MUJOCO_GL", "").lower() or ("" if wanted == "auto" else wanted)
    if name:
        if name not in RENDERERS:
            raise GaugeError(f"unknown renderer {name!r}; allowed: {', '.join(RENDERERS)} (renderer= or MUJOCO_GL)")
        return name
    if platform == "darwin":
        return "cgl"
    if platform != "linux":
        return "glfw"
    if has_library("EGL") and has_gpu():
        return "egl"
    for candidate, library in (("osmesa", "OSMesa"), ("egl", "EGL")):
        if has_library(library):
            return candidate
    raise GaugeError(f"no renderer found: neither libOSMesa nor libEGL is installed; type {APT_FIX}")


def egl_device(environment: Mapping[str, str], worker: int, devices: int) -> int | None:
    """The EGL device of a worker; None leaves the choice to EGL.

    An explicit MUJOCO_EGL_DEVICE_ID wins. CUDA_VISIBLE_DEVICES counts something else and is ignored: EGL
    numbers only the devices it can see, whatever CUDA calls them.
    """
    if environment.get("MUJOCO_EGL_DEVICE_ID", ""):
        return None
    return worker % devices if devices > 1 else None


def prepare(wanted: str = "auto", worker: int = 0) -> str:
    """Set the environment for the simulator's imports and return the renderer's name.

    Call it once per process before anything imports MuJoCo. Nothing is read from or written to the home
    folder: LIBERO's and matplotlib's folders are pointed elsewhere unless the user set them.
    """
    renderer = choose(wanted, os.environ)
    loaded = os.environ.get("GAUGE_RENDERER_LOADED")
    if "mujoco" in sys.modules and loaded not in (None, renderer):
        raise GaugeError(f"this process already renders with {loaded}; start a new one for {renderer}")
    os.environ["MUJOCO_GL"] = renderer
    os.environ["GAUGE_RENDERER_LOADED"] = renderer
    scratch = Path(tempfile.gettempdir()) / f"gauge-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    os.environ.setdefault("LIBERO_CONFIG_PATH", str(scratch / "libero"))
    os.environ.setdefault("MPLCONFIGDIR", str(scratch / "matplotlib"))
    if renderer == "egl":
        device = egl_device(os.environ, worker, _egl_devices())
        if device is not None:
            os.environ["MUJOCO_EGL_DEVICE_ID"] = str(device)
    return renderer


def _egl_devices() -> int:
    """How many devices EGL can see; 0 when it cannot say."""
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    try:
        from mujoco.egl import egl_ext

        return len(egl_ext.eglQueryDevicesEXT())
    except Exception:  # any driver fault here means only that the choice is left to EGL
        return 0
