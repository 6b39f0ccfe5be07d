"""Which candidate combinations stand for the others: degradation, saturation and D-HM (VLA-GAUGE, Eq. 3)."""

from collections.abc import Sequence

import pandas as pd

from gauge.errors import GaugeError
from gauge.protocol.tables import NOT_EVALUATED, at_best, each_group, joined, require

EPSILON = 1e-6


def degradation(r: float) -> float:
    """D = max(0, 1 - R/100), in [0, 1]; an R above 100 is no degradation."""
    return max(0.0, 1.0 - r / 100.0)


def d_hm(degradations: Sequence[float]) -> float:
    """|M| / sum_m 1/(D(m) + 1e-6) - 1e-6: high only when every model loses much.

    Raises:
        ValueError: there is no model.
    """
    if not degradations:
        raise ValueError("a harmonic mean needs at least one model")
    return len(degradations) / sum(1.0 / (d + EPSILON) for d in degradations) - EPSILON


def judge(candidates: pd.DataFrame, scores: pd.DataFrame, reference: Sequence[str]) -> pd.DataFrame:
    """How far each candidate degrades the reference models on the anchors.

    A reference model without clean success has no R; it is left out and named. A candidate is saturated when every
    reference model that has an R has R = 0. It counts as evaluated only when every reference model that has an R
    for any candidate has one for it.

    Args:
        candidates: see `gauge.protocol.screening`.
        scores: R on the anchors, see `gauge.protocol.robustness.r_scores`.
        reference: names of the reference models.

    Returns:
        One row per candidate: name, m, n, combination, r_mean (percent), d_mean, d_hm, saturated, models, evaluated,
        note; numbers are NA where it is not evaluated.
    """
    require(candidates, ("name", "m", "n", "combination"), "candidates")
    require(scores, ("model", "combination", "r"), "R-Score")
    known = scores[scores.model.isin(list(reference)) & scores.r.notna()]
    usable = set(known.model)
    frame = candidates[["name", "m", "n", "combination"]].drop_duplicates("name", ignore_index=True)
    found = {label: dict(zip(rows.model, rows.r, strict=True)) for label, rows in each_group(known, "combination")}
    rows = [_judged(found.get(label, {}), usable, reference) for label in frame.combination]
    judged = pd.concat([frame, pd.DataFrame(rows, columns=_JUDGED)], axis=1)
    return judged.astype(dict.fromkeys(("r_mean", "d_mean", "d_hm"), "Float64"))


def retain(judged: pd.DataFrame) -> pd.DataFrame:
    """Marks, per number of categories, the unsaturated candidate with the highest D-HM; all ties are kept.

    Where all are saturated it is the one with the highest mean D.

    Args:
        judged: see `judge`; every candidate must be evaluated.

    Returns:
        `judged` with the column retained.

    Raises:
        GaugeError: a candidate has no result, which could change the choice.
    """
    missing = judged.name[~judged.evaluated]
    if len(missing):
        raise GaugeError(f"no choice yet: {joined(missing)} not evaluated; run stage=screening to the end")
    open_ = judged.d_hm.where(~judged.saturated)
    frame = judged.assign(open=open_, closed=~judged.saturated.groupby(judged.m).transform(lambda s: not s.all()))
    best = at_best(frame, "open", ["m"], largest=True)
    last = at_best(frame, "d_mean", ["m"], largest=True) & frame.closed.astype(bool)
    return judged.assign(retained=best | last)


_JUDGED = ["r_mean", "d_mean", "d_hm", "saturated", "models", "evaluated", "note"]


def _judged(found: dict[str, float], usable: set[str], reference: Sequence[str]) -> dict[str, object]:
    absent = usable - set(found)
    undefined = set(reference) - usable
    if not usable or absent:
        note = f"{NOT_EVALUATED}: {joined(absent)}" if absent and found else NOT_EVALUATED
        return {"r_mean": pd.NA, "saturated": False, "models": len(found), "evaluated": False, "note": note}
    d = [degradation(float(r)) for r in found.values()]
    return {
        "r_mean": sum(map(float, found.values())) / len(found),
        "d_mean": sum(d) / len(d),
        "d_hm": d_hm(d),
        "saturated": all(float(r) == 0.0 for r in found.values()),
        "models": len(found),
        "evaluated": True,
        "note": f"undefined for {joined(undefined)}" if undefined else "",
    }
