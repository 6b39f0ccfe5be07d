"""`--dry-run`: what a study would take, stage by stage, without running any of it."""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd
from omegaconf import DictConfig
from rich.console import Console

from gauge.core.items import Combination
from gauge.protocol.anchors import DIFFICULTIES
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each_group
from gauge.study import pages, results
from gauge.study.board import look
from gauge.study.config import STAGES
from gauge.study.config import stages as wanted_stages
from gauge.study.lanes import Crew
from gauge.study.launch import launch, workers
from gauge.study.pages import Section
from gauge.study.plan import Want, wants
from gauge.study.results import Result
from gauge.study.space import Space
from gauge.study.speed import Speed, speed
from gauge.study.study import FOLDER, inputs_of


@dataclass(frozen=True)
class Part:
    """One line of the plan.

    Attributes:
        stage: and what of it.
        combinations, scenarios: whose pairs are the task instances; 0 combinations run nothing.
        models: how many are evaluated.
        exact: whether this is known, or an upper bound because it depends on results to come.
        stored: episodes that are stored already; None if it is not known which they are.
        left: pairs of combination and scenario that make no sense, as far as known.
    """

    stage: str
    combinations: int
    scenarios: int
    models: int
    exact: bool = True
    stored: int | None = None
    left: int = 0

    @property
    def instances(self) -> int:
        """Pairs of combination and scenario."""
        return self.combinations * self.scenarios - self.left


def show(cfg: DictConfig, crew: Crew, space: Space, console: Console) -> None:
    """Print the plan; with `probe` run one episode of every model that has none on this machine."""
    if cfg.probe:
        probe(crew, space)
    speeds = speeds_of(crew)
    parts = plan(cfg, crew, space)
    for section in sections(cfg, crew, parts, speeds):
        pages.show(console, section)


def probe(crew: Crew, space: Space) -> None:
    """Run the first planned episode of every model without any; it is stored and counts like any other."""
    wanted = []
    for model, found in speeds_of(crew).items():
        lane = next(lane for lane in crew.lanes if lane.model == model)
        if found.seconds is None:
            wanted.append(Want(lane, Combination(), {next(iter(lane.tasks)): [0]}))
    if wanted:
        launch(crew, wanted, space)


def speeds_of(crew: Crew) -> dict[str, Speed]:
    """What an episode costs, by model."""
    lanes = {model: [lane for lane in crew.lanes if lane.model == model] for model in crew.models}
    return {model: speed(crew.folder.parent, own) for model, own in lanes.items()}


def plan(cfg: DictConfig, crew: Crew, space: Space) -> list[Part]:
    """All parts of the stages that `stage=` asks for, by what the stages before have found so far."""
    known = stored_results(cfg, crew, space)
    everywhere = dict.fromkeys(crew.scenarios.scenario_id, range(cfg.rollouts))
    clean, _ = wants(crew, space, crew.models, [Combination()], everywhere)
    zero = Part("zero_shot", 1, len(everywhere), len(crew.models), stored=_stored(crew, clean))
    parts = [zero, Part("anchors", 0, len(everywhere), 0)]
    values = space.table(cfg.perturbations, cfg.levels)
    parts.append(_sensitivity(cfg, crew, space, known, values))
    anchors, models = parts[-1].scenarios, parts[-1].models
    sizes = values.drop_duplicates("factor").groupby("category").size()
    subsets = 2 ** len(sizes) - 1
    parts.append(Part("screening: categories", subsets, anchors, models, "anchors" in known))
    screened = known["screening"].tables["factors"] if "screening" in known else None
    longest = len(screened) if screened is not None else sum(_longest(sizes, m) for m in range(1, len(sizes) + 1))
    parts.append(Part("screening: factors", longest, anchors, models, screened is not None))
    retained = known["screening"].tables["retained"].name.nunique() if "screening" in known else len(sizes)
    parts.append(Part("combinatorial", retained, len(everywhere), len(crew.models), "screening" in known))
    asked = wanted_stages(cfg)
    return [part for part in parts if part.stage.partition(":")[0] in asked]


def stored_results(cfg: DictConfig, crew: Crew, space: Space) -> Mapping[str, Result]:
    """Results of earlier runs that were computed from today's settings and from each other."""
    found: dict[str, Result] = {}
    for stage in STAGES:
        stored = results.load(crew.folder / FOLDER / stage)
        if stored is None or stored.inputs != inputs_of(stage, cfg, crew, space, found):
            break
        found[stage] = stored
    return found


