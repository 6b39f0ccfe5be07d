"""Missing cells to jobs, and jobs to the ordinary launcher."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hydra._internal.callbacks import Callbacks
from hydra.core.global_hydra import GlobalHydra
from hydra.core.plugins import Plugins
from hydra.core.utils import JobReturn
from hydra.types import HydraContext
from omegaconf import DictConfig, OmegaConf

from gauge.config.entry import Task
from gauge.config.failures import failed, summary
from gauge.core.sweep import quoted
from gauge.errors import GaugeError
from gauge.jobs.ledger import new_folder
from gauge.study import batch
from gauge.study.lanes import Crew
from gauge.study.plan import Want
from gauge.study.space import Space

log = logging.getLogger(__name__)
JOBS_PER_WORKER = 3  # so that one slow job does not keep the others waiting for long


def launch(crew: Crew, wants: Sequence[Want], code: Space) -> None:
    """Evaluate the wanted episodes on the cluster that the command line chose; failures are named, not raised.

    Raises:
        GaugeError: the cluster would not wait for its jobs.
    """
    master = crew.lanes[0].cfg
    if master.cluster.get("detach", False):
        raise GaugeError("a study waits for its jobs, since the next stage depends on them: leave cluster.detach out")
    groups = list(jobs(wants, workers(master)))
    folder = new_folder(crew.folder)
    overrides = []
    for number, group in enumerate(groups):
        own = folder / f"job-{number:03d}"
        batch.write(own, group, code)
        overrides.append([*group[0].lane.overrides, f"hydra.sweep.subdir={quoted(str(own.relative_to(crew.folder)))}"])
    returns = _run(master, overrides, folder)
    if failed(returns) or len(returns) < len(groups):
        log.warning(summary(returns, len(groups)))


def jobs(wants: Sequence[Want], at_once: int) -> Iterator[list[Want]]:
    """The wants in groups of one lane and, as far as cells allow, of equal size."""
    target = max(1, sum(want.size for want in wants) // (at_once * JOBS_PER_WORKER)) if at_once > 1 else 0
    group: list[Want] = []
    for want in sorted(wants, key=lambda one: one.lane.clean.id):
        full = target and sum(one.size for one in group) >= target
        if group and (full or group[0].lane.clean.id != want.lane.clean.id):
            yield group
            group = []
        group.append(want)
    if group:
        yield group


def workers(cfg: DictConfig) -> int:
    """How many jobs run at the same time."""
    cluster: Any = cfg.cluster
    return int(cluster.get("array_parallelism") or cluster.get("parallel") or 1)


def _run(master: DictConfig, overrides: list[list[str]], folder: Path) -> Sequence[JobReturn]:
    hydra = GlobalHydra.instance().hydra
    assert hydra is not None
    context = HydraContext(config_loader=hydra.config_loader, callbacks=Callbacks(master))
    launcher = Plugins.instance().instantiate_launcher(
        hydra_context=context, task_function=Task(batch.run), config=master
    )
    if getattr(launcher, "detached", False):
        raise GaugeError(
            "a study waits for its jobs: leave cluster.detach out; after Ctrl-C Slurm's jobs go on, and the same "
            "command comes back to what they found"
        )
    if hasattr(launcher, "folder"):
        launcher.folder = folder
    OmegaConf.save(master, folder / "multirun.yaml")
    returns: Sequence[JobReturn] = launcher.launch(overrides, initial_job_idx=0)
    return returns
