"""What is looked at to judge a value: the live perturbed scene beside what the clean one was like."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.perturbations.base import Bound
from gauge.perturbations.roles import Roles, roles
from gauge.validate.pixels import Frame, Mask

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.sim.scene import Scene

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class State:
    """Positions before and after settling, and what physics says of both.

    Attributes:
        start, settled: joint positions [nq].
        bodies: position (3, m) and quaternion (4, wxyz) of every named body after settling.
        overlap_m, overlapping: deepest overlap of any two geoms, before or after settling, and of which bodies.
        speed: fastest joint of any object (m/s or rad/s) ten steps after settling.
        solved: whether the goal holds when the policy would first look.
    """

    start: Array
    settled: Array
    bodies: dict[str, Array]
    overlap_m: float
    overlapping: str
    speed: float
    solved: bool


@dataclass(frozen=True, slots=True)
class Looks:
    """Frames by camera as the renderer drew them and as the policy sees them, and where the target is in the first.

    `target` is None where nothing that decides it can have changed.
    """

    drawn: dict[str, Frame]
    seen: dict[str, Frame]
    target: Mask | None


@dataclass(frozen=True, slots=True)
class View:
    """A value in a scene, while it holds.

    Attributes:
        bound: the item with its code; `seed` is what its generators follow from.
        edits: the live edits of the perturbed scene, which is `edits.scene`.
        clean_scene: the unperturbed scene; for all but compile-stage values the same object.
        clean, state: what both were like.
        fields: copies of model fields of the clean scene, for comparison.
    """

    bound: Bound
    seed: int
    edits: "SceneEdits"
    clean_scene: "Scene"
    clean: State
    state: State
    fields: dict[str, Array] = field(default_factory=dict)

    @property
    def value(self) -> Value:
        """The static value."""
        return self.bound.item.values[0]

    @property
    def roles(self) -> Roles:
        """Target and placed object of the task."""
        return roles(self.clean_scene.task.bddl_path)

    def moved(self, name: str) -> Array:
        """How far (3, m) the object `name` rests from where it rests in the clean scene."""
        return np.asarray(self.state.bodies[f"{name}_main"][:3] - self.clean.bodies[f"{name}_main"][:3])