def _sensitivity(cfg: DictConfig, crew: Crew, space: Space, known: Mapping[str, Result], values: pd.DataFrame) -> Part:
    every = cfg.anchor_models == "all"
    models = len(crew.models) if every else min(cfg.references, len(crew.models))
    if "anchors" not in known:
        most = min(len(DIFFICULTIES) * crew.scenarios.capability.nunique(), len(crew.scenarios))
        return Part("sensitivity", len(values), most, models, exact=False)
    anchors = list(known["anchors"].tables["anchors"].scenario_id.dropna())
    names = list(crew.models) if every else list(known["zero_shot"].tables["reference"].model)
    singles = [combination_of(rows) for _, rows in each_group(values, "combination")]
    wanted, left = wants(crew, space, names, singles, dict.fromkeys(anchors, range(cfg.rollouts)))
    pairs = len({(one.combination, one.scenario_id) for one in left})
    return Part("sensitivity", len(values), len(anchors), models, stored=_stored(crew, wanted), left=pairs)


def _longest(sizes: "pd.Series[int]", m: int) -> int:
    """The longest nested sequence over m categories: it begins with m factors and ends with all of them."""
    return int(sizes.nlargest(m).sum()) - m + 1


def _stored(crew: Crew, wanted: list[Want]) -> int:
    return sum(want.size for want in wanted) - sum(want.size for want in look(crew, wanted).missing)


def sections(cfg: DictConfig, crew: Crew, parts: Iterable[Part], speeds: Mapping[str, Speed]) -> list[Section]:
    """The plan as a table, and where its rates come from."""
    heads = ["stage", "instances", "models", "episodes", "stored", "steps", "images", "policy calls", "hours"]
    rows = []
    total = [0.0] * 7
    for part in parts:
        episodes = part.instances * part.models * cfg.rollouts
        own = _dearest(speeds, part.models)
        left = episodes - (part.stored or 0)
        share = left / max(1, len(own))
        amounts = [share * sum(getattr(one, name) for one in own) for name in ("steps", "images", "calls")]
        hours = share * sum(one.seconds or 0.0 for one in own) / 3600 / parallel(crew)
        numbers = [part.instances, episodes, part.stored or 0, *amounts, hours]
        total = [before + more for before, more in zip(total, numbers, strict=True)]
        stored = "" if part.stored is None else f"{part.stored:,}"
        most = "" if part.exact else "at most "
        counts = [f"{most}{part.instances:,}", part.models, f"{most}{episodes:,}", stored]
        rows.append((part.stage, *counts, *(f"{amount:,.0f}" for amount in amounts), _hours(hours, own)))
    sums = [f"{total[0]:,.0f}", "", f"{total[1]:,.0f}", f"{total[2]:,.0f}", *(f"{x:,.0f}" for x in total[3:6])]
    rows.append(("all", *sums, _hours(total[6], list(speeds.values()))))
    lines = [
        f"Study {cfg.study}: {len(crew.scenarios)} scenarios, {crew.scenarios.capability.nunique()} capabilities, "
        f"{cfg.rollouts} rollouts; nothing is run. Steps, images, calls and hours are those still to do.",
        f"Hours: {parallel(crew)} episodes at a time on this machine, compilation of scenes not included.",
        *(f"{model}: {one.source}." for model, one in speeds.items()),
    ]
    if any(one.seconds is None for one in speeds.values()):
        lines.append("To measure: add probe=true, which runs one planned episode of each such model.")
    return [Section("Plan", pages.texts(rows, heads), lines)]


def parallel(crew: Crew) -> int:
    """Episodes at a time: jobs x workers, on this machine not more than it has cores."""
    cfg = crew.lanes[0].cfg
    wanted = workers(cfg) * max(1, int(cfg.workers))
    return wanted if cfg.cluster.kind == "slurm" else min(wanted, os.cpu_count() or 1)


def _dearest(speeds: Mapping[str, Speed], models: int) -> list[Speed]:
    """The slowest of the models, because which ones are the reference models is not known before."""
    ordered = sorted(speeds.values(), key=lambda one: math.inf if one.seconds is None else one.seconds, reverse=True)
    return ordered[:models]


def _hours(hours: float, speeds: list[Speed]) -> str:
    if not speeds:
        return ""
    unknown = any(one.seconds is None for one in speeds)
    return f"more than {hours:.2f}" if unknown and hours else "unknown" if unknown else f"{hours:.2f}"
