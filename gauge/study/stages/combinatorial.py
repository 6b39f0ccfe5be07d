"""Stage 3, combinatorial evaluation: the retained combinations on all scenarios (VLA-GAUGE, IV-B, Eq. 4)."""

from collections.abc import Mapping

import pandas as pd

from gauge.core.items import Combination
from gauge.protocol.intervals import d_rmsd_intervals, r_score_intervals
from gauge.protocol.means import labelled_means
from gauge.protocol.paired import compare_with_clean
from gauge.protocol.radar import robustness_radar
from gauge.protocol.robustness import mean_r, r_scores
from gauge.protocol.schedule import by_candidate, mode_schedule
from gauge.protocol.space import combination_of, dynamic_combination_of
from gauge.protocol.tables import CLEAN, each_group, rates
from gauge.protocol.verdict import verdicts
from gauge.study import figures
from gauge.study.lab import Lab, filled
from gauge.study.pages import Report, Section, number, percent, span, texts
from gauge.study.plan import Want, plan_table, wants
from gauge.study.stages.sensitivity import verdict_section


def compute(lab: Lab) -> Report:
    """Run every retained combination, static or dynamic by trial, on all scenarios; score all models."""
    retained, values = lab.table("screening", "retained"), lab.table("sensitivity", "values")
    modes = mode_schedule(retained, values, lab.scenarios.scenario_id, lab.cfg.rollouts, lab.cfg.seed)
    wanted = planned(lab, retained, values, modes)
    episodes, _ = lab.observe(wanted)
    named = by_candidate(episodes.astype({"combination": str}), modes)
    found = filled(rates(named), _by_name(plan_table(wanted), modes))
    scores, keys = r_scores(found), ["model", "combination"]
    ends = r_score_intervals(found, lab.scenarios, lab.rng("combinatorial", "r"), lab.cfg.resamples)
    tables = {
        "rates": found,
        "scores": scores.merge(ends[[*keys, "low", "high"]], on=keys, how="left"),
        "means_of_r": pd.concat([mean_r(scores, ["model"]), mean_r(scores, ["combination"])], ignore_index=True),
        "d_rmsd": d_rmsd_intervals(found, lab.scenarios, lab.rng("combinatorial", "d"), lab.cfg.resamples),
        "verdicts": verdicts(compare_with_clean(named), ["model"]),
        "means": labelled_means(found.merge(lab.scenarios[["scenario_id", "capability"]], on="scenario_id")),
        "radar": robustness_radar(found, lab.scenarios),
        "modes": modes.groupby(["name", "mode", "combination"], sort=False).size().rename("trials").reset_index(),
    }
    return Report(tables, _sections(lab, retained, tables), _figures(tables))


def planned(lab: Lab, retained: pd.DataFrame, values: pd.DataFrame, modes: pd.DataFrame) -> list[Want]:
    """The clean cells, and of each static and dynamic cell the trials that have its mode."""
    everywhere = dict.fromkeys(lab.scenarios.scenario_id, range(lab.cfg.rollouts))
    found, _ = wants(lab.crew, lab.space, lab.crew.models, [Combination()], everywhere)
    combinations: dict[str, Combination] = {}
    for _, rows in each_group(retained, "name"):
        for one in (combination_of(rows), dynamic_combination_of(rows, values)):
            combinations[one.label] = one
    for label, trials in modes.groupby("combination", sort=False):
        episodes = {
            str(name): sorted(set(map(int, rows.rollout))) for name, rows in trials.groupby("scenario_id", sort=False)
        }
        more, left = wants(lab.crew, lab.space, lab.crew.models, [combinations[str(label)]], episodes)
        found += more
        lab.left |= dict.fromkeys(left)
    return found


def _by_name(plan: pd.DataFrame, modes: pd.DataFrame) -> pd.DataFrame:
    """The plan with the candidates' names in place of their cells' labels."""
    names = modes[["combination", "name"]].drop_duplicates()
    clean = plan[plan.combination == CLEAN]
    named = plan.merge(names, on="combination").drop(columns="combination").rename(columns={"name": "combination"})
    return pd.concat([clean, named], ignore_index=True).drop_duplicates(ignore_index=True)


def _sections(lab: Lab, retained: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> list[Section]:
    scores, drops = tables["scores"], tables["d_rmsd"]
    names = list(dict.fromkeys(retained.name))
    described = [
        (name, ", ".join(retained.factor[retained.name == name]), retained.combination[retained.name == name].iloc[0])
        for name in names
    ]
    rows = []
    for model in lab.crew.models:
        own = scores[scores.model == model].set_index("combination")
        cells = [_score(own.loc[name]) if name in own.index else "not evaluated" for name in names]
        means = tables["means_of_r"]
        mean = means.r_mean[means.model == model]
        rows.append((model, *cells, number(mean.iloc[0]) if len(mean) else "not evaluated"))
    heads = ["model", *names, "mean"]
    readings = [
        (name, *(_drop(drops[(drops.combination == name) & (drops.reading == reading)]) for reading in READINGS))
        for name in names
    ]
    return [
        Section("Retained combinations", texts(described, ["", "factors", "configuration"])),
        Section("R-Score, percent of clean success (95% interval over scenarios)", texts(rows, heads)),
        Section("D-RMSD, points (95% interval over scenarios)", texts(readings, ["", "over models", "over instances"])),
        verdict_section(tables["verdicts"], "combinations"),
    ]


READINGS = ("over_models", "over_instances")


def _score(row: "pd.Series[float]") -> str:
    if row.note:
        return str(row.note)
    return f"{number(row.r)} {span(row.low, row.high)} ({percent(row.perturbed_sr)} of {percent(row.clean_sr)})"


def _drop(rows: pd.DataFrame) -> str:
    if rows.empty:
        return "not evaluated"
    row = rows.iloc[0]
    return f"{number(row.d_rmsd)} {span(row.low, row.high)}"


def _figures(tables: Mapping[str, pd.DataFrame]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, points in each_group(tables["radar"], "combination"):
        drawn = figures.radar(points, "model", f"R-Score by capability, {name}, percent of clean success")
        if drawn is not None:
            found["radar_" + name.replace("(", "_").replace(",", "_").replace(")", "")] = drawn
    scores = tables["scores"]
    if len(scores):
        models = list(dict.fromkeys(scores.model))
        series = {
            name: [_number(rows.r[rows.model == model]) for model in models]
            for name, rows in each_group(scores, "combination")
        }
        found["r_scores"] = figures.bars(models, series, "R-Score on all scenarios", "percent of clean success")
    return found


def _number(values: "pd.Series[float]") -> float | None:
    return None if values.empty or pd.isna(values.iloc[0]) else float(values.iloc[0])
