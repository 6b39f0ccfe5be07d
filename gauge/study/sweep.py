"""What a sweep of `gauge.run` would take: its jobs, composed and checked as the sweep itself would, and not run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hydra._internal.callbacks import Callbacks
from hydra.core.global_hydra import GlobalHydra
from hydra.types import HydraContext, RunMode
from hydra_plugins.hydra_gauge.sweeper import GaugeSweeper
from omegaconf import DictConfig
from rich.console import Console

from gauge.config import build
from gauge.records.outcomes import STATUSES, outcomes
from gauge.study import pages
from gauge.study.lanes import Lane, called
from gauge.study.rates import own_start, speed
from gauge.study.sheet import Part, Site, sheet


@dataclass
class Group:
    """The cells of one model in one suite.

    Attributes:
        lane: that of the first cell.
        cells: folder and id of each.
        pairs: of cell and scenario.
        rebuilt: cells whose perturbation changes scenes before they are compiled.
    """

    lane: Lane
    cells: dict[Path, str] = field(default_factory=dict)
    pairs: int = 0
    rebuilt: int = 0


def show(rates: DictConfig, typed: Sequence[str], console: Console) -> None:
    """Print the plan of the sweep that `gauge.run -m` would do with the typed overrides.

    Raises:
        GaugeError: every problem of every job, or a rate that cannot be.
    """
    start_s = own_start()  # before many jobs are composed
    master, configs = composed(typed)
    groups = grouped(configs)
    rollouts = int(configs[0].rollouts)
    parts = [
        Part(
            f"{model} in {suite}",
            len(one.cells),
            len(one.lane.tasks),
            1,
            stored=_stored(one, rollouts),
            left=len(one.cells) * len(one.lane.tasks) - one.pairs,
            rebuilt=one.rebuilt,
            names=(model,),
        )
        for (model, suite), one in groups.items()
    ]
    lanes: dict[str, list[Lane]] = {}
    for (model, _), one in groups.items():
        lanes.setdefault(model, []).append(one.lane)
    outputs = Path(str(master.hydra.sweep.dir)).parent
    speeds = {model: speed(outputs, own, rates, start_s) for model, own in lanes.items()}
    lines = [f"Sweep of {len(configs)} cells, {rollouts} rollouts; nothing is run."]
    pages.show(console, sheet(parts, speeds, Site.of(master, rates.price_per_hour), rollouts, lines))


def composed(typed: Sequence[str]) -> tuple[DictConfig, list[DictConfig]]:
    """The sweep's own config and that of every job, by gauge's sweeper.

    Raises:
        GaugeError: every problem of every job.
    """
    hydra = GlobalHydra.instance().hydra
    assert hydra is not None
    loader = hydra.config_loader
    master = loader.load_configuration("config", list(typed), RunMode.MULTIRUN)
    sweeper = GaugeSweeper(max_batch_size=None)
    context = HydraContext(config_loader=loader, callbacks=Callbacks(master))
    sweeper.setup(hydra_context=context, task_function=build.cell, config=master)
    return master, [ready.config for ready in sweeper.jobs(list(typed))]


def grouped(configs: Sequence[DictConfig]) -> dict[tuple[str, str], Group]:
    """The cells by model (with its branch) and suite."""
    groups: dict[tuple[str, str], Group] = {}
    for cfg in configs:
        cell, tasks = build.cell(cfg), {task.id: task for task in build.tasks(cfg)}
        name = called(cell)
        group = groups.setdefault((name, str(cell.suite["name"])), Group(Lane(name, (), cfg, cell, tasks)))
        group.lane.tasks.update(tasks)
        group.cells[Path(str(cfg.hydra.sweep.dir)) / cell.name] = cell.id
        group.pairs += len(tasks)
        code = build.perturbations(cfg)
        group.rebuilt += any(code[item.attribute].stage == "compile" for item in cell.combination.items)
    return groups


def _stored(group: Group, rollouts: int) -> int:
    """Episodes of the sweep that have a result."""
    rows = outcomes(group.cells, list(group.lane.tasks)).episodes
    return int(((rows.status != STATUSES.index("error")) & (rows.rollout < rollouts)).sum())
