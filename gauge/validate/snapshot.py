"""All numbers of a compiled model, to say afterwards which of them changed."""

from collections.abc import Collection
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

LARGE_BYTES = 1_000_000
BLINKING = ("site_rgba",)  # LIBERO itself toggles the marker of a burner while it looks
TEXTURES = "tex_data"
APART = (("opt", "gravity"), ("vis.headlight", "ambient"), ("vis.headlight", "diffuse"), ("vis.headlight", "specular"))


class Snapshot:
    """Copies of every array of a model."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._fields = {name: value.copy() for name, value in _arrays(model).items()}

    def changed(self, model: mujoco.MjModel, large: Collection[str] | None = None) -> dict[str, NDArray[np.intp]]:
        """Field by field the rows that differ from now, bit for bit; of textures the numbers of the textures.

        Fields of more than a megabyte are left out, but for those named in `large`; None compares all.
        """
        found = {}
        for name, now in _arrays(model).items():
            was = self._fields[name]
            if large is not None and name not in large and now.nbytes > LARGE_BYTES:
                continue
            if now.shape != was.shape:
                found[name] = np.arange(max(len(now), len(was)))
            elif not _same(now, was):
                found[name] = _rows(model, name, _bytes(now) != _bytes(was))
        return found


def _bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The array as bytes [rows, bytes of a row], since some of MuJoCo's numbers are NaN and equal nothing."""
    whole = np.ascontiguousarray(np.atleast_1d(array))
    return whole.reshape(len(whole), -1).view(np.uint8) if whole.size else np.zeros((len(whole), 0), np.uint8)


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays of one shape hold the same bytes, eight at a time: a scene has hundreds of megabytes."""
    flat, also = _bytes(one).ravel(), _bytes(other).ravel()
    whole = len(flat) // 8 * 8
    equal = np.array_equal(flat[:whole].view(np.uint64), also[:whole].view(np.uint64))
    return equal and np.array_equal(flat[whole:], also[whole:])


def _rows(model: mujoco.MjModel, name: str, differs: NDArray[np.bool_]) -> NDArray[np.intp]:
    rows = np.flatnonzero(differs.any(axis=1))
    return np.unique(np.searchsorted(model.tex_adr, rows, side="right") - 1) if name == TEXTURES else rows


def _arrays(model: mujoco.MjModel) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for name in sorted(vars(type(model))):
        value = getattr(model, name, None)
        if isinstance(value, np.ndarray) and name[:1] != "_" and name not in BLINKING:
            found[name] = value
    for path, name in APART:
        owner: Any = model
        for part in path.split("."):
            owner = getattr(owner, part)
        found[f"{path}.{name}"] = np.asarray(getattr(owner, name))
    return found
