"""The jobs of a sweep, checked as a whole before the first one starts."""

import logging
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from gauge.config import build, certified
from gauge.config.check import raise_all
from gauge.config.check import tasks as wanted
from gauge.config.explain import user_error
from gauge.core.cell import Cell
from gauge.errors import GaugeError, NotApplicableError
from gauge.suites import Task

log = logging.getLogger(__name__)

BY_CELL = "${gauge.cell:}"  # hydra.sweep.subdir in conf/hydra/output

# What may differ between two runs of the same cell.
WITHIN_A_CELL = ("study", "outputs", "rollouts")


@dataclass(frozen=True, slots=True)
class Ready:
    """A job that can be run, with what was found out about it, so that nobody has to find it out again.

    Attributes:
        overrides: the command line that repeats it alone.
        packed: its config, pickled: thousands of jobs wait in memory.
        folder: where its results go, absolute; empty where that is not simply the cell's.
        cell_id, cell_name: of the cell that it evaluates.
        scenarios: ids of the tasks that are evaluated.
        rollouts: in each of them.
    """

    overrides: list[str]
    packed: bytes
    folder: str
    cell_id: str
    cell_name: str
    scenarios: tuple[str, ...]
    rollouts: int

    @classmethod
    def of(cls, overrides: list[str], cfg: DictConfig, cell: Cell, tasks: Sequence[Task]) -> "Ready":
        """From what a job's config came to."""
        sweep: Any = OmegaConf.to_container(cfg.hydra.sweep, resolve=False)
        folder = str(Path(str(cfg.hydra.sweep.dir)).absolute() / cell.name) if sweep["subdir"] == BY_CELL else ""
        scenarios = tuple(task.id for task in tasks)
        return cls(overrides, pickle.dumps(cfg), folder, cell.id, cell.name, scenarios, int(cfg.rollouts))

    @property
    def config(self) -> DictConfig:
        """Its config, the caller's own."""
        config: DictConfig = pickle.loads(self.packed)
        return config


def plan(jobs: Sequence[list[str]], compose: Callable[[list[str]], DictConfig], master: DictConfig) -> list[Ready]:
    """The jobs to run: all can be run, and no two evaluate the same cell.

    A job whose perturbation makes sense in none of its tasks is left out and named in the log as not applicable.

    Args:
        jobs: overrides of each job.
        compose: the config of a job.
        master: the sweep's own config, by which the launcher was chosen.

    Raises:
        GaugeError: every problem of every job, each named once.
    """
    found: list[str] = []
    left_out: list[str] = []
    kept: dict[str, tuple[Ready, Any]] = {}
    standings: dict[tuple[str, str], certified.Standings] = {}
    for job in jobs:
        try:
            cfg = compose(job)
            cell, tasks = build.cell(cfg), build.tasks(cfg)
            _stand(cfg, tasks, standings)
        except NotApplicableError as reason:
            log.warning("%s: not applicable: %s", " ".join(job), reason)
            left_out.append(str(reason))
            continue
        except (GaugeError, HydraException, OmegaConfBaseException) as error:
            found.append(f"{' '.join(job)}: {user_error(error) or error}")
            continue
        if cfg.cluster != master.cluster:
            found.append(_clusters(cfg, master))
        extent = [*(cfg[key] for key in WITHIN_A_CELL), wanted(cfg.suite)]
        first, before = kept.setdefault(cell.id, (Ready.of(job, cfg, cell, tasks), extent))
        if extent != before:
            found.append(
                f"'{' '.join(first.overrides)}' and '{' '.join(job)}' evaluate the same cell: rollouts, tasks and "
                "folders cannot be swept; run the commands one after the other"
            )
    raise_all(found or ([] if kept else left_out))
    for (attribute, suite), counts in standings.items():
        if said := certified.sentence(attribute, suite, counts):
            log.warning(said)
    return [ready for ready, _ in kept.values()]


def _stand(cfg: DictConfig, tasks: Sequence[Task], standings: dict[tuple[str, str], certified.Standings]) -> None:
    """Count how the value of a job that comes from a range stands in its tasks."""
    bound = build.main_bound(cfg)
    if bound is not None:
        standings.setdefault((bound.item.attribute, cfg.suite.name), certified.Standings()).update(
            certified.count(cfg, tasks, bound)
        )


def _clusters(cfg: DictConfig, master: DictConfig) -> str:
    ours, theirs = (OmegaConf.to_container(one.cluster, resolve=True) for one in (master, cfg))
    return (
        f"a sweep runs on one cluster, chosen before its jobs are composed: it is {ours}, but a job says {theirs}; "
        "give cluster= on the command line, one value only"
    )
