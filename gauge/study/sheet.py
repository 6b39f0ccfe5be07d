"""The plan of a study or sweep as a table: instances, episodes, steps, images, policy calls, hours and their cost."""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omegaconf import DictConfig

from gauge.study import pages
from gauge.study.launch import JOBS_PER_WORKER, workers
from gauge.study.rates import Speed

STARTS = 2  # of Python in every job, one after the other: its own process, then those of its workers


@dataclass(frozen=True)
class Part:
    """One line of the plan.

    Attributes:
        stage: and what of it.
        combinations, scenarios: whose pairs are the task instances; 0 combinations run nothing.
        models: how many are evaluated; which ones may not be known before.
        exact: whether this is known, or an upper bound because it depends on results to come.
        stored: episodes that are stored already; None if it is not known which they are.
        left: pairs of combination and scenario that make no sense, as far as known.
        rebuilt: of the combinations, those that change a scene before it is compiled, as far as known.
        names: of the models, where they are known.
    """

    stage: str
    combinations: int
    scenarios: int
    models: int
    exact: bool = True
    stored: int | None = None
    left: int = 0
    rebuilt: int = 0
    names: tuple[str, ...] = ()

    @property
    def instances(self) -> int:
        """Pairs of combination and scenario."""
        return self.combinations * self.scenarios - self.left


@dataclass(frozen=True)
class Site:
    """Where it would run.

    Attributes:
        jobs: at a time.
        workers: of each job; episodes at a time are jobs x workers, on one machine at most one per core.
        alone: whether all jobs share one process, which keeps its compiled scenes.
        price_per_hour: of what one job occupies; None if it costs nothing.
        shared: whether the workers of a job share one policy, which is then asked by all of them.
    """

    jobs: int
    workers: int
    alone: bool
    price_per_hour: float | None = None
    shared: bool = False

    @classmethod
    def of(cls, cfg: DictConfig, price_per_hour: float | None = None) -> "Site":
        """The cluster and the workers that a config names."""
        own, at_once = max(1, int(cfg.workers)), workers(cfg)
        if cfg.cluster.kind != "slurm":
            cores = os.cpu_count() or 1
            at_once = min(at_once, cores)
            own = min(own, cores // at_once)
        return cls(at_once, own, cfg.cluster.kind == "debug", price_per_hour, cfg.policy == "shared")

    @property
    def says(self) -> str:
        """What the hours assume."""
        price = "" if self.price_per_hour is None else f", {self.price_per_hour:g} an hour each"
        jobs = "one job" if self.jobs == 1 else f"{self.jobs} jobs"
        return f"{jobs} at a time{price}, {self.workers} worker(s) in each"

    def hours(self, seconds: float, started: int, job_s: float, built: int, build_s: float) -> float:
        """Hours of episodes that take one worker so many seconds, of starting jobs and of compiling scenes."""
        starting_s = STARTS * started * self.workers * job_s
        return (seconds + built * build_s + starting_s) / (self.jobs * self.workers) / 3600


@dataclass(frozen=True)
class _Row:
    part: Part
    episodes: int
    amounts: tuple[float, float, float]  # steps, images, calls that are still to do
    hours: float
    known: bool


def sheet(
    parts: Sequence[Part], speeds: Mapping[str, Speed], site: Site, rollouts: int, lines: Sequence[str]
) -> pages.Section:
    """The table, and below it where its numbers come from.

    Args:
        parts: its lines.
        speeds: by model.
        site: where it would run.
        rollouts: episodes per model and instance.
        lines: what else to say, first.
    """
    rows = [_row(part, speeds, site, rollouts, first=number == 0) for number, part in enumerate(parts)]
    heads = ["stage", "instances", "models", "episodes", "stored", "steps", "images", "policy calls", "hours"]
    table = [_texts(row) for row in rows]
    sums = [sum(row.part.instances for row in rows), "", sum(row.episodes for row in rows)]
    sums += [sum(row.part.stored or 0 for row in rows), *(sum(row.amounts[k] for row in rows) for k in range(3))]
    hours, known = sum(row.hours for row in rows), all(row.known for row in rows)
    table.append(["all", *(value if value == "" else f"{value:,.0f}" for value in sums), _hours(hours, known)])
    told = [
        *lines,
        "Steps, images, calls and hours are those still to do.",
        f"Hours: {site.says}; starting jobs and compiling scenes included as far as known.",
        *(f"{model}: {one.source}." for model, one in speeds.items()),
        *([_price(hours, known, site)] if site.price_per_hour is not None else []),
    ]
    if any(one.unknown for one in speeds.values()):
        told.append(
            "To measure: add probe=true, which runs one planned episode of each such model; or give rates.policy=0.1."
        )
    return pages.Section("Plan", pages.texts(table, heads), told)


def _row(part: Part, speeds: Mapping[str, Speed], site: Site, rollouts: int, first: bool) -> _Row:
    episodes = part.instances * part.models * rollouts
    own = [speeds[name] for name in part.names] or _dearest(speeds, part.models)
    left = episodes - (part.stored or 0)
    each = left / max(1, len(own))
    amounts = tuple(each * sum(getattr(one, name) for one in own) for name in ("steps", "images", "calls"))
    seconds = each * sum(sum(one.parts.values()) for one in own)
    hours = 0.0
    if left:
        wanted = min(site.jobs * JOBS_PER_WORKER, part.combinations * part.models)
        jobs = int(first) if site.alone else max(part.models, wanted) if site.jobs > 1 else part.models
        scenes = int(first) if site.alone else -(-jobs // max(1, part.models)) * part.models
        built = part.scenarios * (scenes + part.rebuilt * part.models)
        start, build = (max((getattr(one, name) or 0.0 for one in own), default=0.0) for name in ("job", "compile"))
        hours = site.hours(seconds, jobs, start, built, build)
        if site.shared:  # it answers one call after the other; that it answers several at once is not counted on
            hours = max(hours, each * sum(one.parts["policy"] for one in own) / site.jobs / 3600)
    return _Row(part, episodes, (amounts[0], amounts[1], amounts[2]), hours, not any(one.unknown for one in own))


def _texts(row: _Row) -> list[object]:
    part, most = row.part, "" if row.part.exact else "at most "
    stored = "" if part.stored is None else f"{part.stored:,}"
    counts = [f"{most}{part.instances:,}", part.models, f"{most}{row.episodes:,}", stored]
    hours = _hours(row.hours, row.known) if part.models else ""
    return [part.stage, *counts, *(f"{amount:,.0f}" for amount in row.amounts), hours]


def _dearest(speeds: Mapping[str, Speed], models: int) -> list[Speed]:
    """The slowest of the models, because which ones are the reference models is not known before."""
    ordered = sorted(speeds.values(), key=lambda one: math.inf if one.seconds is None else one.seconds, reverse=True)
    return ordered[:models]


def _hours(hours: float, known: bool) -> str:
    shown = f"{hours:,.3f}" if hours < 1 else f"{hours:,.1f}"
    return shown if known else f"more than {shown}" if hours > 0.0005 else "unknown"


def _price(hours: float, known: bool, site: Site) -> str:
    cost = hours * site.jobs * (site.price_per_hour or 0.0)
    return f"Cost: {'' if known else 'more than '}{cost:,.2f} for {hours * site.jobs:.2f} job-hours."
