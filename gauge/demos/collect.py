"""`collect` and `replay`: try episodes until every task has its demonstrations, or play recorded ones again."""

import os
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gauge.config import build
from gauge.demos.attempt import Attempt, Setup, numbered
from gauge.demos.config import bound_items, check, items_json, limits, states, stored_items
from gauge.demos.crew import Done, work
from gauge.demos.scatter import is_scatter
from gauge.demos.selection import Outcome, missing
from gauge.demos.store import DemoSet, Kept, create, open_set
from gauge.demos.view import View
from gauge.errors import GaugeError, IncompleteError
from gauge.records.demo_file import read_demo
from gauge.records.fingerprint import fingerprint
from gauge.rollout.plan import EpisodePlan
from gauge.sim import backend
from gauge.suites import horizon, load
from gauge.suites.libero import Task


@dataclass(slots=True)
class Gathering:
    """The live state of a collection: outcomes per task, what is on its way, errors in a row."""

    into: DemoSet
    stop_after_errors: int
    outcomes: dict[str, dict[int, Outcome]]
    running: dict[str, set[int]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    errors_in_a_row: int = 0

    def add(self, done: Done) -> Outcome:
        """Count one ended job.

        Raises:
            IncompleteError: too many errors in a row; the cause is probably not the episodes.
        """
        job: Attempt = done.job
        outcome, stored = (Outcome(None, done.lost), False) if done.lost else done.result
        name = job.plan.task.name
        self.outcomes[name][job.index] = outcome
        self.running[name].discard(job.index)
        self.errors_in_a_row = 0 if stored else self.errors_in_a_row + 1
        if not stored:
            self.errors[f"{name} episode {job.index}"] = outcome.reason
        if self.errors_in_a_row >= self.stop_after_errors:
            raise IncompleteError(
                f"stopped after {self.errors_in_a_row} errors in a row (stop_after_errors), the last one: "
                f"{outcome.reason}; what was recorded is stored, run the same command again to continue"
            )
        return outcome


def collect(cfg: DictConfig) -> DemoSet:
    """Record `n` demonstrations of every task and return the set.

    Raises:
        GaugeError: the config or the set-up cannot work.
        IncompleteError: some task has fewer after all its tries; what was recorded is stored.
    """
    _prepare(cfg)
    if cfg.source is not None:
        raise GaugeError("source= belongs to replay; collect records anew")
    tasks = build.tasks(cfg)
    into = create(Path(cfg.folder), _what(cfg, tasks), cfg.n, limits(cfg))
    most = int(cfg.tries * cfg.n)
    setup = _setup(cfg, partial(build.make_policy, cfg))

    def more(task: Task, outcomes: Mapping[int, Outcome]) -> list[Attempt]:
        base = EpisodePlan("", task, 0, 0, horizon.of(task, cfg.suite.horizon), cfg.suite.settle_steps)
        todo = missing(outcomes, cfg.n, into.limits, most)
        return [numbered(setup, base, index, states(cfg, task), cfg.seed) for index in todo]

    _gather(cfg, into, tasks, more)
    short = {task.name: len(into.selection(task.name).kept) for task in tasks}
    short = {name: kept for name, kept in short.items() if kept < cfg.n}
    if short:
        listed = ", ".join(f"{name} {kept}" for name, kept in short.items())
        raise IncompleteError(
            f"fewer than {cfg.n} demonstrations after {most} tries: {listed}; reasons: stats {cfg.folder}"
        )
    return into


def replay(cfg: DictConfig) -> DemoSet:
    """Play every demonstration of `source` in the perturbed scene and return the set of the successes.

    Raises:
        GaugeError: the config or the source cannot be used.
    """
    _prepare(cfg)
    if cfg.scatter_cm is not None:
        raise GaugeError("scatter_cm= belongs to collect; replay leaves the objects where they were recorded")
    if cfg.source is None:
        raise GaugeError("replay plays a recorded set: add source=FOLDER")
    source = open_set(Path(cfg.source))
    setup = _setup(cfg, None)
    jobs = [_again(setup, kept) for kept in source.kept()]
    if not jobs:
        raise GaugeError(f"{cfg.source} holds no demonstration; collect some first")
    tasks = tuple(dict.fromkeys(job.plan.task for job in jobs))
    what = {**source.what, "items": items_json(build.combination(cfg)), "source": source.what}
    into = create(Path(cfg.folder), {**what, "tasks": [task.name for task in tasks]}, source.n, limits(cfg))

    def more(task: Task, outcomes: Mapping[int, Outcome]) -> list[Attempt]:
        return [job for job in jobs if job.plan.task == task and job.index not in outcomes]

    _gather(cfg, into, tasks, more)
    return into


def _prepare(cfg: DictConfig) -> None:
    """Check the config and, where episodes run in this process, choose the renderer before MuJoCo is imported."""
    check(cfg)
    if cfg.workers == 0:
        backend.prepare(cfg.renderer)  # a policy that is only asked for its identity may import MuJoCo


def _gather(
    cfg: DictConfig,
    into: DemoSet,
    tasks: tuple[Task, ...],
    more: Callable[[Task, Mapping[int, Outcome]], list[Attempt]],
) -> None:
    """Run what `more` asks for, task by task, until it asks for nothing."""
    state = Gathering(into, cfg.stop_after_errors, {task.name: into.outcomes(task.name) for task in tasks})
    queue: deque[Attempt] = deque()
    for task in tasks:
        _extend(queue, state, task, more)
    renderer = backend.choose(cfg.renderer, os.environ)
    with View(into, tasks, cfg.progress) as view:
        for done in work(queue, cfg.workers, renderer, cfg.timeout_s):
            job: Attempt = done.job
            outcome = state.add(done)
            view.add(job.plan.task.name, job.index, outcome)
            if not state.running[job.plan.task.name]:
                _extend(queue, state, job.plan.task, more)
    view.summary(state.errors)


def _extend(
    queue: "deque[Attempt]",
    state: Gathering,
    task: Task,
    more: Callable[[Task, Mapping[int, Outcome]], list[Attempt]],
) -> None:
    jobs = more(task, state.outcomes[task.name])
    state.running[task.name] = {job.index for job in jobs}
    queue.extendleft(reversed(jobs)) if state.outcomes[task.name] else queue.extend(jobs)


def _again(setup: Setup, kept: Kept) -> Attempt:
    origin = read_demo(kept.path).origin
    suite, _, name = origin.scenario_id.partition("/")
    if origin.rollout is None or origin.seed is None:
        raise GaugeError(f"{kept.path} does not say from which start it was recorded, so it cannot be replayed")
    task = load(suite).select([name])[0]
    plan = EpisodePlan("", task, origin.rollout, origin.seed, origin.horizon, origin.settle_steps)
    own = tuple(one for one in stored_items(origin.items) if is_scatter(one.item))
    return Attempt(setup, plan, kept.index, origin.take, kept.path, own)


def _setup(cfg: DictConfig, policy: Callable[[], Any] | None) -> Setup:
    marks = fingerprint(backend.choose(cfg.renderer, os.environ))
    scatter_cm = None if policy is None else cfg.scatter_cm
    return Setup(Path(cfg.folder), policy, bound_items(cfg), cfg.hold_steps, cfg.sim.stepper, marks, scatter_cm)


def _what(cfg: DictConfig, tasks: tuple[Task, ...]) -> dict[str, Any]:
    """All that decides an episode of the set but its task and its index."""
    return {
        "suite": cfg.suite.name,
        "digest": build.suite(cfg).digest,
        "tasks": [task.name for task in tasks],
        "model": OmegaConf.to_container(cfg.model, resolve=True),
        "identity": _identity(cfg),
        "items": items_json(build.combination(cfg)),
        "seed": cfg.seed,
        "states": [cfg.first_state, cfg.last_state],
        "horizon": horizon.identity(tasks, cfg.suite.horizon),
        "settle_steps": cfg.suite.settle_steps,
        "hold_steps": cfg.hold_steps,
        "stepper": cfg.sim.stepper,
        **({} if cfg.scatter_cm is None else {"scatter_cm": cfg.scatter_cm}),
    }


def _identity(cfg: DictConfig) -> str:
    """The version of who acts, where it is known before an episode."""
    policy = build.make_policy(cfg)
    try:
        getattr(policy, "check", lambda: None)()
        return policy.identity
    finally:
        policy.close()
