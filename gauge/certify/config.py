"""Types of `conf/certify.yaml`, and from a composed config to what is to be certified."""

from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.certify.job import Extent
from gauge.config.check import raise_all, raise_missing, too_small, whole_suite
from gauge.config.check import tasks as wanted
from gauge.errors import GaugeError
from gauge.suites.scenario import STATES, Scenario

PATIENCE = 1000  # control steps that the expert may take: a horizon is derived from those that it does take
FLAGS = {"--check": "check=true"}


@dataclass
class Certify:
    """Types of `conf/certify.yaml`; what each means is said there."""

    suite: Any = MISSING
    check: bool = MISSING
    states: int = MISSING
    tries: int = MISSING
    replays: int = MISSING
    check_states: int = MISSING
    exact: bool = MISSING
    seed: int = MISSING
    fresh: bool = MISSING
    workers: int = MISSING
    timeout_s: float = MISSING
    stop_after_errors: int = MISSING
    renderer: str = MISSING
    progress: bool = MISSING


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="certify", node=Certify, provider="gauge")


def check(cfg: DictConfig) -> None:
    """Refuse a config that cannot be carried out.

    Raises:
        GaugeError: one error that lists every problem.
    """
    raise_missing(cfg)
    least = {"states": 2, "tries": 1, "replays": 0, "check_states": 0, "workers": 0, "seed": 0, "stop_after_errors": 1}
    found = too_small(cfg, least)
    if cfg.tries > cfg.states:
        found.append(f"tries={cfg.tries} is too many: it is at most states={cfg.states}")
    if cfg.states > STATES:
        found.append(f"states={cfg.states} is too many: a scenario has {STATES}")
    raise_all(found)


def scenarios(cfg: DictConfig) -> tuple[Scenario, ...]:
    """What is to be certified: what is wanted, and the siblings of that, whose solutions are played in it.

    Raises:
        GaugeError: there is no such suite or scenario, or it is one of LIBERO's.
    """
    found = whole_suite(cfg.suite).select(wanted(cfg.suite))
    chosen = tuple(task for task in found if isinstance(task, Scenario))
    if len(chosen) < len(found):
        raise GaugeError(
            f"suite={cfg.suite.name} is made of released tasks with states of their own; certificates are for "
            "scenarios: suite=all, suite=spatial_reasoning/ood, or suite=files suite.path=FOLDER"
        )
    layouts = {task.layout for task in chosen}
    every = (task for task in whole_suite(cfg.suite).tasks if isinstance(task, Scenario))
    return tuple(task for task in every if task.layout in layouts)


def extent(cfg: DictConfig) -> Extent:
    """How much is done."""
    return Extent(cfg.states, cfg.tries, cfg.replays, cfg.suite.horizon or PATIENCE, cfg.seed)
