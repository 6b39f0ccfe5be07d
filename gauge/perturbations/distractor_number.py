"""Distractor number: this many objects that have nothing to do with the task."""

from dataclasses import dataclass
from typing import ClassVar

from gauge.core.items import Value
from gauge.perturbations.base import IntegerPerturbation
from gauge.perturbations.distraction import Distraction, strangers
from gauge.perturbations.roles import Roles


@dataclass(frozen=True)
class DistractorNumber(Distraction, IntegerPerturbation):
    """Objects of different types; a larger number adds to those of a smaller one."""

    touches: ClassVar[str] = "the distractors"
    low: ClassVar[float] = 0
    high: ClassVar[float] = 6

    def chosen(self, task: Roles, instruction: str, value: Value) -> list[str]:
        """That many of all types that fit."""
        return self.drawn(strangers(task, instruction), int(value), task)
