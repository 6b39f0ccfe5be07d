"""What the attributes of the target's pose share: a free body that starts somewhere else."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations.base import StartPerturbation
from gauge.perturbations.roles import Roles, roles

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits


@dataclass(frozen=True)
class TargetPose(StartPerturbation):
    """The target's start, before the scene settles."""

    mutable: ClassVar[bool] = False

    def fit(self, task: Roles, instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse a target that is fixed in the scene."""
        if not task.movable:
            raise NotApplicableError(f"{self.attribute}: {task.target} is fixed in the scene and cannot be moved")

    @abstractmethod
    def posed(self, pose: NDArray[np.float64], value: Value) -> NDArray[np.float64]:
        """The new pose (position 3, quaternion wxyz 4) for the scene's own."""

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Place the target anew; whatever it would overlap ends the episode as an error."""
        scene = edits.scene
        joint = scene.env.get_object(roles(scene.task.bddl_path).target).joints[-1]
        edits.place(joint, self.posed(scene.data.joint(joint).qpos.copy(), value))
