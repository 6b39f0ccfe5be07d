"""One cell end to end: plan, skip what is stored, run the rest, store as it ends, summarise."""

import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gauge.config import build, certified
from gauge.core.cell import Cell, canonical
from gauge.core.metrics import Rate
from gauge.core.record import EpisodeRecord
from gauge.perturbations.base import Bound
from gauge.records.fingerprint import fingerprint
from gauge.records.load import Planned
from gauge.records.lock import CellLock
from gauge.records.query import cell_state, check_fingerprints
from gauge.records.store import CELL_FILE, RecordWriter, open_cell
from gauge.rollout.collect import Collector
from gauge.rollout.control import told_otherwise
from gauge.rollout.plan import EpisodePlan, plan_episodes, remaining
from gauge.rollout.pool import shared_pool
from gauge.rollout.preflight import preflight
from gauge.rollout.progress import ProgressView
from gauge.rollout.reports import report_cell
from gauge.rollout.server import beside
from gauge.rollout.worker import Sharing, WorkerSetup
from gauge.sim import backend
from gauge.suites import Task, horizon
from gauge.suites.synthetic import NAME as SYNTHETIC
from gauge.tracking.base import build as build_tracker

log = logging.getLogger(__name__)
Source = Callable[[list[EpisodePlan], Collector], None]  # runs episodes and hands their records over


def run(cfg: DictConfig, folder: Path, in_sweep: bool = False) -> dict[str, Any]:
    """Evaluate the cell that `cfg` describes, store it in `folder`, and return its counts as plain data.

    Its table is printed unless it is one cell of a sweep, which has a table of its own.

    Raises:
        GaugeError: the config or the set-up cannot work; nothing was run.
        IncompleteError: some episodes could not be evaluated; the others are stored.
    """
    cell = build.cell(cfg)
    tasks = build.tasks(cfg)
    if not in_sweep:  # a sweep has said it for all its jobs
        _say_uncertified(cfg, tasks)
        if said := horizon.sentence(tasks, cfg.suite.horizon):
            log.info(said)
    plans = plan_episodes(cell.id, tasks, cfg.rollouts, cfg.seed, cfg.suite.horizon, cfg.suite.settle_steps)
    records = evaluate(cfg, cell, bound_items(cfg), plans, folder)
    planned = Planned(tuple(task.id for task in tasks), cfg.rollouts)
    if not in_sweep:
        report_cell(folder, planned)
    about = {"suite": cell.suite["name"], "study_dir": str(folder.parent)}
    return counts(cell, plans, records) | about | {"scenarios": planned.scenarios, "rollouts": cfg.rollouts}


def evaluate(
    cfg: DictConfig, cell: Cell, bound: list[Bound], plans: list[EpisodePlan], folder: Path
) -> dict[tuple[str, int], EpisodeRecord]:
    """Run those of the planned episodes that are not stored in `folder` yet; all records that count, by episode.

    Args:
        cfg: how to run; of model, suite and seed it agrees with `cell`. Its perturbation is not looked at.
        cell: what the episodes belong to.
        bound: the cell's items with their code.
        plans: the wanted episodes of the cell, any part of it.
        folder: the cell's.

    Raises:
        GaugeError: the set-up cannot work; nothing was run.
        IncompleteError: the evaluation stopped early; what was evaluated is stored.
    """
    if cfg.control == "swapped":
        plans = told_otherwise(plans, build.suite(cfg))
    asked = "serve" not in cfg.model or bool(remaining(plans, stored(folder)))  # else no server is needed
    if asked and cfg.cluster.serve:
        cfg = beside(cfg, folder)
    drawn = cfg.model.kind == SYNTHETIC
    renderer = "none" if drawn else backend.choose(cfg.renderer, os.environ)
    if cfg.workers == 0 and not drawn:
        backend.prepare(cfg.renderer)  # episodes run here, and a policy that is only looked at may import MuJoCo
    preflight([] if drawn else list(dict.fromkeys(plan.task for plan in plans)), folder, _checks(cfg) if asked else [])
    with CellLock(folder):
        open_cell(folder, cell)
        marks = fingerprint(renderer)
        if not cfg.allow_mixed:
            check_fingerprints(folder, marks)
        setup = WorkerSetup(
            policy=partial(build.make_policy, cfg),
            policy_key=canonical(plain(cfg.model)),
            bound=bound,
            folder=folder,
            fingerprint=marks,
            stepper=cfg.sim.stepper,
            criterion=(cfg.suite.hold_steps, cfg.suite.released),
            sharing=Sharing(cfg.policy_timeout_s, cfg.policy_batch) if cfg.policy == "shared" else None,
            black=cfg.control == "black",
        )
        source = partial(_draw, cfg, cell, setup) if drawn else _workers(cfg, setup, renderer)
        return _run_missing(cfg, cell, plans, setup, source)


