"""Objects that have nothing to do with the task: which ones, and where they stand."""

import json
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Value
from gauge.core.seeds import seed
from gauge.errors import NotApplicableError, SceneError
from gauge.perturbations import mjcf
from gauge.perturbations.appearance import COLORS
from gauge.perturbations.base import CompilePerturbation
from gauge.perturbations.places import clear, park, put
from gauge.perturbations.roles import Roles, roles
from gauge.vbddl.catalogue import libero

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.suites import Task

Array = NDArray[np.float64]
REACH_M = ((-0.25, 0.15), (-0.30, 0.30))  # x and y of the workspace within which objects are put
TRIES, ROUNDS = 100, 20  # places tried per object, and arrangements of all of them
SMALL_WORDS = {"and", "of", "the"}


@cache
def kinds() -> dict[str, dict[str, Any]]:
    """Size, colour, shape and upright quaternion of every type that is known well enough."""
    data = json.loads(files("gauge.perturbations").joinpath("distractors.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = data["types"]
    return found


def strangers(task: Roles, instruction: str) -> list[str]:
    """The types that can stand in the task's scene without being meant by its instruction, sorted.

    Left out are the types that the task has, and those that share a noun with the instruction or the target.
    """
    present, told = set(task.types.values()), set(instruction.lower().split())
    named = told | set(task.types[task.target].split("_"))
    return sorted(
        kind
        for kind, row in kinds().items()
        if row["upright"]
        and kind not in present
        and not (set(kind.split("_")) - COLORS.keys() - SMALL_WORDS) & named
        and not libero().types[kind].missing
    )


@dataclass(frozen=True)
class Distraction(CompilePerturbation):
    """Adds objects that stand on the table or floor.

    They touch nothing, keep 10 cm from the task's objects and from each other, stand off the straight way from the
    target to where it goes, and are not what the instruction speaks of. Which objects depends on the task, where
    they stand also on the rollout.
    """

    @abstractmethod
    def chosen(self, task: Roles, instruction: str, value: Value) -> list[str]:
        """The types to add.

        Raises:
            NotApplicableError: no type fits this task.
        """

    def spot(self, edits: "SceneEdits", value: Value, rng: np.random.Generator) -> Array:
        """A place (2, m) to try: anywhere in reach."""
        return np.asarray(edits.scene.env.workspace_offset[:2]) + [rng.uniform(*span) for span in REACH_M]

    def fit(self, task: Roles, instruction: str, values: tuple[Value, ...]) -> None:
        """Refuse a task beside which no type fits."""
        for value in values:
            self.chosen(task, instruction, value)

    def drawn(self, fitting: list[str], count: int, task: Roles) -> list[str]:
        """`count` of the types, each as often as any other, in an order that depends on the task alone."""
        if not fitting:
            raise NotApplicableError(f"{self.attribute}: no type of object fits beside {task.target}")
        order = sorted(fitting, key=lambda kind: seed("distractor", task.target, task.placed, kind))
        return list(islice(cycle(order), count))

    def rebuild(self, world: Element, task: "Task", value: Value) -> None:
        """Append the objects."""
        for slot, kind in enumerate(self.chosen(roles(task.bddl_path), task.instruction, value)):
            mjcf.add(world, kind, f"distractor_{slot}_{kind}", slot)

    def settle(self, edits: "SceneEdits", value: Value, rng: np.random.Generator) -> None:
        """Stand each object at a free place, drawn from the episode's generator.

        Raises:
            SceneError: there is no room for all of them.
        """
        task = edits.scene.task
        chosen = self.chosen(roles(task.bddl_path), task.instruction, value)
        names = [f"distractor_{slot}_{kind}" for slot, kind in enumerate(chosen)]
        for _ in range(ROUNDS):
            taken: list[Array] = []
            for name, kind in zip(names, chosen, strict=True):
                if not self._stand(edits, name, np.array(kinds()[kind]["upright"]), value, taken, rng):
                    break
            if len(taken) == len(names):
                return
            for name in names:
                park(edits.scene, f"{name}_joint0")
        raise SceneError(f"{self.attribute}={value}: there is no room for {' and '.join(chosen)}")

    def _stand(
        self,
        edits: "SceneEdits",
        name: str,
        upright: Array,
        value: Value,
        taken: list[Array],
        rng: np.random.Generator,
    ) -> bool:
        """Stand one object and note its place in `taken`; whether that succeeded."""
        for _ in range(TRIES):
            spot, yaw = self.spot(edits, value, rng), rng.uniform(-np.pi, np.pi)
            if not clear(edits.scene, spot, taken):
                continue
            try:
                put(edits, f"{name}_joint0", upright, spot, yaw)
            except SceneError:
                continue
            taken.append(spot)
            return True
        return False
