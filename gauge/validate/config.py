"""Types of `conf/validate.yaml`, and from a composed config to what is to be certified."""

from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.config import items, options
from gauge.config.check import raise_all, raise_missing, too_small, whole_suite
from gauge.config.check import tasks as wanted
from gauge.config.schema import Attribute
from gauge.errors import GaugeError
from gauge.perturbations.base import Perturbation
from gauge.suites import Task


@dataclass
class Validate:
    """Types of `conf/validate.yaml`; what each means is said there."""

    suite: Any = MISSING
    perturbation: Any = MISSING
    table: str = MISSING
    tries: int = MISSING
    seed: int = MISSING
    fresh: bool = MISSING
    workers: int = MISSING
    timeout_s: float = MISSING
    stop_after_errors: int = MISSING
    renderer: str = MISSING
    progress: bool = MISSING


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="validate", node=Validate, provider="gauge")


def check(cfg: DictConfig) -> None:
    """Refuse a config that cannot be carried out.

    Raises:
        GaugeError: one error that lists every problem.
    """
    raise_missing(cfg)
    least = {"tries": 1, "workers": 0, "seed": 0, "stop_after_errors": 1}
    raise_all(too_small(cfg, least))


def perturbations(cfg: DictConfig) -> list[Perturbation]:
    """The perturbation of `perturbation=`, or all of them for `none`."""
    if cfg.perturbation.kind != "none":
        return [items.perturbation(cfg.perturbation)]
    where = options.folders()
    names = [name for name in options.names("perturbation", where) if name != "none"]
    return [items.perturbation(options.load("perturbation", name, Attribute, where)) for name in names]


def tasks(cfg: DictConfig) -> tuple[Task, ...]:
    """The scenarios.

    Raises:
        GaugeError: there is no such suite or task, or fewer initial states than tries.
    """
    found = whole_suite(cfg.suite).select(wanted(cfg.suite))
    short = [task for task in found if task.states < cfg.tries]
    if short:
        raise GaugeError(f"{short[0].id} has {short[0].states} official initial states, so tries={cfg.tries} cannot be")
    return found
