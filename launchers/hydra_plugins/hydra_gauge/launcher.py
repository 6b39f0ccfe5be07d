"""One launcher for all clusters: debug (this process), local (processes of this machine), slurm (a job array)."""

import logging
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra.core.config_store import ConfigStore
from hydra.core.singleton import Singleton
from hydra.core.utils import JobReturn, JobStatus, configure_log, setup_globals
from hydra.plugins.launcher import Launcher
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf

if TYPE_CHECKING:
    from gauge.config.plan import Ready

log = logging.getLogger(__name__)


@dataclass
class GaugeLauncherConf:
    """Settings of the launcher; left empty, they come from the config group `cluster`."""

    _target_: str = "hydra_plugins.hydra_gauge.launcher.GaugeLauncher"
    cluster: dict[str, Any] = field(default_factory=dict)


ConfigStore.instance().store(group="hydra/launcher", name="gauge", node=GaugeLauncherConf, provider="gauge")


class GaugeLauncher(Launcher):
    """Runs every job of a sweep and returns one result per job that ended, failed or not.

    A job is its composed config and the task, nothing else; where it was interrupted is known from its
    records alone, so a requeued job and one that a person starts again are the same.
    """

    def __init__(self, cluster: DictConfig | dict[str, Any] | None = None) -> None:
        self.cluster = _plain(cluster)
        # Set by the sweeper: where the files of this sweep go, and what it found out about its jobs, by overrides.
        self.folder: Path | None = None
        self.ready: Mapping[tuple[str, ...], Ready] = {}

    def setup(self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig) -> None:
        """Called by Hydra before `launch`."""
        self.config, self.hydra_context, self.task_function = config, hydra_context, task_function
        self.cluster = self.cluster or _plain(OmegaConf.select(config, "cluster")) or {"kind": "debug"}

    @property
    def detached(self) -> bool:
        """Whether jobs are only submitted, and somebody else waits for them."""
        return bool(self.cluster.get("detach", False))

    @property
    def description(self) -> str:
        """Which launcher this is and where it runs the jobs, for people."""
        return f"hydra/launcher=gauge, cluster={self.cluster['kind']}"

    def launch(self, job_overrides: Sequence[Sequence[str]], initial_job_idx: int) -> Sequence[JobReturn]:
        """Run the jobs, wait for them, and say of each how it ended.

        Args:
            job_overrides: overrides of each job.
            initial_job_idx: number of the first one.

        Raises:
            GaugeError: the cluster cannot be used; nothing was started.
        """
        from hydra_plugins.hydra_gauge._backends import run

        from gauge.jobs.ledger import FILE, Ledger, new_folder
        from gauge.records.lock import Holder

        setup_globals()
        self._log_as_launcher()
        folder = self.folder or new_folder(Path(str(self.config.hydra.sweep.dir)))
        state = None if self.cluster["kind"] == "debug" else Singleton.get_state()
        made = [self._job(list(parts), initial_job_idx + n, state) for n, parts in enumerate(job_overrides)]
        jobs = [job for job, _ in made]
        fail_fast = bool(OmegaConf.select(self.config, "fail_fast"))
        ended: dict[int, JobReturn] = {}
        ledger = Ledger(folder / FILE, self.cluster["kind"], Holder.myself())
        ledger.add([entry for _, entry in made])
        results = run(jobs, self.cluster, ledger)
        for job, result in results:
            ended[job.number] = _small(result, job.folder) if tuple(job.overrides) in self.ready else result
            self._log_as_launcher()
            log.info("%d of %d: %s", len(ended), len(jobs), _outcome(result))
            if fail_fast and result.status is not JobStatus.COMPLETED:
                results.close()
                break
        return [ended[number] for number in sorted(ended)]

    def _job(self, overrides: list[str], number: int, state: Any) -> tuple[Any, Any]:
        """A job and what the list of jobs says of it."""
        from hydra_plugins.hydra_gauge._job import Job

        from gauge.jobs.ledger import CellPart, Entry

        ready = self.ready.get(tuple(overrides))
        if ready is not None and ready.folder:
            packed, folder, subdir = ready.packed, ready.folder, ready.cell_name
        else:
            packed, folder, subdir = self._composed(overrides, number)
        cells = (CellPart(folder, ready.cell_id, ready.scenarios, ready.rollouts),) if ready is not None else ()
        cwd, task = str(Path.cwd()), self.task_function
        job = Job(number, overrides, packed, subdir, task, self.hydra_context, cwd, Path(folder), state)
        return job, Entry(number, overrides, folder, cells)

    def _composed(self, overrides: list[str], number: int) -> tuple[bytes, str, str]:
        """The config of a job that nobody has planned, pickled, with its folder and that folder's name."""
        from hydra_plugins.hydra_gauge._job import numbered

        config = self.hydra_context.config_loader.load_sweep_config(self.config, overrides)
        packed = pickle.dumps(config)
        numbered(config, number)
        subdir = str(config.hydra.sweep.subdir)
        return packed, str(Path(str(config.hydra.sweep.dir)).absolute() / subdir), subdir

    def _log_as_launcher(self) -> None:
        """Each job in this process replaces the log handlers by its own."""
        configure_log(self.config.hydra.hydra_logging, self.config.hydra.verbose)


def _small(result: JobReturn, folder: Path) -> JobReturn:
    """Without its configs, of which a sweep of ours needs the folder; those of thousands of jobs fill the memory."""
    result.cfg, result.hydra_cfg = None, OmegaConf.create({"hydra": {"runtime": {"output_dir": str(folder)}}})
    return result


def _outcome(result: JobReturn) -> str:
    from gauge.config.failures import error_of, failed, reason

    what = " ".join(result.overrides or []) or "the only job"
    return f"{what}: {reason(error_of(result)) if failed([result]) else 'done'}"


def _plain(node: Any) -> dict[str, Any]:
    found: Any = OmegaConf.to_container(node, resolve=True) if OmegaConf.is_config(node) else node
    return dict(found or {})
