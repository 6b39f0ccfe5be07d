"""One cell end to end: plan, skip what is stored, run the rest, store as it ends, summarise."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gauge.config import build
from gauge.core.cell import Cell
from gauge.core.metrics import Rate
from gauge.core.policy import Policy
from gauge.core.record import EpisodeRecord
from gauge.errors import IncompleteError
from gauge.perturbations.base import Bound
from gauge.records.fingerprint import fingerprint
from gauge.records.lock import CellLock
from gauge.records.query import cell_state, check_fingerprints
from gauge.records.store import RecordWriter, open_cell
from gauge.rollout.plan import EpisodePlan, plan_episodes, remaining
from gauge.rollout.pool import run_episodes
from gauge.rollout.preflight import preflight
from gauge.rollout.progress import ProgressView
from gauge.rollout.reports import report_cell
from gauge.rollout.worker import WorkerSetup
from gauge.sim import backend
from gauge.tracking.base import Tracker
from gauge.tracking.base import build as build_tracker

log = logging.getLogger(__name__)
FILMED_FIRST = frozenset({"success", "fail"})


@dataclass(slots=True)
class CellRun:
    """The live state of one cell: what is stored, what is filmed, how many errors came in a row."""

    writer: RecordWriter
    tracker: Tracker
    view: ProgressView
    video: str
    stop_after_errors: int
    records: dict[tuple[str, int], EpisodeRecord] = field(default_factory=dict)
    errors_in_a_row: int = 0

    def add(self, record: EpisodeRecord) -> None:
        """Store one finished episode, then show it.

        Raises:
            IncompleteError: too many errors in a row; the cause is probably not the episodes.
        """
        self.writer.write(record)
        self.records[record.key] = record
        self.tracker.episode(record)
        self.view.add(record)
        self.errors_in_a_row = self.errors_in_a_row + 1 if record.status == "error" else 0
        if self.errors_in_a_row >= self.stop_after_errors:
            raise IncompleteError(
                f"stopped after {self.errors_in_a_row} errors in a row (stop_after_errors), the last one: "
                f"{record.reason}; what was evaluated is stored, run the same command again to continue"
            )

    def video_of(self) -> frozenset[str]:
        """The statuses of which an episode that starts now should be filmed."""
        if self.video == "all":
            return FILMED_FIRST | {"error"}
        if self.video == "off":
            return frozenset()
        return FILMED_FIRST - {record.status for record in self.records.values() if record.video}


def run(cfg: DictConfig, folder: Path) -> dict[str, Any]:
    """Evaluate the cell that `cfg` describes and store it under `folder`; return its summary as plain data.

    Raises:
        GaugeError: the config or the set-up cannot work; nothing was run.
        IncompleteError: some episodes could not be evaluated; the others are stored.
    """
    cell = build.cell(cfg)
    tasks = build.tasks(cfg)
    plans = plan_episodes(cell.id, tasks, cfg.rollouts, cfg.seed, cfg.suite.horizon, cfg.suite.settle_steps)
    renderer = backend.choose(cfg.renderer, os.environ)
    policy = build.make_policy(cfg)
    preflight(tasks, folder, _checks(policy))
    policy.close()
    with CellLock(folder):
        open_cell(folder, cell)
        marks = fingerprint(renderer)
        if not cfg.allow_mixed:
            check_fingerprints(folder, marks)
        setup = WorkerSetup(
            policy=partial(build.make_policy, cfg),
            bound=bound_items(cfg),
            renderer=renderer,
            videos=folder / "videos",
            log_file=folder / "log.txt",
            fingerprint=marks,
        )
        records = _run_missing(cfg, cell, folder, plans, setup)
    report_cell(folder, len(plans))
    return summary(cell, plans, records) | {"study_dir": str(folder.parent)}


def bound_items(cfg: DictConfig) -> list[Bound]:
    """The items of the cell's combination with the code behind them."""
    code = build.perturbations(cfg)
    return [Bound(item, code[item.attribute]) for item in build.combination(cfg).items]


def _checks(policy: Policy) -> list[Callable[[], None]]:
    """A policy may offer `check`, which fails early: a server that is down, a spec that does not match."""
    check = getattr(policy, "check", None)
    return [check] if check is not None else []


def _run_missing(
    cfg: DictConfig, cell: Cell, folder: Path, plans: list[EpisodePlan], setup: WorkerSetup
) -> dict[tuple[str, int], EpisodeRecord]:
    stored = cell_state(folder).records
    todo = remaining(plans, stored)
    planned = {(plan.task.id, plan.rollout) for plan in plans}
    done = [record for key, record in stored.items() if key in planned and record.status != "error"]
    if done:
        log.info("%d of %d episodes are stored already; %d to run", len(done), len(plans), len(todo))
    tracker = build_tracker(cfg.tracking.kind, plain(cfg.tracking), folder)
    with RecordWriter(folder) as writer, ProgressView(cell.name, len(plans), done, cfg.progress) as view:
        state = CellRun(writer, tracker, view, cfg.video, cfg.stop_after_errors, dict(stored))
        tracker.start(cell, plain(cfg), done)
        try:
            if todo:
                run_episodes(todo, setup, cfg.workers, cfg.episode_timeout_s, state.add, state.video_of)
        finally:
            tracker.finish(summary(cell, plans, state.records))
    return state.records


def summary(cell: Cell, plans: list[EpisodePlan], records: dict[tuple[str, int], EpisodeRecord]) -> dict[str, Any]:
    """Counts over the planned episodes: plain data, `complete` when every one has a result."""
    found = [records[key] for plan in plans if (key := (plan.task.id, plan.rollout)) in records]
    errors = sum(record.status == "error" for record in found)
    successes = sum(record.status == "success" for record in found)
    rate = Rate(successes, len(found) - errors, errors)
    return {
        "cell_id": cell.id,
        "cell": cell.name,
        "label": cell.combination.label,
        "n": rate.n,
        "successes": successes,
        "errors": errors,
        "planned": len(plans),
        "complete": rate.n == len(plans),
        "rate": rate.rate,
    }


def plain(node: DictConfig) -> dict[str, Any]:
    """A config node as plain, resolved data."""
    data = OmegaConf.to_container(node, resolve=True)
    return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}
