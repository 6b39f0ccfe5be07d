"""The one way into a Hydra command: composes, runs, and turns every fault into a sentence and an exit code."""

import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.utils import JobReturn
from hydra.types import RunMode
from omegaconf import DictConfig

from gauge import pipes
from gauge.command import say
from gauge.config.conf_dir import conf_dir
from gauge.config.explain import user_error
from gauge.config.failures import UNEXPECTED, SweepFailedError, gap
from gauge.config.resolvers import register
from gauge.errors import leave_interrupted

FULL_ERROR = "HYDRA_FULL_ERROR"

AfterSweep = Callable[[Sequence[JobReturn], Path], None]


@dataclass(frozen=True)
class Task:
    """What Hydra calls for each job.

    Attributes:
        run: the job itself; what it returns must be plain data, since it may travel between processes.
        after_sweep: called once with all results and the sweep's folder, also when some jobs failed.
        show_tracebacks: whether user faults, too, end in a traceback.
    """

    run: Callable[[DictConfig], Any]
    after_sweep: AfterSweep | None = None
    show_tracebacks: bool = False

    def __call__(self, cfg: DictConfig) -> Any:
        """Run the job; a failure's traceback goes into the cell's own log as it happens."""
        try:
            result = self.run(cfg)
        except Exception as error:
            logging.getLogger("gauge.traceback").error("the job failed", exc_info=error)
            if self._single() and not self.show_tracebacks:
                # Not through Hydra's result, which would print a line of its own before the sentence.
                raise SystemExit(report(error)) from error
            raise
        missing = gap(result)
        if missing is not None and self._single():
            raise SystemExit(report(missing))
        return result

    def _single(self) -> bool:
        return HydraConfig.get().mode is RunMode.RUN


def hydra_entry(
    task: Callable[[DictConfig], Any],
    config_name: str = "config",
    after_sweep: AfterSweep | None = None,
) -> None:
    """Run a command and leave the process with its exit code: 0, 1 (a bug), 2 (user fault), 3 (incomplete), 130.

    Args:
        task: what to do with one composed config; imports what is heavy when called.
        config_name: the primary config in `conf/`.
        after_sweep: what to do with the results of a sweep, e.g. print a table.
    """
    register()
    shown = os.environ.get(FULL_ERROR) == "1"
    job = Task(task, after_sweep, shown)
    try:
        with pipes.may_close(), _raw_errors(), _flags_first():
            hydra.main(config_path=str(conf_dir()), config_name=config_name, version_base="1.3")(job)()
    except KeyboardInterrupt as interrupt:
        leave_interrupted(str(interrupt))
    except SweepFailedError as failure:
        sys.exit(failure.exit_code)
    except Exception as error:
        if shown:
            traceback.print_exception(error)
        sys.exit(report(error))


def report(error: Exception) -> int:
    """Print `error` to stderr, a user fault as one sentence, and return the exit code."""
    if pipes.output_closed(error):
        return pipes.give_up()
    fault = user_error(error)
    if fault is None:
        traceback.print_exception(error)
        return UNEXPECTED
    return say(fault)


@contextmanager
def _flags_first() -> Iterator[None]:
    """Let flags stand anywhere: Hydra's parser gives up on `a=1 -m b=2`."""
    before = sys.argv
    program, *rest = before
    overrides = [part for part in rest if part.startswith("~") or ("=" in part and not part.startswith("-"))]
    sys.argv = [program, *(part for part in rest if part not in overrides), *overrides]
    try:
        yield
    finally:
        sys.argv = before


@contextmanager
def _raw_errors() -> Iterator[None]:
    """Let Hydra pass exceptions on instead of printing them its own way."""
    before = os.environ.get(FULL_ERROR)
    os.environ[FULL_ERROR] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[FULL_ERROR]
        else:
            os.environ[FULL_ERROR] = before
