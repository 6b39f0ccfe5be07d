"""The shipped perturbations as tests want them: by name, with the values of their options."""

from dataclasses import fields
from typing import Any

import yaml

from gauge.config.conf_dir import conf_dir
from gauge.config.registry import PERTURBATIONS
from gauge.perturbations.base import Bound, Perturbation


def shipped(name: str) -> Any:
    """The value object of conf/perturbation/<name>.yaml."""
    option = yaml.safe_load((conf_dir() / "perturbation" / f"{name}.yaml").read_text())
    settings = {field.name: option[field.name] for field in fields(Perturbation)}
    return PERTURBATIONS.entry(name).load()(**{**settings, "levels": tuple(settings["levels"])})


def bound(name: str, *values: object, mode: Any = "static") -> Bound:
    """An item of that perturbation with its code."""
    perturbation = shipped(name)
    item = perturbation.item(values, mode)
    assert item is not None
    return Bound(item, perturbation)
