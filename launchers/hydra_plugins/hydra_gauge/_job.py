"""One job as it is handed to a process: the composed config and the task, from which all else follows."""

import os
import pickle
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra.core.singleton import Singleton
from hydra.core.utils import JobReturn, JobStatus, setup_globals
from hydra.types import HydraContext, TaskFunction
from hydra_plugins.hydra_gauge._run import run
from omegaconf import DictConfig, open_dict

if TYPE_CHECKING:
    from submitit.helpers import DelayedSubmission


def numbered(config: DictConfig, number: int) -> None:
    """Tell Hydra's node the job's place in the sweep."""
    with open_dict(config):
        config.hydra.job.id = str(number)
        config.hydra.job.num = number


@dataclass(frozen=True)
class Job:
    """A composed job.

    Attributes:
        number: its place in the sweep.
        overrides: the command line that repeats it alone.
        packed: the composed config, Hydra's node included, pickled: thousands of jobs wait in memory.
        subdir: the folder's name, which Hydra would take a check of the whole config to find.
        task: the function that Hydra calls.
        context: Hydra's own, for callbacks.
        cwd: where the command was typed.
        folder: where the results go, absolute.
        hydra_state: Hydra's singletons and resolvers, for another process.
    """

    number: int
    overrides: list[str]
    packed: bytes
    subdir: str
    task: TaskFunction
    context: HydraContext
    cwd: str
    folder: Path
    hydra_state: Any

    @property
    def config(self) -> DictConfig:
        """A config of the caller's own; Hydra locks the one that it runs, and the job may be run again."""
        config: DictConfig = pickle.loads(self.packed)
        numbered(config, self.number)
        config.hydra.sweep.subdir = self.subdir
        return config

    def __call__(self) -> JobReturn:
        """Run in a process of its own, as part of a pack."""
        from submitit import JobEnvironment

        os.chdir(self.cwd)
        Singleton.set_state(self.hydra_state)
        setup_globals()
        return portable(self.here(JobEnvironment().job_id))

    def here(self, job_id: str | None = None) -> JobReturn:
        """Run in this process; a fault of any kind is a failed result, not an exception."""
        config = self.config
        with open_dict(config):
            config.hydra.job.id = job_id or config.hydra.job.id
        try:
            return run(config, self.config, self.task, self.context)
        except Exception as error:
            return self.failed(error)

    def failed(self, error: BaseException) -> JobReturn:
        """The result of a job that ended without one of its own."""
        config = self.config
        config.hydra.runtime.output_dir = str(self.folder)
        result = JobReturn(overrides=self.overrides, hydra_cfg=config, status=JobStatus.FAILED)
        result.return_value = error
        return result


@dataclass(frozen=True)
class Pack:
    """What submitit is given: jobs that one process does one after the other; what is stored stays stored."""

    jobs: tuple[Job, ...]

    def __call__(self) -> list[JobReturn]:
        """Run them all; one that fails does not stop the others."""
        return [job() for job in self.jobs]

    def checkpoint(self) -> "DelayedSubmission":
        """What to run after a preemption or time limit: the same again, the records say where to continue."""
        from submitit.helpers import DelayedSubmission

        return DelayedSubmission(self)


def portable(result: JobReturn) -> JobReturn:
    """The result, or a failed one that says what in it cannot travel between processes."""
    value = result._return_value
    try:
        pickle.loads(pickle.dumps(value))
    except Exception as error:
        if isinstance(value, BaseException):
            value = RuntimeError("".join(traceback.format_exception(value)).strip())
        else:
            value = TypeError(f"the task's result cannot be sent to another process: {_culprit(value)} ({error})")
        result.status = JobStatus.FAILED
        result.return_value = value
    return result


def _culprit(value: Any) -> str:
    """The part of a mapping that cannot be pickled, else the whole's type."""
    for key, part in value.items() if isinstance(value, dict) else ():
        try:
            pickle.dumps(part)
        except Exception:
            return f"{key!r} is a {type(part).__name__}"
    return f"it is a {type(value).__name__}"
