"""The stages of a study, in order; each reads the tables of those before it."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from gauge.study.lab import Lab
from gauge.study.pages import Report

# Settings that change a stage's result, besides those of the stages before it.
SETTINGS: Mapping[str, tuple[str, ...]] = {
    "zero_shot": ("seed", "rollouts", "references", "resamples"),
    "anchors": ("threshold",),
    "sensitivity": ("perturbations", "levels", "anchor_models", "budget", "error"),
    "screening": (),  # the budget is among those of the sensitivity
    "combinatorial": (),
}


def compute(stage: str) -> Callable[[Lab], Report]:
    """The function that computes a stage, imported now."""
    found: Any = import_module(f"gauge.study.stages.{stage}")
    function: Callable[[Lab], Report] = found.compute
    return function
