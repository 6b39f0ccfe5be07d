"""Stage 2: candidate combinations of categories, and nested sequences of factors (VLA-GAUGE, IV-B).

A table of candidates has one row per item: name (`PCC(m,n)` or `PFC(m,n)`), m (categories), n (number within m),
combination (its label), position (order of adding), category, factor, attribute, value, and for factors sequence.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, count

import numpy as np
import pandas as pd

from gauge.core.seeds import seed as stable_seed
from gauge.errors import GaugeError
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each, each_group

CANDIDATES = ("name", "m", "n", "combination", "position", "category", "factor", "attribute", "value")


def configuration(
    sensitive: pd.DataFrame, attributes: pd.DataFrame, factors: pd.DataFrame, seed: int = 0
) -> pd.DataFrame:
    """What each factor contributes: its lowest-score attribute with one value drawn from that attribute's V_sens.

    Attributes with equal scores are decided by name. The draw depends on the seed and the factor alone. A factor
    without a score contributes nothing and is left out.

    Args:
        sensitive: see `gauge.protocol.sensitivity.sensitive_values`.
        attributes: see `gauge.protocol.sensitivity.attribute_scores`.
        factors: see `gauge.protocol.sensitivity.factor_scores`.
        seed: root seed of the draws.

    Returns:
        One row per factor, in the order of `factors`: category, factor, score (the factor's), attribute, value.

    Raises:
        GaugeError: no factor has a score.
    """
    known = attributes[attributes.score.notna()]
    rounded = known.assign(rounded=known.score.astype(float).round(9)).sort_values(["rounded", "attribute"])
    lowest = rounded.drop_duplicates("factor").set_index("factor").attribute
    rows = [
        {"category": row.category, "factor": row.factor, "score": row.score, "attribute": lowest[row.factor]}
        for row in each(factors)
        if row.factor in lowest.index
    ]
    if not rows:
        raise GaugeError("no perturbation factor has a sensitivity score; run stage=sensitivity first")
    frame = pd.DataFrame(rows)
    frame["value"] = pd.Series([_draw(sensitive, row.attribute, row.factor, seed) for row in each(frame)], dtype=object)
    return frame


def category_candidates(config: pd.DataFrame) -> pd.DataFrame:
    """All non-empty subsets of the categories, each category represented by its lowest-score factor.

    Equal scores are decided by factor name. Categories keep the order of `config`; subsets come by size.
    """
    by_score = config.assign(rounded=config.score.astype(float).round(9)).sort_values(["rounded", "factor"])
    lowest = by_score.drop_duplicates("category").set_index("category")
    names = list(config.category.unique())
    rows = []
    for m in range(1, len(names) + 1):
        for n, subset in enumerate(combinations(names, m), start=1):
            rows.append(_candidate("PCC", m, n, lowest.loc[list(subset)].reset_index()))
    return pd.concat(rows, ignore_index=True)


def factor_candidates(config: pd.DataFrame, retained: Iterable[Sequence[str]]) -> pd.DataFrame:
    """The nested sequences of factors inside each retained category combination, before any saturation stop.

    A sequence starts from the highest-score factor of each of its categories and adds the remaining factors one at a
    time in descending score. Equal scores are decided by factor name. `n` counts on over all sequences with the
    same number of categories.

    Args:
        config: see `configuration`.
        retained: the categories of every retained category combination.

    Returns:
        A table of candidates with `sequence` (from 0, in the order of `retained`).
    """
    numbers: dict[int, count[int]] = {}
    rows = []
    for sequence, categories in enumerate(retained):
        m = len(categories)
        ordered = _descending(config[config.category.isin(list(categories))])
        for size in range(m, len(ordered) + 1):
            n = next(numbers.setdefault(m, count(1)))
            rows.append(_candidate("PFC", m, n, ordered.head(size)).assign(sequence=sequence))
    return pd.concat(rows, ignore_index=True)


def until_saturated(candidates: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """The candidates that the screening evaluates: of each sequence those up to its first saturated one.

    The saturated one is among them: it is what shows the boundary (the paper counts it, 2 + 4 + 9 = 15). A
    sequence ends as well at the first candidate that has no result yet, which is the next to evaluate.

    Args:
        candidates: see `factor_candidates`.
        judged: results so far, see `gauge.protocol.selection.judge`; candidates without a row have none.
    """
    done = judged[judged.evaluated]
    open_names = set(done.name[~done.saturated])
    kept: list[pd.DataFrame] = []
    for _, sequence in candidates.groupby("sequence", sort=False):
        for name, rows in each_group(sequence, "name"):
            kept.append(rows)
            if name not in open_names:
                break
    return pd.concat(kept, ignore_index=True)


def summary(candidates: pd.DataFrame) -> pd.DataFrame:
    """One row per candidate: name, m, n, combination, categories and factors (joined by +, in order of adding)."""
    grouped = candidates.groupby(["name", "m", "n", "combination"], sort=False)
    return grouped.agg(
        categories=("category", lambda names: "+".join(dict.fromkeys(names))), factors=("factor", "+".join)
    ).reset_index()


def _draw(sensitive: pd.DataFrame, attribute: str, factor: str, seed: int) -> object:
    values = list(sensitive.value[(sensitive.attribute == attribute) & sensitive.sensitive])
    if not values:
        raise GaugeError(
            f"{attribute} has a score but no sensitive value; the sensitivity tables do not belong together"
        )
    rng = np.random.default_rng(stable_seed("screening", seed, factor))
    return values[int(rng.integers(len(values)))]


def _descending(config: pd.DataFrame) -> pd.DataFrame:
    """The seeds first (highest score per category, in the order of the categories), then the rest by score."""
    by_score = config.assign(rounded=-config.score.astype(float).round(9)).sort_values(["rounded", "factor"])
    seeds = by_score.drop_duplicates("category")
    rest = by_score.drop(index=seeds.index)
    order = {name: place for place, name in enumerate(config.category.unique())}
    return pd.concat([seeds.sort_values("category", key=lambda names: names.map(order)), rest])


def _candidate(kind: str, m: int, n: int, rows: pd.DataFrame) -> pd.DataFrame:
    items = rows[["category", "factor", "attribute", "value"]].reset_index(drop=True)
    named = items.assign(name=f"{kind}({m},{n})", m=m, n=n, combination=combination_of(items).label)
    return named.assign(position=range(len(items)))[list(CANDIDATES)]
