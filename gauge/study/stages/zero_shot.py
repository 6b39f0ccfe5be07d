"""Zero-shot: clean success of every model on every scenario (VLA-GAUGE, V-A)."""

import pandas as pd

from gauge.core.items import Combination
from gauge.core.metrics import Rate
from gauge.protocol.intervals import zero_shot_intervals
from gauge.protocol.means import labelled_means
from gauge.protocol.paired import compare_models
from gauge.protocol.radar import capability_radar
from gauge.protocol.reference import reference_models
from gauge.protocol.tables import each
from gauge.protocol.verdict import verdicts
from gauge.protocol.zero_shot import SPLITS, capability_rates
from gauge.study import figures
from gauge.study.controls import controlled
from gauge.study.lab import Lab
from gauge.study.pages import Report, Section, number, percent, span, texts


def compute(lab: Lab) -> Report:
    """Run and score all models on all scenarios without perturbation."""
    rollouts = range(lab.cfg.rollouts)
    everywhere = dict.fromkeys(lab.scenarios.scenario_id, rollouts)
    episodes, rates = lab.evaluate(lab.crew.models, [Combination()], everywhere)
    capability = capability_rates(rates, lab.scenarios, lab.crew.models)
    scores = zero_shot_intervals(rates, lab.scenarios, lab.rng("zero_shot"), lab.cfg.resamples)
    reference = reference_models(scores, lab.cfg.references)
    described = rates.merge(lab.scenarios[["scenario_id", "capability"]], on="scenario_id")
    means = labelled_means(described, ["model"])
    controls = controlled(lab, everywhere, rates)
    against = _against_best(episodes, str(reference.model.iloc[0]))
    tables = {
        "rates": rates,
        "capability": capability,
        "scores": scores,
        "reference": reference,
        "means": means,
        **({"comparisons": against} if len(against) else {}),
        **({"controls": controls.table} if controls else {}),
    }
    radar = capability_radar(capability)
    shown = figures.radar(radar[radar.split == "all"], "model", "clean success by capability, percent")
    sections = [*_sections(lab, tables, rates), *([controls.section(lab.crew.models)] if controls else [])]
    return Report(tables, sections, {} if shown is None else {"radar": shown})


def _against_best(episodes: pd.DataFrame, best: str) -> pd.DataFrame:
    """Every other model against the best one, on the same scenes and seeds."""
    others = [name for name in episodes.model.unique() if name != best]
    found = [compare_models(episodes, best, name) for name in others]
    return verdicts(pd.concat(found, ignore_index=True)) if found else pd.DataFrame()


def _sections(lab: Lab, tables: dict[str, pd.DataFrame], rates: pd.DataFrame) -> list[Section]:
    scores, capability, reference = tables["scores"], tables["capability"], tables["reference"]
    counted = rates.groupby("model")[["successes", "n", "errors"]].sum()
    rows = []
    for model in lab.crew.models:
        own = scores[scores.model == model]
        cells = [_score(own[own.split == split].iloc[0]) for split in SPLITS if split in set(own.split)]
        total = Rate(int(counted.successes[model]), int(counted.n[model]), int(counted.errors[model]))
        rows.append((model, *cells, total, total.errors))
    splits = [split for split in SPLITS if split in set(scores.split)]
    heads = ["model", *(f"ZS {split.upper()}" for split in splits), "all episodes", "errors"]
    note = f"Reference models: {', '.join(reference.model)}." + (
        " A tie was decided by name." if reference.tied.any() else ""
    )
    wide = capability[capability.split == "all"].pivot(index="model", columns="capability", values="sr")
    by_capability = texts(
        [(model, *(percent(wide.loc[model, name]) for name in wide.columns)) for model in lab.crew.models],
        ["model", *wide.columns],
    )
    found = [
        Section("Zero-shot scores (mean over capabilities, 95% interval over scenarios)", texts(rows, heads), [note]),
        Section("Clean success by capability", by_capability),
    ]
    if "comparisons" in tables:
        found.append(Section("Against the best model, same scenes and seeds", against_table(tables["comparisons"])))
    return found


def _score(row: "pd.Series[float]") -> str:
    return f"{percent(row.zs)} {span(row.low, row.high, 100)}".strip()


def against_table(comparisons: pd.DataFrame) -> pd.DataFrame:
    """Paired verdicts on models as text."""
    rows = [
        (
            row.after,
            f"{number(100 * row.difference)} {span(row.low, row.high, 100)}",
            "<0.0001" if not pd.isna(row.p_holm) and row.p_holm < 1e-4 else number(row.p_holm, 4),
            row.verdict,
            "none" if pd.isna(row.detectable) else f"{100 * row.detectable:.1f}",
        )
        for row in each(comparisons)
    ]
    return texts(rows, ["model", "difference, points", "p (Holm)", "verdict", "detectable, points"])
