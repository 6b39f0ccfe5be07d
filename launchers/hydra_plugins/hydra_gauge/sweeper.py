"""`value=range`: one job per validated value, expanded after Hydra's own cartesian product."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra._internal.core_plugins.basic_sweeper import BasicSweeper, BasicSweeperConf
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.utils import JobReturn
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf

if TYPE_CHECKING:
    from gauge.config.compose import Composer
    from gauge.config.plan import Ready

log = logging.getLogger(__name__)


@dataclass
class GaugeSweeperConf(BasicSweeperConf):
    """Hydra's own sweeper settings; batches would lose the jobs after a failed one, so they are refused."""

    _target_: str = "hydra_plugins.hydra_gauge.sweeper.GaugeSweeper"


ConfigStore.instance().store(group="hydra/sweeper", name="gauge", node=GaugeSweeperConf, provider="gauge")


class GaugeSweeper(BasicSweeper):
    """Hydra's cartesian product, then every `value=range` replaced by the values of its own perturbation.

    1. All jobs are composed and checked before the first one starts; all problems come in one error.
    2. Jobs of the same cell run once.
    3. A failed job never takes the others with it; the exit code and a table come at the end.
    """

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Called by Hydra before `sweep`."""
        super().setup(hydra_context=hydra_context, task_function=task_function, config=config)
        self.task_function = task_function
        self._ranges: dict[tuple[str, ...], bool] = {}  # by the overrides that decide it, whether they mean a range

    def sweep(self, arguments: list[str]) -> Any:
        """Run all jobs.

        Args:
            arguments: the command line's overrides.

        Raises:
            GaugeError: some job cannot be run; none has been started.
            SweepFailedError: some jobs failed; all others have finished.
        """
        from gauge.config.failures import SweepFailedError, exit_code, failed, summary
        from gauge.jobs.ledger import new_folder

        assert self.config is not None
        assert self.launcher is not None
        ready, launched_by = self.jobs(arguments), self._launched_by()
        jobs = [one.overrides for one in ready]
        folder = new_folder(Path(self.config.hydra.sweep.dir))
        OmegaConf.save(self.config, folder / "multirun.yaml")
        log.info("%d job(s), launched by %s; files of this sweep: %s", len(jobs), launched_by, folder)
        for name, help_ in (("folder", folder), ("ready", {tuple(one.overrides): one for one in ready})):
            if hasattr(self.launcher, name):  # only ours has them
                setattr(self.launcher, name, help_)
        returns: Sequence[JobReturn] = self.launcher.launch(jobs, initial_job_idx=0)
        if getattr(self.launcher, "detached", False):
            print(f"{len(jobs)} jobs submitted; to look at them:\n  python -m gauge.status {folder}")
            print(f"and when they have ended:\n  python -m gauge.collect {folder}")
            return [returns]
        after_sweep = getattr(self.task_function, "after_sweep", None)
        try:
            if after_sweep is not None:
                after_sweep(returns, folder)
        finally:
            if failed(returns) or len(returns) < len(jobs):
                log.error(summary(returns, len(jobs)))
        if code := exit_code(returns):
            raise SweepFailedError(code)
        return [returns]

    def jobs(self, arguments: list[str]) -> "list[Ready]":
        """Every job, all of them checked.

        Raises:
            GaugeError: every problem of every job.
        """
        from gauge.config.plan import plan
        from gauge.core.sweep import expand
        from gauge.errors import GaugeError

        assert self.config is not None
        assert self.hydra_context is not None
        if self.max_batch_size is not None:
            raise GaugeError(
                "hydra.sweeper.max_batch_size is not supported; limit parallel jobs with cluster.parallel="
            )
        parser = OverridesParser.create(config_loader=self.hydra_context.config_loader)
        overrides = parser.parse_overrides([*self._parse_config(), *arguments])
        product = [self._with_range(job) for job in self.split_arguments(overrides, None)[0]]
        return plan(expand(product, self._levels), self.composer, self.config)

    def _with_range(self, job: list[str]) -> list[str]:
        """The job, saying `value=range` itself where an experiment file says it."""
        if any(part.lstrip("+").startswith("value=") for part in job):
            return job
        deciding = tuple(part for part in job if part.startswith("value.") or not self.composer.is_plain(part))
        if deciding not in self._ranges:
            value = OmegaConf.select(self.composer(deciding), "value")
            self._ranges[deciding] = value is not None and value.kind == "range"
        return [*job, "value=range"] if self._ranges[deciding] else job

    def _levels(self, job: list[str]) -> Sequence[Any]:
        from gauge.config.items import perturbation
        from gauge.errors import GaugeError

        option = self.composer(job).perturbation
        if option.kind == "none":
            raise GaugeError("value=range needs a perturbation, e.g. perturbation=image_shift value=range")
        return perturbation(option).levels

    @cached_property
    def composer(self) -> "Composer":
        """What composes the configs of jobs, faster than Hydra."""
        from gauge.config.compose import Composer

        assert self.config is not None
        assert self.hydra_context is not None
        return Composer(self.hydra_context.config_loader, self.config)

    def _launched_by(self) -> str:
        """The launcher that is really used, for people; one that knows nothing of `cluster` may not hide it."""
        from gauge.errors import GaugeError

        assert self.config is not None
        ours: str | None = getattr(self.launcher, "description", None)
        if ours is None and self.config.cluster.kind != "debug":
            other = self.config.hydra.runtime.choices["hydra/launcher"]
            raise GaugeError(
                f"hydra/launcher={other} ignores cluster={self.config.cluster.kind}: leave one of them out"
            )
        return ours or type(self.launcher).__name__
