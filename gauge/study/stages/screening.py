"""Stage 2, screening: which combinations of categories and factors stand for the others (VLA-GAUGE, IV-B, Eq. 3)."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from gauge.core.items import Combination
from gauge.protocol import screening, selection
from gauge.protocol.interaction import retention_test
from gauge.protocol.paired import compare_with_clean
from gauge.protocol.robustness import r_scores
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each, each_group
from gauge.protocol.verdict import holm, verdicts
from gauge.study import figures, races
from gauge.study.bench import Bench
from gauge.study.lab import Lab
from gauge.study.pages import Report, Section, number, span, texts
from gauge.study.stages.sensitivity import verdict_section


def compute(lab: Lab) -> Report:
    """Try category combinations, then nested factor combinations until they saturate; retain one per size."""
    bench = Bench.of(lab)
    values, attributes, factors = (lab.table("sensitivity", name) for name in ("values", "attributes", "factors"))
    config = screening.configuration(values, attributes, factors, lab.cfg.seed)
    categories = screening.category_candidates(config)
    judged_categories = retained(bench, categories, judge(bench, categories, list(categories.combination)))
    kept = screening.summary(categories)
    kept = kept[kept.name.isin(judged_categories.name[judged_categories.retained])]
    sequences = screening.factor_candidates(config, [names.split("+") for names in kept.categories])
    screened = follow(bench, sequences)
    judged = retained(bench, screened, judge(bench, screened, []))
    tables = {
        "configuration": config,
        "categories": judged_categories.merge(_factors(categories), on="name"),
        "factors": judged.merge(_factors(screened), on="name"),
        "retained": screened[screened.name.isin(judged.name[judged.retained])].reset_index(drop=True),
        "scores": r_scores(bench.all_rates()),
        "rates": bench.all_rates(),
        "verdicts": verdicts(compare_with_clean(bench.all_episodes()), ["model"]),
        "interaction": interaction(lab, bench.all_rates(), pd.concat([categories, screened], ignore_index=True)),
    }
    sections = _sections(tables)
    if bench.adaptive:
        tables["budget"] = bench.spent()
        sections.append(Section("Budget", None, [bench.said()]))
    return Report(tables, sections, {"candidates": _figure(tables)})


def judge(bench: Bench, candidates: pd.DataFrame, wanted: Sequence[str]) -> pd.DataFrame:
    """Results of all candidates so far, after the combinations labelled `wanted` have been evaluated."""
    built = combinations(candidates)
    bench.run({label: built[label] for label in dict.fromkeys(wanted)}, first=True)
    if bench.adaptive and wanted:
        races.alive(bench, list(dict.fromkeys(wanted)))
    return selection.judge(candidates, r_scores(bench.all_rates()), bench.reference)


def retained(bench: Bench, candidates: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Which candidates are retained; with an adaptive budget after those in question have run on."""
    if bench.adaptive and judged.evaluated.all():
        races.choice(bench, candidates)
        judged = judge(bench, candidates, [])
    return selection.retain(judged)


def follow(bench: Bench, sequences: pd.DataFrame) -> pd.DataFrame:
    """Evaluate every sequence up to its first saturated candidate; the candidates that were evaluated."""
    done: list[str] = []
    while True:
        judged = judge(bench, sequences, done)
        screened = screening.until_saturated(sequences, judged)
        following = [label for label in dict.fromkeys(screened.combination) if label not in bench.asked]
        if not following:
            return screened
        done = following


def combinations(candidates: pd.DataFrame) -> dict[str, Combination]:
    """The distinct combinations of a table of candidates, by label."""
    return {
        label: combination_of(rows.drop_duplicates("position")) for label, rows in each_group(candidates, "combination")
    }


def interaction(lab: Lab, rates: pd.DataFrame, candidates: pd.DataFrame) -> pd.DataFrame:
    """Does each combination hurt more than its parts predict? Holm over a model's combinations."""
    parts = {
        label: [Combination((item,)).label for item in combination.items]
        for label, combination in combinations(candidates).items()
        if len(combination.items) > 1
    }
    singles = lab.table("sensitivity", "rates")
    known = rates[~rates.combination.isin(singles.combination)]
    every = pd.concat([singles[singles.model.isin(rates.model)], known], ignore_index=True)
    found = retention_test(every, parts)
    found.insert(1, "name", found.combination.map(dict(zip(candidates.combination, candidates.name, strict=True))))
    return found.assign(p_holm=found.p.groupby(found.model).transform(holm)) if len(found) else found


def _factors(candidates: pd.DataFrame) -> pd.DataFrame:
    return screening.summary(candidates)[["name", "categories", "factors"]]


def _sections(tables: dict[str, pd.DataFrame]) -> list[Section]:
    heads = ["", "factors", "mean R", "mean D", "D-HM", "saturated", "retained", "note"]
    found = []
    for name, title in (("categories", "Category combinations"), ("factors", "Factor combinations, nested")):
        rows = [
            (
                row.name,
                row.factors,
                number(row.r_mean),
                number(row.d_mean, 3),
                number(row.d_hm, 3),
                "yes" if row.saturated else "",
                "yes" if row.retained else "",
                row.note,
            )
            for row in each(tables[name])
        ]
        found.append(Section(f"{title} on the anchors", texts(rows, heads)))
    found.append(verdict_section(tables["verdicts"], "combinations"))
    heads = ["model", "combination", "R", "R of the parts multiplied", "ratio", "verdict", "note"]
    tested = texts(map(_tested, each(tables["interaction"])), heads)
    return [*found, Section("Does a combination hurt more than its parts predict?", tested)]


def _tested(row: Any) -> Sequence[str]:
    ratio = f"{number(row.ratio, 2)} {span(row.low, row.high)}"
    return row.model, row.name, number(row.r), number(row.r_predicted), ratio, row.verdict, row.note


def _figure(tables: dict[str, pd.DataFrame]) -> object:
    shown = pd.concat([tables["categories"], tables["factors"]])
    labels = [f"{name}: {factors}" for name, factors in zip(shown.name, shown.factors, strict=True)]
    values = {
        title: [None if pd.isna(value) else float(value) for value in shown[column]]
        for column, title in (("d_hm", "D-HM"), ("d_mean", "mean D"))
    }
    return figures.bars(labels, values, "Degradation of the reference models on the anchors", "0: none, 1: all lost")
