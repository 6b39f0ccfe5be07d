"""The jobs of a sweep, checked as a whole before the first one starts."""

import logging
from collections.abc import Callable, Sequence
from typing import Any

from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from gauge.config import build, certified
from gauge.config.check import raise_all
from gauge.config.check import tasks as wanted
from gauge.config.explain import user_error
from gauge.errors import GaugeError, NotApplicableError
from gauge.suites import Task

log = logging.getLogger(__name__)

# What may differ between two runs of the same cell.
WITHIN_A_CELL = ("study", "outputs", "rollouts")


def plan(jobs: Sequence[list[str]], compose: Callable[[list[str]], DictConfig], master: DictConfig) -> list[list[str]]:
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
    kept: dict[str, tuple[list[str], Any]] = {}
    standings: dict[tuple[str, str], certified.Standings] = {}
    for job in jobs:
        try:
            cfg = compose(job)
            cell = build.cell(cfg)
            _stand(cfg, build.tasks(cfg), standings)
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
        first, before = kept.setdefault(cell.id, (job, extent))
        if extent != before:
            found.append(
                f"'{' '.join(first)}' and '{' '.join(job)}' evaluate the same cell: rollouts, tasks and folders "
                "cannot be swept; run the commands one after the other"
            )
    raise_all(found or ([] if kept else left_out))
    for (attribute, suite), counts in standings.items():
        if said := certified.sentence(attribute, suite, counts):
            log.warning(said)
    return [job for job, _ in kept.values()]


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
