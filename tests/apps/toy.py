"""A command like gauge.run without a simulator: it stores what it was told and fails on demand.

TOY_FAULTS maps labels of combinations to what happens to their jobs: user, bug, incomplete, gap,
interrupt, kill, preempt, sleep, lambda.
"""

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.utils import JobReturn
from omegaconf import DictConfig

from gauge.config import build
from gauge.config.entry import hydra_entry
from gauge.errors import GaugeError, IncompleteError


def task(cfg: DictConfig) -> dict[str, Any]:
    """The cell's identity, written beside its config."""
    cell = build.cell(cfg)
    folder = Path(HydraConfig.get().runtime.output_dir)
    named = json.loads(os.environ.get("TOY_FAULTS", "{}")).get(cell.combination.label)
    fault(named, folder)
    result: dict[str, Any] = {"cell_id": cell.id, "label": cell.combination.label, "complete": True}
    found = {**result, "cwd": str(Path.cwd()), "pid": os.getpid(), "folder": str(folder), "cell": cell.to_json()}
    (folder / "toy.json").write_text(json.dumps(found))
    if named == "gap":
        return {**result, "complete": False, "errors": 1, "planned": 4}
    return {**result, "extra": lambda: None} if named == "lambda" else result


def fault(kind: str | None, folder: Path) -> None:
    """Fail the way that was asked for."""
    if kind == "user":
        raise GaugeError("the toy does not like this value")
    if kind == "incomplete":
        raise IncompleteError("one toy episode has no result")
    if kind == "bug":
        raise ZeroDivisionError("the toy has a bug")
    if kind == "interrupt":
        raise KeyboardInterrupt("interrupted; 3 toy episodes are stored")
    if kind == "sleep":
        (folder / "pid").write_text(str(os.getpid()))
        time.sleep(600)
    if kind == "preempt" and not (folder / "attempted").exists():
        (folder / "attempted").touch()
        os.kill(os.getpid(), signal.SIGUSR2)
        time.sleep(600)
    if kind == "kill":
        os.kill(os.getpid(), 9)


def after_sweep(returns: Sequence[JobReturn], folder: Path) -> None:
    """Count the results."""
    (folder / "report.json").write_text(json.dumps([job.status.name for job in returns]))
    print(f"{len(returns)} results")


if __name__ == "__main__":
    hydra_entry(task, after_sweep=after_sweep)
