"""Who is evaluated where: every model of a study in every suite of it, composed as `gauge.run` would compose it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
from hydra.core.config_loader import ConfigLoader
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from gauge.config import build
from gauge.config.check import CONTROLS, raise_all, untested
from gauge.config.explain import user_error
from gauge.controls import DEMONSTRATIONS
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.sweep import quoted
from gauge.errors import GaugeError
from gauge.suites import Task, horizon

SWEPT = ("model", "suite")


@dataclass(frozen=True)
class Lane:
    """One model in one suite.

    Attributes:
        model: its name, with the branch if it has one.
        overrides: what `gauge.run` would be told, without a perturbation.
        cfg: composed from them.
        clean: the cell without perturbation; the others differ in their combination alone.
        tasks: the chosen scenarios by id, in suite order.
        control: what of a model's controls it is; empty for a model itself.
        of: whose.
    """

    model: str
    overrides: tuple[str, ...]
    cfg: DictConfig
    clean: Cell
    tasks: dict[str, Task]
    control: str = ""
    of: str = ""

    def cell(self, combination: Combination) -> Cell:
        """The cell of this model and suite under `combination`: the one that `gauge.run` has."""
        return replace(self.clean, combination=combination)

    @property
    def demonstrations(self) -> Path:
        """Where the demonstrations of this suite are that an open loop plays."""
        return Path(str(self.cfg.hydra.sweep.dir)) / DEMONSTRATIONS / str(self.cfg.suite.name)


@dataclass(frozen=True)
class Crew:
    """All lanes of a study.

    Attributes:
        lanes: by model, then suite; with `controls=true` those of the controls, too.
        models: names in the order of the command line, without the controls.
        scenarios: one row per scenario: scenario_id, capability, split, horizon.
        folder: of the study.
    """

    lanes: tuple[Lane, ...]
    models: tuple[str, ...]
    scenarios: pd.DataFrame
    folder: Path


def assemble(loader: ConfigLoader, overrides: Sequence[str], shared: Sequence[str]) -> Crew:
    """Compose all lanes.

    Args:
        loader: Hydra's own, with the user's config folders.
        overrides: of the cells, as typed; `model` and `suite` and their keys may list several values.
        shared: overrides that the study adds.

    Raises:
        GaugeError: every problem of every lane, each named once; or two models, or two scenarios, of one name.
    """
    lanes: dict[str, Lane] = {}
    found = []
    for typed in lane_overrides(OverridesParser.create(loader).parse_overrides(list(overrides))):
        try:
            for lane in _with_controls(loader, (*shared, *typed)):
                lanes.setdefault(lane.clean.id, lane)
        except (GaugeError, HydraException, OmegaConfBaseException) as error:
            found.append(f"{' '.join(typed)}: {user_error(error) or error}")
    raise_all(found)
    every = tuple(lanes.values())
    _refuse_namesakes(every)
    models = tuple(dict.fromkeys(lane.model for lane in every if not lane.control))
    return Crew(every, models, scenario_table(every), Path(str(every[0].cfg.hydra.sweep.dir)))


def lane_overrides(overrides: Iterable[Override]) -> list[list[str]]:
    """The overrides of every lane, from those that list several models or suites.

    Raises:
        GaugeError: something else lists several values.
    """
    sides: dict[str, list[Override]] = {name: [] for name in SWEPT}
    rest: list[Override] = []
    for override in overrides:
        side = override.get_key_element().lstrip("+~").partition(".")[0]
        sides.get(side, rest).append(override)
    listed = [override.get_key_element() for override in rest if override.is_sweep_override()]
    if listed:
        raise GaugeError(f"{', '.join(listed)} lists several values; in a study only model= and suite= can")
    [common] = _product(rest)
    return [[*model, *suite, *common] for model in _product(sides["model"]) for suite in _product(sides["suite"])]


def _product(overrides: list[Override]) -> list[list[str]]:
    return BasicSweeper.split_arguments(overrides, None)[0]


def _with_controls(loader: ConfigLoader, overrides: tuple[str, ...]) -> Iterator[Lane]:
    """The lane, and with `controls=true` those of its controls if its model looks and listens."""
    plain = _without(overrides, ("controls",))
    lane = _lane(loader, plain)
    yield lane
    if len(plain) == len(overrides) or untested(lane.cfg.model):
        return
    asked = loader.load_configuration("config", list(overrides), RunMode.MULTIRUN)
    if not asked.controls:
        return
    build.cell(asked)  # says what cannot be controlled
    for control in CONTROLS[1:]:
        yield replace(_lane(loader, (*plain, f"control={control}")), control=control, of=lane.model)
    others = _without(plain, ("model", "branch", "policy"))
    demos = quoted(str(lane.demonstrations))
    played = _lane(loader, (*others, "model=open_loop", f"model.demos={demos}", "policy=per_worker"))
    yield replace(played, control="open loop", of=played.model)


def _without(overrides: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    """The overrides that are not about these groups or values."""
    return tuple(one for one in overrides if one.partition("=")[0].lstrip("+~").partition(".")[0] not in keys)


def _lane(loader: ConfigLoader, overrides: tuple[str, ...]) -> Lane:
    cfg = loader.load_configuration("config", list(overrides), RunMode.MULTIRUN)
    clean = build.cell(cfg)
    return Lane(called(clean), overrides, cfg, clean, {task.id: task for task in build.tasks(cfg)})


def called(cell: Cell) -> str:
    """What tables call the model of a cell: with its control and its branch."""
    name = str(cell.model["name"])
    return name if cell.branch == "none" else f"{name}+{cell.branch}"


def _refuse_namesakes(lanes: Sequence[Lane]) -> None:
    models: dict[str, object] = {}
    for lane in lanes:
        same = models.setdefault(lane.model, lane.clean.model) == lane.clean.model
        if not same and lane.control != "open loop":  # which has a folder of demonstrations for every suite
            raise GaugeError(
                f"two different models are called {lane.model}; give each an option file with a name of its own"
            )
    seen: dict[tuple[str, str], str] = {}
    for lane in lanes:
        for scenario in lane.tasks:
            before = seen.setdefault((lane.model, scenario), lane.clean.id)
            if before != lane.clean.id:
                raise GaugeError(f"{scenario} is in two of the suites, or with two settings; name it once")


def scenario_table(lanes: Sequence[Lane]) -> pd.DataFrame:
    """Scenarios as data of their suites: a task may say its `capability`, `split` (id, ood) and `horizon`.

    LIBERO's own say none of it: each of its suites counts as one capability, and all its tasks, on which models are
    trained, as in distribution.
    """
    rows = {
        task.id: {
            "scenario_id": task.id,
            "capability": getattr(task, "capability", "") or task.suite,
            "split": getattr(task, "split", "") or "id",
            "horizon": horizon.of(task, lane.cfg.suite.horizon),
        }
        for lane in lanes
        for task in lane.tasks.values()
    }
    return pd.DataFrame(list(rows.values()))
