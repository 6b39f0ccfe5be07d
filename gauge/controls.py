"""`controls=true`: how much of a policy's score needs neither eyes nor language, evaluated and shown beside it.

Every control is a cell of its own, stored like any other, and a command that a person can type.
"""

import logging
import os
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig, OmegaConf
from rich import box
from rich.console import Console
from rich.table import Table

from gauge.core.metrics import Rate
from gauge.core.seeds import episode_seed
from gauge.errors import GaugeError, IncompleteError
from gauge.suites import Task, horizon

if TYPE_CHECKING:
    from gauge.demos.crew import Stage

DEMONSTRATIONS = "demonstrations"  # beside the cells of a study: one of the expert for every task
TRIES = 25  # states, from the last one down, from which the expert may try
WHAT = {
    "policy": "as it is",
    "open loop": "one demonstration of the expert, played from every start",
    "black": "the policy, shown black pictures",
    "swapped": "the policy, told of another task; the goal stays",
    "told": "the same episodes; the goal that it was told of",
}
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Recording:
    """Let the expert record one demonstration of a task, from the last of its states that it succeeds from."""

    task: Task
    path: Path
    horizon: int
    settle_steps: int
    seed: int

    def run(self, stage: "Stage") -> bool:
        """Whether it is there now; the file appears whole."""
        from gauge.demos.recording import record
        from gauge.policies.expert import ExpertPolicy
        from gauge.records.demo_file import write_demos
        from gauge.rollout.plan import EpisodePlan

        scene = stage.scene(self.task)
        for state in range(self.task.states - 1, max(-1, self.task.states - 1 - TRIES), -1):
            root = episode_seed(self.seed, self.task.id, state)
            _, demo = record(
                scene, ExpertPolicy(), EpisodePlan("", self.task, state, root, self.horizon, self.settle_steps)
            )
            if demo is not None:
                write_demos(self.path, [demo])
                return True
        return False


def run_with_controls(cfg: DictConfig, folder: Path, in_sweep: bool) -> dict[str, Any]:
    """Evaluate the cell and its controls, print them side by side, and return the cell's own counts.

    Raises:
        GaugeError: the config cannot be run.
        IncompleteError: some episodes, or a demonstration for the open loop, could not be had.
    """
    from gauge.config import build
    from gauge.rollout.cell import run

    found = {"policy": run(cfg, folder, in_sweep)}
    demos = folder.parent / DEMONSTRATIONS / cfg.suite.name
    beside = {"black": told(cfg, "black"), "swapped": told(cfg, "swapped")}
    lacking: IncompleteError | None = None
    try:
        record_missing(cfg, build.tasks(cfg), demos)
        beside["open loop"] = open_loop(cfg, demos)
    except IncompleteError as error:
        lacking = error  # the other controls need no demonstration
    for name, one in beside.items():
        cell = folder.parent / build.cell(one).name
        cell.mkdir(parents=True, exist_ok=True)  # as Hydra does for the run's own
        found[name] = run(one, cell, in_sweep=True)
        if name == "swapped":
            found["told"] = heard(cell)
    Console().print(table(found, str(cfg.model.name)))
    if lacking is not None:
        raise lacking
    return found["policy"]


def told(cfg: DictConfig, control: str) -> DictConfig:
    """The same run under a control."""
    return _with(cfg, {"control": control, "controls": False})


def heard(cell: Path) -> dict[str, int]:
    """In how many episodes of a swapped cell the policy reached the goal that it was told of, of those judged."""
    from gauge.records.query import cell_state

    judged = [record.told_success for record in cell_state(cell).records.values() if record.status != "error"]
    return {"successes": judged.count(True), "n": len(judged) - judged.count(None)}


def open_loop(cfg: DictConfig, demos: Path) -> DictConfig:
    """The same run with recorded trajectories in place of the policy, each worker with its own."""
    from gauge.config import options
    from gauge.config.models import OpenLoopModel

    model = options.load("model", "open_loop", OpenLoopModel, options.folders(cfg))
    model.demos = str(demos)
    return _with(cfg, {"model": model, "controls": False, "policy": "per_worker"})


def record_missing(cfg: DictConfig, tasks: Sequence[Task], demos: Path) -> None:
    """One demonstration of every task in `demos`, in the clean scene, from a state that few evaluations reach.

    Raises:
        IncompleteError: the expert could not give one.
    """
    from gauge.demos.crew import work
    from gauge.sim import backend

    queue = deque(missing(cfg, tasks, demos))
    if queue:
        log.info(f"demonstrations to record, which are then played open loop: {len(queue)}")
    for done in work(queue, cfg.workers, backend.choose(cfg.renderer, os.environ), cfg.episode_timeout_s):
        if done.lost or not done.result:
            reason = done.lost or f"the expert reached its goal from none of its last {TRIES} states"
            raise IncompleteError(f"no demonstration of {done.job.task.id} to play open loop: {reason}")


def missing(cfg: DictConfig, tasks: Sequence[Task], demos: Path) -> list[Recording]:
    """What is still to be recorded."""
    paths = {task: demos / f"{task.name}.hdf5" for task in tasks}
    return [
        Recording(task, path, horizon.of(task, cfg.suite.horizon), cfg.suite.settle_steps, cfg.seed)
        for task, path in paths.items()
        if not path.is_file()
    ]


def table(found: Mapping[str, Mapping[str, Any]], name: str) -> Table:
    """The policy's rate and those of its controls, with 95% intervals."""
    shown = Table(title=f"{name} and its controls", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("", "what", "success", "95% interval", "episodes"):
        shown.add_column(head, justify="left" if head in ("", "what") else "right", overflow="fold")
    for key, counts in found.items():
        rate = Rate(counts["successes"], counts["n"])
        low, high = rate.interval
        percent = "-" if rate.rate is None else f"{100 * rate.rate:.1f}%"
        shown.add_row(key, WHAT[key], percent, f"[{100 * low:.1f}, {100 * high:.1f}]", f"{rate.successes}/{rate.n}")
    return shown


def _with(cfg: DictConfig, changes: Mapping[str, Any]) -> DictConfig:
    found = OmegaConf.create({str(key): cfg._get_node(key) for key in cfg if key != "hydra"})
    if not isinstance(found, DictConfig):
        raise GaugeError("the config is no mapping")
    for key, value in changes.items():
        found[key] = value
    return found
