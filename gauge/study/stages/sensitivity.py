"""Stage 1, sensitivity: every value of every attribute alone, on the anchors (VLA-GAUGE, IV-B, Eq. 2)."""

from dataclasses import replace

import pandas as pd

from gauge.core.items import Combination
from gauge.protocol import sensitivity
from gauge.protocol.intervals import r_score_intervals
from gauge.protocol.paired import compare_with_clean
from gauge.protocol.robustness import r_scores
from gauge.protocol.tables import CLEAN, NOT_EVALUATED, each, each_group
from gauge.protocol.verdict import BETTER, CANNOT_TELL, WORSE, verdicts
from gauge.study import figures, races
from gauge.study.bench import Bench
from gauge.study.lab import Lab
from gauge.study.pages import Report, Section, number, texts


def compute(lab: Lab) -> Report:
    """Run all values alone, score attributes and factors, and rank them."""
    bench = Bench.of(lab)
    space = lab.space.table(lab.cfg.perturbations, lab.cfg.levels)
    if not bench.adaptive:
        everywhere = dict.fromkeys(bench.anchors, range(lab.cfg.rollouts))
        episodes, rates = lab.evaluate(bench.models, [Combination(), *races.singles(space)], everywhere)
        return describe(lab, bench.reference, space, episodes, rates)
    races.sensitivity(bench, space)
    episodes, rates = bench.again()
    found = describe(lab, bench.reference, space, episodes, rates)
    sections = [*found.sections, Section("Budget", None, [bench.said()])]
    return replace(found, tables={**found.tables, "budget": bench.spent()}, sections=sections)


def describe(
    lab: Lab, reference: list[str], space: pd.DataFrame, episodes: pd.DataFrame, rates: pd.DataFrame
) -> Report:
    """All tables from the episodes on the anchors."""
    scores = r_scores(rates)
    values = sensitivity.sensitive_values(sensitivity.value_scores(scores, space, reference))
    attributes = sensitivity.attribute_scores(values)
    factors = sensitivity.factor_scores(attributes)
    anchored = lab.scenarios[lab.scenarios.scenario_id.isin(rates.scenario_id)].reset_index(drop=True)
    ends = r_score_intervals(rates, anchored, lab.rng("sensitivity"), lab.cfg.resamples)
    keys = ["model", "combination"]
    compared = verdicts(compare_with_clean(episodes), ["model"]) if (episodes.combination != CLEAN).any() else None
    tables = {
        "rates": rates,
        "scores": scores.merge(ends[[*keys, "low", "high"]], on=keys, how="left"),
        "values": values,
        "attributes": attributes,
        "factors": factors,
        "rankings": sensitivity.rankings(attributes, factors),
        **({} if compared is None else {"verdicts": compared}),
    }
    ranked = tables["rankings"][tables["rankings"].ranking == sensitivity.OVERALL]
    bars = figures.bars(
        [str(name) for name in ranked.name],
        {"score": [None if pd.isna(score) else float(score) for score in ranked.score]},
        "Factor scores: mean R over the sensitive values (low is sensitive)",
        "percent of clean success",
    )
    return Report(tables, _sections(tables), {"factors": bars})


def _sections(tables: dict[str, pd.DataFrame]) -> list[Section]:
    ranked = tables["rankings"][tables["rankings"].ranking == sensitivity.OVERALL]
    described = tables["factors"].set_index("factor")
    attributes = tables["attributes"]
    rows = []
    for row in each(ranked):
        own = attributes[(attributes.factor == row.name) & attributes.score.notna()]
        lowest = own.loc[own.score.astype(float).idxmin()] if len(own) else None
        worst = "" if lowest is None else f"{lowest.attribute} ({number(lowest.score)})"
        rank = "" if pd.isna(row.rank) else f"{row.rank}{' (tied)' if row.tied else ''}"
        rows.append((rank, row.name, described.category[row.name], number(row.score), worst, described.note[row.name]))
    heads = ["rank", "factor", "category", "score", "lowest attribute", "note"]
    found = [Section("Factors by sensitivity (score: mean R of the sensitive values)", texts(rows, heads))]
    if "verdicts" in tables:
        found.append(verdict_section(tables["verdicts"], "values"))
    return found


def verdict_section(compared: pd.DataFrame, what: str) -> Section:
    """How many comparisons with clean came out how, per model, and what could have been seen."""
    rows = []
    for model, own in each_group(compared, "model"):
        counts = own.verdict.value_counts()
        smallest = own.detectable.astype("Float64").median()
        rows.append(
            (
                model,
                *(int(counts.get(word, 0)) for word in (WORSE, BETTER, CANNOT_TELL, NOT_EVALUATED)),
                number(100 * smallest, unknown="none"),
            )
        )
    heads = ["model", WORSE, BETTER, CANNOT_TELL, NOT_EVALUATED, "detectable, points (median)"]
    title = f"{what.capitalize()} against clean, same scenes and seeds (McNemar, Holm over a model's {what})"
    return Section(title, texts(rows, heads))