def stored(folder: Path) -> dict[tuple[str, int], EpisodeRecord]:
    """The records of a cell's folder that count; none where nothing was evaluated yet."""
    return cell_state(folder).records if (folder / CELL_FILE).is_file() else {}


def _workers(cfg: DictConfig, setup: WorkerSetup, renderer: str) -> Source:
    """Episodes run in worker processes, in real scenes."""
    pool = shared_pool(cfg.workers, renderer, _worker_memory_gb(cfg), cfg.recycle_after)
    return lambda todo, state: pool.run(todo, setup, cfg.episode_timeout_s, state.add, state.video_of)


def _draw(cfg: DictConfig, cell: Cell, setup: WorkerSetup, todo: list[EpisodePlan], state: Collector) -> None:
    """Episodes of a synthetic model are drawn in this process."""
    from gauge.policies.synthetic import SyntheticModel
    from gauge.rollout.drawn import Drawing

    model = build.make_policy(cfg)
    assert isinstance(model, SyntheticModel)
    for batch in Drawing(model, cell, setup.bound, setup.fingerprint).batches(todo):
        state.add_all(batch)


def _say_uncertified(cfg: DictConfig, tasks: Sequence[Task]) -> None:
    bound = build.main_bound(cfg)
    if bound is not None:
        counts = certified.count(cfg, tasks, bound)
        if said := certified.sentence(bound.item.attribute, cfg.suite.name, counts):
            log.warning(said)


def bound_items(cfg: DictConfig) -> list[Bound]:
    """The items of the cell's combination with the code behind them."""
    code = build.perturbations(cfg)
    return [Bound(item, code[item.attribute]) for item in build.combination(cfg).items]


def _worker_memory_gb(cfg: DictConfig) -> float:
    """What each worker may fill with compiled scenes: as set, else an equal share of 60% of the machine's memory."""
    machine_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return float(cfg.worker_memory_gb or 0.6 * machine_gb / max(cfg.workers, 1))


def _checks(cfg: DictConfig) -> list[Callable[[], None]]:
    """What the policy wants checked; a shared one fails early anyway, and is not to be loaded twice."""
    return [] if cfg.policy == "shared" else [partial(_check_policy, cfg)]


def _check_policy(cfg: DictConfig) -> None:
    """A policy may offer `check`, which fails early: a server that is down, a spec that does not match."""
    policy = build.make_policy(cfg)
    try:
        getattr(policy, "check", lambda: None)()
    finally:
        policy.close()


def _run_missing(
    cfg: DictConfig, cell: Cell, plans: list[EpisodePlan], setup: WorkerSetup, source: Source
) -> dict[tuple[str, int], EpisodeRecord]:
    folder = setup.folder
    stored = cell_state(folder).records
    todo = remaining(plans, stored)
    planned = {(plan.task.id, plan.rollout) for plan in plans}
    done = [record for key, record in stored.items() if key in planned and record.status != "error"]
    if done:
        log.info("%d of %d episodes are stored already; %d to run", len(done), len(plans), len(todo))
    tracker = build_tracker(cfg.tracking.kind, plain(cfg.tracking), folder)
    with RecordWriter(folder) as writer, ProgressView(cell.name, len(plans), done, cfg.progress) as view:
        state = Collector(writer, tracker, view, cfg.video, cfg.stop_after_errors, dict(stored))
        tracker.start(cell, plain(cfg), done)
        try:
            if todo:
                source(todo, state)
        finally:
            tracker.finish(counts(cell, plans, state.records))
    return state.records


def counts(cell: Cell, plans: list[EpisodePlan], records: dict[tuple[str, int], EpisodeRecord]) -> dict[str, Any]:
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
