"""Verdicts over a family of comparisons: better, worse or cannot tell, and what would be needed to tell."""

from collections.abc import Sequence

import pandas as pd
from statsmodels.stats.multitest import multipletests

from gauge.core.metrics import Rate
from gauge.protocol.power import (
    ALPHA,
    POWER,
    detectable_paired,
    detectable_unpaired,
    needed_paired,
    needed_unpaired,
)
from gauge.protocol.tables import NOT_EVALUATED, each, require
from gauge.protocol.unpaired import fisher_p, unpaired_interval

BETTER, WORSE, CANNOT_TELL = "better", "worse", "cannot tell"


def holm(p: pd.Series) -> pd.Series:
    """Holm's adjusted p-values; NA stays NA and does not count as a member of the family."""
    values = p.astype("Float64")
    known = values.dropna()
    adjusted = pd.Series(pd.NA, index=values.index, dtype="Float64")
    if len(known):
        adjusted[known.index] = multipletests(known.to_numpy(float), method="holm")[1]
    return adjusted


def verdicts(
    comparisons: pd.DataFrame, family: Sequence[str] = (), alpha: float = ALPHA, power: float = POWER
) -> pd.DataFrame:
    """A verdict on every paired comparison, with the error over each family held at `alpha` (Holm).

    Args:
        comparisons: see `gauge.protocol.paired`.
        family: columns; comparisons that agree in them are one family. Without columns all are one.
        alpha: error of the whole family.
        power: share of repetitions in which `detectable` is found and for which `needed` suffices.

    Returns:
        `comparisons` with family_size, p_holm, verdict (better, worse, cannot tell or not evaluated), detectable (the
        smallest difference this many pairs find at `alpha` for a single comparison; NA: none) and needed (pairs for
        the difference seen; NA: none seen).
    """
    require(comparisons, ("n", "lost", "gained", "difference", "p", *family), "comparisons")
    groups = [comparisons[name] for name in family] or [pd.Series(0, index=comparisons.index)]
    p = comparisons.p.astype("Float64")
    frame = comparisons.assign(
        family_size=p.groupby(groups).transform("count").astype(int), p_holm=p.groupby(groups).transform(holm)
    )
    frame["verdict"] = [verdict(d, p, alpha) for d, p in zip(frame.difference, frame.p_holm, strict=True)]
    changed = [_share(row.lost + row.gained, row.n) for row in each(frame)]
    sizes = list(zip(frame.n.astype(int), changed, strict=True))
    smallest = {size: detectable_paired(*size, alpha, power) for size in set(sizes)}  # large families repeat sizes
    detectable = [smallest[size] for size in sizes]
    needed = [
        None if pd.isna(d) else needed_paired(float(d), c, alpha, power)
        for d, c in zip(frame.difference, changed, strict=True)
    ]
    frame["detectable"] = pd.Series(detectable, index=frame.index, dtype="Float64")
    frame["needed"] = pd.Series(needed, index=frame.index, dtype="Int64")
    return frame


def verdict(difference: float, p: float, alpha: float = ALPHA) -> str:
    """The word for one comparison, `p` being adjusted for its family."""
    if pd.isna(difference) or pd.isna(p):
        return NOT_EVALUATED
    if p >= alpha or difference == 0:
        return CANNOT_TELL
    return BETTER if difference > 0 else WORSE


def compare_rates(before: Rate, after: Rate, alpha: float = ALPHA, power: float = POWER) -> str:
    """One sentence on two unpaired rates: both with intervals, the verdict, and what it would take to tell."""
    p, interval = fisher_p(before, after), unpaired_interval(before, after, 1 - alpha)
    if before.rate is None or after.rate is None or p is None or interval is None:
        return f"{NOT_EVALUATED}: {before} against {after}"
    difference = after.rate - before.rate
    points = f"{100 * difference:+.1f} points [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}], p = {p:.3g}"
    sentence = f"{verdict(difference, p, alpha)}: {after} against {before}, {points}"
    needed = needed_unpaired(before.rate, after.rate, alpha, power)
    if verdict(difference, p, alpha) == CANNOT_TELL and needed is not None:
        sentence += f"; a difference of this size needs about {needed} episodes on each side"
    smallest = detectable_unpaired(min(before.n, after.n), before.rate, alpha, power)
    if smallest is not None:
        sentence += f"; {min(before.n, after.n)} episodes can show {100 * smallest:.0f} points or more"
    return sentence


def _share(changed: float, n: int) -> float:
    return float(changed) / n if n else 0.0
