"""What became of the jobs of a sweep: which failed, why, and the exit code of it all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.utils import JobReturn, JobStatus
from omegaconf import OmegaConf

from gauge.config.explain import user_error
from gauge.errors import IncompleteError

USER_FAULT, NOT_EVALUATED, UNEXPECTED = 2, 3, 1


class SweepFailedError(Exception):
    """Some jobs failed; all others have finished and the summary has been printed."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(f"exit code {exit_code}")
        self.exit_code = exit_code


def failed(returns: Sequence[JobReturn]) -> list[JobReturn]:
    """The jobs that did not complete, or say so themselves."""
    return [job for job in returns if job.status is not JobStatus.COMPLETED or gap(job._return_value) is not None]


def error_of(job: JobReturn) -> BaseException:
    """Why a job failed; Hydra's public `return_value` would raise it."""
    result = job._return_value
    return result if isinstance(result, BaseException) else gap(result) or RuntimeError(str(result))


def gap(result: Any) -> IncompleteError | None:
    """What a job left out, if its result is a summary with `complete` false."""
    if not isinstance(result, Mapping) or result.get("complete", True):
        return None
    return IncompleteError(
        f"{result.get('errors', 'some')} of {result.get('planned', 'the')} episodes could not be evaluated; "
        "the others are stored, run the same command again to retry"
    )


def exit_code(returns: Sequence[JobReturn]) -> int:
    """0 if no job failed, 2 if users can mend all failures, 3 if some could not be evaluated, else 1."""
    faults = [user_error(error_of(job)) for job in failed(returns)]
    codes = {UNEXPECTED if fault is None else fault.exit_code for fault in faults}
    if UNEXPECTED in codes:
        return UNEXPECTED
    return max(codes, default=0)


def summary(returns: Sequence[JobReturn], planned: int) -> str:
    """A table of the failed jobs: what was run, the reason in one line, and the log."""
    bad = failed(returns)
    lines = [f"{len(bad)} of {planned} job(s) failed:"]
    for job in bad:
        lines += [f"  {' '.join(job.overrides or []) or '(no overrides)'}", f"    {reason(error_of(job))}"]
        if (log := log_of(job)) is not None:
            lines.append(f"    log: {log}")
    if len(returns) < planned:
        lines.append(f"{planned - len(returns)} job(s) were not started (fail_fast=true)")
    return "\n".join(lines)


def reason(error: BaseException) -> str:
    """The sentence of a user fault, or type and first line of anything else."""
    fault = user_error(error)
    text = str(fault) if fault is not None else f"{type(error).__name__}: {error}"
    return text.strip().splitlines()[0]


def log_of(job: JobReturn) -> Path | None:
    """The log in the job's own folder; None if the job ended before it had one."""
    folder = OmegaConf.select(job.hydra_cfg, "hydra.runtime.output_dir") if job.hydra_cfg is not None else None
    path = Path(folder) / "log.txt" if folder else None
    return path if path is not None and path.is_file() else None
