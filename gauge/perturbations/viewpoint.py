"""The outside camera: where it stands, what it turns about, and the six ways to move it."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.core.policy import CAMERAS
from gauge.perturbations.base import NumericPerturbation, StartPerturbation

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

Array = NDArray[np.float64]
CAMERA = CAMERAS[0]  # the other camera is fixed to the hand
PIVOT_BELOW_M = 0.1  # LIBERO-Plus turns the camera about a point 10 cm below the middle of the table's top


class Pose(NamedTuple):
    """Position (3, m) and axes [3, 3] in the world: columns right, up and backwards."""

    position: Array
    axes: Array


def workspace(edits: "SceneEdits") -> Array:
    """The middle of the table's top, or of the floor, (3, m) in the world."""
    return np.array(edits.scene.env.workspace_offset, dtype=np.float64)


def turn(axis: Array, degrees: float) -> Array:
    """The rotation [3, 3] about a unit vector [3], counter-clockwise against it."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_rotvec(np.asarray(axis) * np.radians(degrees)).as_matrix())


@dataclass(frozen=True)
class CameraPerturbation(NumericPerturbation, StartPerturbation):
    """Moves or turns the outside camera from where the scene has it."""

    touches: ClassVar[str] = "the outside camera"

    @abstractmethod
    def moved(self, pose: Pose, pivot: Array, value: float) -> Pose:
        """The new pose for the scene's own `pose`; `pivot` (3, m) is what the camera stands around."""

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Write `cam_pos` and `cam_quat` of the camera."""
        from scipy.spatial.transform import Rotation

        camera = edits.scene.model.camera(CAMERA).id
        position, quat = edits.original("cam_pos")[camera], edits.original("cam_quat")[camera]
        axes = Rotation.from_quat(quat, scalar_first=True).as_matrix()
        pose = self.moved(Pose(position, axes), workspace(edits) - [0.0, 0.0, PIVOT_BELOW_M], float(value))
        row = np.array([camera])
        edits.set_rows("cam_pos", row, pose.position)
        own = value == self.default  # a quaternion changes a little on its way through a matrix
        edits.set_rows("cam_quat", row, quat if own else Rotation.from_matrix(pose.axes).as_quat(scalar_first=True))


def orbited(pose: Pose, pivot: Array, rotation: Array) -> Pose:
    """The camera carried around `pivot` as if both were one stiff body."""
    return Pose(pivot + rotation @ (pose.position - pivot), rotation @ pose.axes)
