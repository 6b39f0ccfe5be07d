"""Distractor type: two objects of one class."""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from gauge.core.items import Value
from gauge.errors import NotApplicableError
from gauge.perturbations.base import ChoicePerturbation
from gauge.perturbations.distraction import Distraction, kinds, strangers
from gauge.perturbations.roles import Roles, roles
from gauge.suites import load

COUNT = 2
SEEN = ("libero_spatial", "libero_object", "libero_goal", "libero_10", "libero_90")


@cache
def seen_types() -> frozenset[str]:
    """The types of object and fixture in any task of LIBERO's own suites."""
    return frozenset(
        kind for suite in SEEN for task in load(suite).tasks for kind in roles(task.bddl_path).types.values()
    )


@dataclass(frozen=True)
class DistractorType(Distraction, ChoicePerturbation):
    """Small or large, of the target's colour or shape, or of a type that no task of LIBERO's suites has."""

    touches: ClassVar[str] = "the distractors"
    choices: ClassVar[tuple[str, ...]] = (
        "unrelated-small",
        "unrelated-large",
        "same-colour",
        "same-shape",
        "unseen-category",
    )

    def chosen(self, task: Roles, instruction: str, value: Value) -> list[str]:
        """Two types of the class."""
        fitting, target = strangers(task, instruction), task.types[task.target]
        if value == "unseen-category":
            known = seen_types()
            return self.drawn([kind for kind in fitting if kind not in known], COUNT, task)
        if str(value).startswith("unrelated-"):
            size = str(value).removeprefix("unrelated-")
            return self.drawn([kind for kind in fitting if kinds()[kind]["size"] == size], COUNT, task)
        if target not in kinds():
            raise NotApplicableError(f"{self.attribute}={value}: colour and shape of {target} are not on record")
        key = {"same-colour": "color", "same-shape": "shape"}[str(value)]
        return self.drawn([kind for kind in fitting if kinds()[kind][key] == kinds()[target][key]], COUNT, task)
