"""Paired comparisons: the same scene and seed, once before and once after a change.

The exact McNemar test asks whether the pairs that changed sides did so evenly. The interval of the difference is
Newcombe's (1998, Statistics in Medicine 17, 2635-2650, method 10). Both are about these scenarios; how far a result
carries to other scenarios is what `gauge.protocol.intervals` says.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from gauge.core.metrics import Interval
from gauge.errors import GaugeError
from gauge.protocol.tables import CLEAN, EPISODES, NOT_EVALUATED, each_group, require

TWICE = "an episode occurs twice on one side of a comparison; compare one cell of each model and combination"


class Pairs(NamedTuple):
    """Counts of pairs by (before, after).

    Attributes:
        both, lost, gained, neither: success in both, before only, after only, in none.
        dropped: pairs of which one side is an error or missing.
    """

    both: int
    lost: int
    gained: int
    neither: int
    dropped: int = 0

    @property
    def n(self) -> int:
        """Pairs with both sides evaluated."""
        return self.both + self.lost + self.gained + self.neither

    @property
    def difference(self) -> float | None:
        """Success after minus before, in [-1, 1]; None without pairs."""
        return (self.gained - self.lost) / self.n if self.n else None


def count_pairs(before: pd.DataFrame, after: pd.DataFrame) -> Pairs:
    """The pairs of two sets of episodes, matched by (scenario_id, rollout).

    Args:
        before: episodes of one model under one combination: scenario_id, rollout, status; with `seed` it is compared.
        after: the same for the other side.

    Raises:
        GaugeError: an episode occurs twice on a side, or a pair has different seeds and so different scenes.
    """
    return Pairs(*_matched(before, after, ["scenario_id", "rollout"], "outer").sum().astype(int))


def mcnemar_p(pairs: Pairs) -> float | None:
    """The exact two-sided McNemar p-value; 1 when no pair changed sides, None without pairs."""
    if not pairs.n:
        return None
    if not pairs.lost + pairs.gained:
        return 1.0
    return float(mcnemar([[pairs.both, pairs.lost], [pairs.gained, pairs.neither]], exact=True).pvalue)


def paired_interval(pairs: Pairs, confidence: float = 0.95) -> Interval | None:
    """Newcombe's interval of the difference (after minus before), in [-1, 1]; None without pairs.

    It joins the Wilson intervals of both rates, allowing for their correlation phi with his continuity correction.
    """
    if not pairs.n:
        return None
    first, second = pairs.both + pairs.lost, pairs.both + pairs.gained
    before, after = (_wilson(count, pairs.n, confidence) for count in (first, second))
    p, q, phi = first / pairs.n, second / pairs.n, _phi(pairs)
    down = _joined(q - after.low, before.high - p, phi)
    up = _joined(after.high - q, p - before.low, phi)
    return Interval(max(-1.0, q - p - down), min(1.0, q - p + up))


def compare_with_clean(episodes: pd.DataFrame, confidence: float = 0.95) -> pd.DataFrame:
    """Every model's perturbed episodes against its clean ones on the same scenes and seeds.

    Only scenes that the combination was evaluated on count as pairs: the clean episodes of other scenarios and
    rollouts do not make the result incomplete.

    Args:
        episodes: see `gauge.protocol.tables`.
        confidence: of the intervals.

    Returns:
        One row per (model, combination): n, both, lost, gained, neither, dropped, difference (perturbed minus clean),
        low, high, p (NA: not evaluated), note.
    """
    require(episodes, EPISODES, "episodes")
    clean = episodes.combination == CLEAN
    keys, names = ["model", "scenario_id", "rollout"], ["model", "combination"]
    perturbed = episodes[~clean]
    if perturbed.duplicated([*keys, "combination"]).any():
        raise GaugeError(TWICE)
    # A left join on the perturbed side keeps its order, so its names can stand beside the result.
    found = _matched(perturbed, episodes[clean].drop(columns="combination"), keys, "left")
    found = found.rename(columns={"lost": "gained", "gained": "lost"})
    counted = found.groupby([perturbed[name].to_numpy() for name in names], observed=True).sum()
    rows = [
        {
            "model": model,
            "combination": name,
            **comparison(Pairs(*(int(row[field]) for field in Pairs._fields)), confidence),
        }
        for (model, name), row in zip(counted.index, counted.to_dict("records"), strict=True)
    ]
    return _table(rows, names)


def compare_models(episodes: pd.DataFrame, first: str, second: str, confidence: float = 0.95) -> pd.DataFrame:
    """Model `second` against model `first` on the same scenes and seeds, for every combination that both have.

    Returns:
        One row per combination: before (first), after (second) and the columns of `compare_with_clean`.
    """
    require(episodes, EPISODES, "episodes")
    sides = [dict(each_group(episodes[episodes.model == name], "combination")) for name in (first, second)]
    rows = []
    for label in sorted(set(sides[0]) & set(sides[1])):
        pairs = count_pairs(sides[0][label], sides[1][label])
        rows.append({"before": first, "after": second, "combination": label, **comparison(pairs, confidence)})
    return _table(rows, ["before", "after", "combination"])


def comparison(pairs: Pairs, confidence: float = 0.95) -> dict[str, object]:
    """The columns of one comparison; unknown numbers are None."""
    interval = paired_interval(pairs, confidence)
    low, high = interval or (None, None)
    counts = {"n": pairs.n, **{name: getattr(pairs, name) for name in ("both", "lost", "gained", "neither", "dropped")}}
    note = "" if pairs.n else NOT_EVALUATED
    return {**counts, "difference": pairs.difference, "low": low, "high": high, "p": mcnemar_p(pairs), "note": note}


def _matched(before: pd.DataFrame, after: pd.DataFrame, keys: list[str], how: Literal["left", "outer"]) -> pd.DataFrame:
    """One row per pair, and a column of true and false per field of `Pairs`."""
    for side in (before, after):
        require(side, (*keys, "status"), "episodes")
    columns = [*keys, "status", *(["seed"] if "seed" in before and "seed" in after else [])]
    if after.duplicated(keys).any() or (how == "outer" and before.duplicated(keys).any()):
        raise GaugeError(TWICE)
    merged = before[columns].merge(after[columns], on=keys, how=how, suffixes=("_before", "_after"))
    known = merged.status_before.isin(["success", "fail"]) & merged.status_after.isin(["success", "fail"])
    if "seed" in columns and (merged.seed_before != merged.seed_after)[known].any():
        raise GaugeError("these episodes are not pairs: their seeds differ; evaluate both sides with the same seed=")
    first, second = merged.status_before == "success", merged.status_after == "success"
    fields = (first & second, first & ~second, ~first & second, ~first & ~second)
    return pd.DataFrame(dict(zip(Pairs._fields, [*(field & known for field in fields), ~known], strict=True)))


def _wilson(successes: int, n: int, confidence: float) -> Interval:
    """As `gauge.core.metrics.wilson`, but without the test that scipy does along the way: most of a table's time."""
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    return Interval(float(low), float(high))


def _phi(pairs: Pairs) -> float:
    """Correlation of before and after; positive ones are reduced by n/2 in the numerator, at most to 0."""
    product = (
        (pairs.both + pairs.lost)
        * (pairs.gained + pairs.neither)
        * (pairs.both + pairs.gained)
        * (pairs.lost + pairs.neither)
    )
    if product == 0:
        return 0.0
    excess = float(pairs.both * pairs.neither - pairs.lost * pairs.gained)
    if excess > 0:
        excess = max(excess - pairs.n / 2, 0.0)
    return excess / math.sqrt(product)


def _joined(a: float, b: float, phi: float) -> float:
    return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))


def _table(rows: list[dict[str, object]], keys: list[str]) -> pd.DataFrame:
    columns = [*keys, "n", "both", "lost", "gained", "neither", "dropped", "difference", "low", "high", "p", "note"]
    frame = pd.DataFrame(rows, columns=columns).replace({None: np.nan})
    return frame.astype(dict.fromkeys(("difference", "low", "high", "p"), "Float64"))
