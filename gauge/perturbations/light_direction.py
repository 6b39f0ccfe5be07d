"""Light direction: the lights shine on the workspace from another side."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation, StartPerturbation
from gauge.perturbations.viewpoint import workspace

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

LOWEST_DEG, HIGHEST_DEG = 10.0, 90.0
Array = NDArray[np.float64]


@dataclass(frozen=True)
class LightDirection(StartPerturbation, Perturbation):
    """Azimuth and elevation in degrees from which light reaches the middle of the workspace, e.g. `90/30`.

    Azimuth 0 is the x axis (from the robot to the table), 90 the y axis. Every light that shines on the workspace
    is swung around it, keeping its distance and where the workspace is within its cone, so that nothing but the
    direction changes: LIBERO's lights are spotlights, and turning one alone would only take its light away.
    """

    def validate(self, value: object) -> Value:
        """`azimuth/elevation` with an elevation of 10 to 90 degrees, or the default."""
        if value == self.default:
            return str(value)
        found = re.fullmatch(r"(-?\d+(?:\.\d+)?)/(\d+(?:\.\d+)?)", str(value))
        if found is None:
            raise GaugeError(f"{self.attribute} takes azimuth/elevation in degrees, e.g. value.at=90/30, not {value!r}")
        azimuth, elevation = float(found[1]) % 360.0, float(found[2])
        if not LOWEST_DEG <= elevation <= HIGHEST_DEG:
            raise GaugeError(f"{self.attribute}={value}: the elevation is out of bounds; allowed: 10 to 90 degrees")
        return f"{azimuth:g}/{elevation:g}"

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Write `light_pos` and `light_dir` [lights, 3] of the lights that shine on the workspace."""
        model, center = edits.scene.model, workspace(edits)
        positions, directions = edits.original("light_pos"), edits.original("light_dir")
        if value != self.default:
            towards = unit_vector(*map(float, str(value).split("/")))
            for light in range(model.nlight):
                away = -directions[light] if model.light_directional[light] else positions[light] - center
                if not model.light_directional[light] and not _reaches(away, directions[light], model, light):
                    continue
                turn = rotation_between(away / np.linalg.norm(away), towards)
                positions[light] = center + turn @ (positions[light] - center)
                directions[light] = turn @ directions[light]
        edits.set("light_pos", positions)
        edits.set("light_dir", directions)


def _reaches(away: Array, direction: Array, model: object, light: int) -> bool:
    """Whether a spotlight's cone holds the workspace, which is seen from there along -`away`."""
    cosine = float(-away @ direction / np.linalg.norm(away))
    return cosine > np.cos(np.radians(model.light_cutoff[light]))  # type: ignore[attr-defined,no-any-return]


def unit_vector(azimuth_deg: float, elevation_deg: float) -> Array:
    """The direction [3] in which azimuth and elevation lie."""
    azimuth, elevation = np.radians(azimuth_deg), np.radians(elevation_deg)
    return np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])


def rotation_between(start: Array, end: Array) -> Array:
    """The smallest rotation [3, 3] that takes one unit vector [3] to another."""
    from scipy.spatial.transform import Rotation

    axis, cosine = np.cross(start, end), float(start @ end)
    sine = float(np.linalg.norm(axis))
    if sine < 1e-9 and cosine < 0:
        axis, sine = np.cross(start, np.eye(3)[np.abs(start).argmin()]), 1.0
        axis /= np.linalg.norm(axis)
    scaled = axis / sine * np.arctan2(np.linalg.norm(np.cross(start, end)), cosine) if sine > 0 else np.zeros(3)
    return np.asarray(Rotation.from_rotvec(scaled).as_matrix())
