"""Paired comparisons: the same scene and seed, once before and once after a change.

The exact McNemar test asks whether the pairs that changed sides did so evenly. The interval of the difference is
Newcombe's (1998, Statistics in Medicine 17, 2635-2650, method 10). Both are about these scenarios; how far a result
carries to other scenarios is what `gauge.protocol.intervals` says.
"""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
from statsmodels.stats.contingency_tables import mcnemar

from gauge.core.metrics import Interval, wilson
from gauge.errors import GaugeError
from gauge.protocol.tables import CLEAN, EPISODES, NOT_EVALUATED, each_group, require


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
    keys = ["scenario_id", "rollout"]
    for side in (before, after):
        require(side, (*keys, "status"), "episodes")
        if side.duplicated(keys).any():
            raise GaugeError("an episode occurs twice on one side of a comparison; compare one model and combination")
    merged = before.merge(after, on=keys, how="outer", suffixes=("_before", "_after"))
    known = merged.status_before.isin(["success", "fail"]) & merged.status_after.isin(["success", "fail"])
    if "seed_before" in merged and (merged.seed_before != merged.seed_after)[known].any():
        raise GaugeError("these episodes are not pairs: their seeds differ; evaluate both sides with the same seed=")
    first, second = merged.status_before[known] == "success", merged.status_after[known] == "success"
    counts = (first & second, first & ~second, ~first & second, ~first & ~second, ~known)
    return Pairs(*(int(found.sum()) for found in counts))


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
    before, after = wilson(first, pairs.n, confidence), wilson(second, pairs.n, confidence)
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
    rows = []
    for model, group in each_group(episodes, "model"):
        clean = group[group.combination == CLEAN]
        for name, perturbed in each_group(group[group.combination != CLEAN], "combination"):
            wanted = clean.merge(perturbed[["scenario_id", "rollout"]], on=["scenario_id", "rollout"])
            pairs = count_pairs(wanted, perturbed)
            rows.append({"model": model, "combination": name, **comparison(pairs, confidence)})
    return _table(rows, ["model", "combination"])


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
