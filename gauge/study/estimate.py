"""`--dry-run`: what a study would take, stage by stage, without running any of it."""

from collections.abc import Mapping

import pandas as pd
from omegaconf import DictConfig
from rich.console import Console

from gauge.core.items import Combination
from gauge.protocol.anchors import DIFFICULTIES
from gauge.protocol.paper import printed, scenario_table
from gauge.protocol.paper import space as paper_space
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each_group
from gauge.study import pages, results
from gauge.study.board import look
from gauge.study.config import STAGES
from gauge.study.config import stages as wanted_stages
from gauge.study.lanes import Crew
from gauge.study.launch import launch
from gauge.study.plan import Want, wants
from gauge.study.rates import Speed, own_start, speed
from gauge.study.results import Result
from gauge.study.sheet import Part, Site, sheet
from gauge.study.space import Space
from gauge.study.study import FOLDER, inputs_of


def show(cfg: DictConfig, crew: Crew, space: Space, console: Console) -> None:
    """Print the plan; with `probe` run one episode of every model that has none on this machine."""
    start_s = own_start()  # before anything is probed
    if cfg.probe:
        probe(crew, space, cfg)
    speeds = speeds_of(crew, cfg, start_s)
    parts = plan(cfg, crew, space)
    lines = [
        f"Study {cfg.study}: {len(crew.scenarios)} scenarios, {crew.scenarios.capability.nunique()} capabilities, "
        f"{cfg.rollouts} rollouts; nothing is run.",
        f"The paper's study: {' + '.join(f'{n:,} {what}' for what, n in paper().items())} = "
        f"{sum(paper().values()):,} task instances.",
    ]
    pages.show(console, sheet(parts, speeds, Site.of(crew.lanes[0].cfg, cfg.rates.price_per_hour), cfg.rollouts, lines))


def paper() -> dict[str, int]:
    """Task instances of the paper's study by stage (VLA-GAUGE, V-A), from its own suites, space and combinations."""
    about = printed()["task_instances"]
    anchors, scenarios = len(DIFFICULTIES) * scenario_table().capability.nunique(), len(scenario_table())
    combinations = {key: int(str(about[key]).split(" ")[0]) for key in ("pcc", "pfc", "combinatorial")}
    return {
        "clean": scenarios,
        "single values": len(paper_space()) * anchors,
        "category combinations": combinations["pcc"] * anchors,
        "factor combinations": combinations["pfc"] * anchors,
        "combinatorial": combinations["combinatorial"] * scenarios,
    }


def probe(crew: Crew, space: Space, cfg: DictConfig) -> None:
    """Run the first planned episode of every model without any; it is stored and counts like any other."""
    wanted = []
    for model, found in speeds_of(crew, cfg, 0.0).items():
        lane = next(lane for lane in crew.lanes if lane.model == model)
        if not found.episodes and not found.drawn:
            wanted.append(Want(lane, Combination(), {next(iter(lane.tasks)): [0]}))
    if wanted:
        launch(crew, wanted, space)


def speeds_of(crew: Crew, cfg: DictConfig, start_s: float) -> dict[str, Speed]:
    """What an episode costs, by model."""
    lanes = {model: [lane for lane in crew.lanes if lane.model == model] for model in crew.models}
    return {model: speed(crew.folder.parent, own, cfg.rates, start_s) for model, own in lanes.items()}


def plan(cfg: DictConfig, crew: Crew, space: Space) -> list[Part]:
    """All parts of the stages that `stage=` asks for, by what the stages before have found so far."""
    known = stored_results(cfg, crew, space)
    everywhere = dict.fromkeys(crew.scenarios.scenario_id, range(cfg.rollouts))
    clean, _ = wants(crew, space, crew.models, [Combination()], everywhere)
    zero = Part("zero_shot", 1, len(everywhere), len(crew.models), stored=_stored(crew, clean))
    controls = dict.fromkeys(lane.model for lane in crew.lanes if lane.control)
    beside, _ = wants(crew, space, controls, [Combination()], everywhere)
    parts = [zero, Part("anchors", 0, len(everywhere), 0)]
    if beside:
        parts.insert(1, Part("zero_shot: controls", 1, len(everywhere), len(controls), stored=_stored(crew, beside)))
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
    rebuilt = sum(space.code[name].stage == "compile" for name in values.attribute)
    if "anchors" not in known:
        most = min(len(DIFFICULTIES) * crew.scenarios.capability.nunique(), len(crew.scenarios))
        return Part("sensitivity", len(values), most, models, exact=False, rebuilt=rebuilt)
    anchors = list(known["anchors"].tables["anchors"].scenario_id.dropna())
    names = list(crew.models) if every else list(known["zero_shot"].tables["reference"].model)
    singles = [combination_of(rows) for _, rows in each_group(values, "combination")]
    wanted, left = wants(crew, space, names, singles, dict.fromkeys(anchors, range(cfg.rollouts)))
    pairs = len({(one.combination, one.scenario_id) for one in left})
    return Part(
        "sensitivity", len(values), len(anchors), models, stored=_stored(crew, wanted), left=pairs, rebuilt=rebuilt
    )


def _longest(sizes: "pd.Series[int]", m: int) -> int:
    """The longest nested sequence over m categories: it begins with m factors and ends with all of them."""
    return int(sizes.nlargest(m).sum()) - m + 1


def _stored(crew: Crew, wanted: list[Want]) -> int:
    return sum(want.size for want in wanted) - sum(want.size for want in look(crew, wanted).missing)
