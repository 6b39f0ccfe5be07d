"""Stage 2, screening: which combinations of categories and factors stand for the others (VLA-GAUGE, IV-B, Eq. 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from gauge.core.items import Combination
from gauge.protocol import screening, selection
from gauge.protocol.interaction import retention_test
from gauge.protocol.paired import compare_with_clean
from gauge.protocol.robustness import r_scores
from gauge.protocol.space import combination_of
from gauge.protocol.tables import CLEAN, each, each_group
from gauge.protocol.verdict import holm, verdicts
from gauge.study import figures
from gauge.study.lab import Lab
from gauge.study.pages import Report, Section, number, span, texts
from gauge.study.stages.sensitivity import verdict_section


@dataclass
class Bench:
    """The anchors, on which candidates are tried one after the other; keeps what was seen."""

    lab: Lab
    models: list[str]
    reference: list[str]
    anchors: list[str]
    episodes: dict[str, pd.DataFrame] = field(default_factory=dict)
    rates: dict[str, pd.DataFrame] = field(default_factory=dict)

    def judge(self, candidates: pd.DataFrame, wanted: Sequence[str]) -> pd.DataFrame:
        """Results of all candidates so far, after the combinations labelled `wanted` have been evaluated."""
        fresh = [label for label in dict.fromkeys([CLEAN, *wanted]) if label not in self.rates]
        built = {CLEAN: Combination(), **combinations(candidates)}
        where = dict.fromkeys(self.anchors, range(self.lab.cfg.rollouts))
        if fresh:
            episodes, rates = self.lab.evaluate(self.models, [built[label] for label in fresh], where)
            for label in fresh:
                self.episodes[label] = episodes[episodes.combination == label]
                self.rates[label] = rates[rates.combination == label]
        return selection.judge(candidates, r_scores(self.all_rates()), self.reference)

    def all_rates(self) -> pd.DataFrame:
        """Rates of everything that was tried."""
        return pd.concat(list(self.rates.values()), ignore_index=True)

    def all_episodes(self) -> pd.DataFrame:
        """Episodes of everything that was tried."""
        return pd.concat([part.astype({"combination": str, "model": str}) for part in self.episodes.values()])


def compute(lab: Lab) -> Report:
    """Try category combinations, then nested factor combinations until they saturate; retain one per size."""
    reference = list(lab.table("zero_shot", "reference").model)
    models = list(lab.crew.models) if lab.cfg.anchor_models == "all" else reference
    anchors = list(lab.table("anchors", "anchors").scenario_id.dropna())
    bench = Bench(lab, models, reference, anchors)
    values, attributes, factors = (lab.table("sensitivity", name) for name in ("values", "attributes", "factors"))
    config = screening.configuration(values, attributes, factors, lab.cfg.seed)
    categories = screening.category_candidates(config)
    judged_categories = selection.retain(bench.judge(categories, list(categories.combination)))
    kept = screening.summary(categories)
    kept = kept[kept.name.isin(judged_categories.name[judged_categories.retained])]
    sequences = screening.factor_candidates(config, [names.split("+") for names in kept.categories])
    screened = follow(bench, sequences)
    judged = selection.retain(bench.judge(screened, []))
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
    return Report(tables, _sections(tables), {"candidates": _figure(tables)})


def follow(bench: Bench, sequences: pd.DataFrame) -> pd.DataFrame:
    """Evaluate every sequence up to its first saturated candidate; the candidates that were evaluated."""
    done: list[str] = []
    while True:
        judged = bench.judge(sequences, done)
        screened = screening.until_saturated(sequences, judged)
        following = [label for label in dict.fromkeys(screened.combination) if label not in bench.rates]
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
