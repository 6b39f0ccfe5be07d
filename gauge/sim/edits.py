"""Edits to a compiled scene that are counted, proven and undone."""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray


class SceneEdits:
    """Writes fields of an MjModel, remembers what they were, and puts them back.

    Every write starts from the unperturbed field, so writing twice is the same as writing the last value.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._originals: dict[str, NDArray[Any]] = {}

    def original(self, field: str) -> NDArray[Any]:
        """A copy of the field as it was before the first edit."""
        if field not in self._originals:
            self._originals[field] = np.array(getattr(self._model, field))
        return self._originals[field].copy()

    def set(self, field: str, value: NDArray[Any]) -> None:
        """Write the whole field; its shape must be the field's own."""
        self.original(field)
        getattr(self._model, field)[:] = value

    def changes(self) -> dict[str, float]:
        """Largest absolute change per edited field, fields that did not change left out."""
        sizes = {
            f: float(np.abs(getattr(self._model, f) - was).max()) for f, was in self._originals.items() if was.size
        }
        return {field: size for field, size in sizes.items() if size > 0.0}

    def undo(self) -> None:
        """Put every edited field back, bit for bit."""
        for field, was in self._originals.items():
            getattr(self._model, field)[:] = was
        self._originals.clear()
