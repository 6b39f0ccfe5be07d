"""Target object scale: the object to be handled, larger or smaller."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar
from xml.etree.ElementTree import Element

import numpy as np

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations import mjcf
from gauge.perturbations.base import CompilePerturbation, NumericPerturbation
from gauge.perturbations.places import lowest
from gauge.perturbations.roles import Roles, roles

DEEPEST_OVERLAP_M, SLACK_M = 0.002, 0.0005

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.suites import Task


@dataclass(frozen=True)
class TargetObjectScale(CompilePerturbation, NumericPerturbation):
    """All lengths of the target times a factor, about its origin; its mass stays, and it starts on what it stood on."""

    low: ClassVar[float] = 0.5
    high: ClassVar[float] = 1.5

    def fit(self, task: Roles, instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse a target that is fixed in the scene."""
        if not task.movable:
            raise NotApplicableError(f"{self.attribute}: {task.target} is fixed in the scene and is not scaled")

    def rebuild(self, world: Element, task: "Task", value: Value) -> None:
        """Scale the target's body and meshes."""
        mjcf.scale(world, roles(task.bddl_path).target, float(value))

    def settle(self, edits: "SceneEdits", value: Value, rng: np.random.Generator) -> None:
        """Lift or lower the target so that its lowest point is where it was."""
        scene = edits.scene
        joint = scene.env.get_object(roles(scene.task.bddl_path).target).joints[-1]
        pose = scene.data.joint(joint).qpos.copy()
        below = pose[2] - lowest(scene, int(scene.model.joint(joint).bodyid[0]))
        lift = below * (1.0 - 1.0 / float(value))
        own = edits.overlap(joint) - lift  # some of LIBERO's own starts stand that deep in the floor already
        pose[2] += lift
        edits.place(joint, pose, max(DEEPEST_OVERLAP_M, own + SLACK_M))
