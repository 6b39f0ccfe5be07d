"""Types of `conf/demos.yaml`, and from a composed config to checked objects."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.config import build, items, options
from gauge.config.check import raise_all, raise_missing, too_small
from gauge.config.schema import Attribute
from gauge.core.items import Combination
from gauge.demos.gate import Limits
from gauge.demos.scatter import ATTRIBUTE, scattered, stored_scatter
from gauge.errors import GaugeError
from gauge.perturbations.base import Bound
from gauge.suites.libero import Task


@dataclass
class Demos:
    """Types of `conf/demos.yaml`; what each means is said there."""

    model: Any = MISSING
    suite: Any = MISSING
    perturbation: Any = MISSING
    value: Any = MISSING
    pfc: Any = MISSING
    sim: Any = MISSING
    folder: str = MISSING
    source: str | None = MISSING
    n: int = MISSING
    first_state: int = MISSING
    last_state: int | None = MISSING
    scatter_cm: float | None = MISSING
    seed: int = MISSING
    hold_steps: int = MISSING
    pause_steps: int = MISSING
    noop_steps: int = MISSING
    detour: float = MISSING
    tries: float = MISSING
    render: int | None = MISSING
    workers: int = MISSING
    timeout_s: float = MISSING
    stop_after_errors: int = MISSING
    renderer: str = MISSING
    progress: bool = MISSING


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="demos", node=Demos, provider="gauge")


def check(cfg: DictConfig) -> None:
    """Refuse a config that cannot be carried out.

    Raises:
        GaugeError: one error that lists every problem.
    """
    raise_missing(cfg)
    raise_all(list(_problems(cfg)))


def limits(cfg: DictConfig) -> Limits:
    """What the quality gate lets pass."""
    return Limits(cfg.pause_steps, cfg.noop_steps, cfg.detour)


def states(cfg: DictConfig, task: Task) -> range:
    """The official initial states that are used, in order.

    Raises:
        GaugeError: the task has no such states.
    """
    last = task.states - 1 if cfg.last_state is None else cfg.last_state
    if not 0 <= cfg.first_state <= last < task.states:
        raise GaugeError(
            f"{task.id} has the official initial states 0 to {task.states - 1}, so first_state={cfg.first_state} "
            f"and last_state={cfg.last_state} cannot be"
        )
    return range(cfg.first_state, last + 1)


def bound_items(cfg: DictConfig) -> list[Bound]:
    """The perturbation items of the scene with their code.

    Raises:
        GaugeError: an item changes the actions, so that they would no longer be those of the demonstration.
    """
    code = build.perturbations(cfg)
    return _checked([Bound(item, code[item.attribute]) for item in build.combination(cfg).items])


def stored_items(rows: list[dict[str, Any]]) -> list[Bound]:
    """Items as a demonstration's origin holds them, with their code; the options are read from the config folders.

    Raises:
        GaugeError: there is no such perturbation here.
    """
    found = []
    for row in rows:
        if row["attribute"] == ATTRIBUTE:
            found.append(stored_scatter(row["values"][0]))
            continue
        code = items.perturbation(options.load("perturbation", row["attribute"], Attribute, options.folders()))
        item = code.item(tuple(row["values"]), row["mode"])
        if item is None:
            raise GaugeError(f"{row['attribute']}={row['values']} is the default here, so it changes nothing")
        found.append(Bound(item, code))
    Combination.of(one.item for one in found)
    return found


def items_json(combination: Combination) -> list[dict[str, Any]]:
    """Perturbation items as plain data."""
    return [{"attribute": one.attribute, "mode": one.mode, "values": list(one.values)} for one in combination.items]


def _checked(found: list[Bound]) -> list[Bound]:
    for one in found:
        if one.perturbation.stage == "action":
            raise GaugeError(
                f"{one.item.attribute} changes the actions, so the demonstration would not be the one that was "
                "acted; demonstrations take perturbations of the scene and of the images"
            )
    return found


def _problems(cfg: DictConfig) -> Iterator[str]:
    least = {"n": 1, "hold_steps": 1, "pause_steps": 0, "noop_steps": 0, "workers": 0, "seed": 0}
    yield from too_small(cfg, {**least, "stop_after_errors": 1, "tries": 1, "detour": 1})
    if cfg.render is not None and not (16 <= cfg.render <= 2048 and cfg.render % 2 == 0):
        yield f"render={cfg.render} is not possible: an even number of pixels from 16 to 2048"
    if Path(cfg.folder).is_file():
        yield f"folder={cfg.folder} is a file"
    yield from _faults(lambda: [states(cfg, task) for task in build.tasks(cfg)])
    yield from _faults(lambda: bound_items(cfg))
    if cfg.scatter_cm is not None:
        yield from _faults(lambda: scattered(cfg.scatter_cm, 0))


def _faults(attempt: Callable[[], object]) -> Iterator[str]:
    try:
        attempt()
    except GaugeError as error:
        yield str(error)
