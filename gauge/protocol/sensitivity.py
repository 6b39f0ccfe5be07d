"""Stage 1: which values hurt most or tell models apart, and how sensitive attributes and factors are (Eq. 2)."""

from collections.abc import Sequence

import pandas as pd

from gauge.errors import GaugeError
from gauge.protocol.space import SPACE
from gauge.protocol.tables import NOT_EVALUATED, at_best, joined, require

IN_FACTOR = "attributes in factor"
IN_CATEGORY = "factors in category"
OVERALL = "factors overall"


def value_scores(scores: pd.DataFrame, space: pd.DataFrame, reference: Sequence[str]) -> pd.DataFrame:
    """Mean R over the reference models and the gap between them, for every value of the space.

    A reference model without clean success on the anchors has no R at all and is left out for every value and named; a
    value that another reference model was not evaluated on cannot be compared with the others and gets no score.

    Args:
        scores: R on the anchors, see `gauge.protocol.robustness.r_scores`.
        space: see `gauge.protocol.space`.
        reference: names of the reference models, one or more.

    Returns:
        The rows of `space` with r_mean (percent), r_gap (largest minus smallest R of two or more models), models
        (how many have an R), note.

    Raises:
        GaugeError: there is no reference model.
    """
    require(scores, ("model", "combination", "r"), "R-Score")
    require(space, SPACE, "perturbation space")
    if not reference:
        raise GaugeError("sensitivity needs at least one reference model")
    known = scores[scores.model.isin(list(reference)) & scores.r.notna()]
    usable = set(known.loc[known.combination.isin(space.combination), "model"])
    grouped = known.groupby("combination")
    found = grouped.agg(r_mean=("r", "mean"), high=("r", "max"), low=("r", "min"), models=("r", "size"))
    frame = space.merge(found.reset_index(), on="combination", how="left")
    frame["models"] = frame.models.fillna(0).astype(int)
    complete = (frame.models == len(usable)) & (frame.models > 0)
    frame["r_gap"] = (frame.pop("high") - frame.pop("low")).where(complete & (frame.models >= 2)).astype("Float64")
    frame["r_mean"] = frame.r_mean.where(complete).astype("Float64")
    present = known.groupby("combination")["model"].agg(set).to_dict()
    undefined = f"undefined for {joined(set(reference) - usable)}" if set(reference) - usable else ""
    absent = [joined(usable - present.get(label, set())) for label in frame.combination]
    frame["note"] = [
        undefined if done else f"{NOT_EVALUATED}: {names}" if names else NOT_EVALUATED
        for done, names in zip(complete, absent, strict=True)
    ]
    return frame


def sensitive_values(values: pd.DataFrame) -> pd.DataFrame:
    """Marks V_deg, V_disc and their union V_sens.

    V_deg: the values with the attribute's lowest mean R. V_disc: those with the largest gap between the reference
    models. All ties are kept, as the paper says, even where no value makes a gap and so all tie at 0. With one
    reference model there is no gap and V_disc is empty. A value without a score is in neither.

    Args:
        values: see `value_scores`.

    Returns:
        `values` with the columns deg, disc and sensitive (true or false).
    """
    deg = at_best(values, "r_mean", ["attribute"], largest=False)
    disc = at_best(values, "r_gap", ["attribute"], largest=True)
    return values.assign(deg=deg, disc=disc, sensitive=deg | disc)


def attribute_scores(sensitive: pd.DataFrame) -> pd.DataFrame:
    """The mean over V_sens of each attribute's mean R; low is sensitive.

    Returns:
        One row per attribute: category, factor, attribute, score (percent; NA: no value was evaluated), values
        (size of V_sens), note.
    """
    chosen = sensitive.assign(r=sensitive.r_mean.where(sensitive.sensitive))
    keys = ["category", "factor", "attribute"]
    frame = chosen.groupby(keys, sort=False).agg(score=("r", "mean"), values=("r", "count")).reset_index()
    return frame.assign(note=["" if count else NOT_EVALUATED for count in frame["values"]])


def factor_scores(attributes: pd.DataFrame) -> pd.DataFrame:
    """The mean of the scores of a factor's attributes; attributes without a score are left out and named.

    Returns:
        One row per factor: category, factor, score (percent; NA: none), attributes (how many it averages), note.
    """
    known = attributes.assign(absent=attributes.attribute.where(attributes.score.isna()))
    grouped = known.groupby(["category", "factor"], sort=False)
    frame = grouped.agg(score=("score", "mean"), attributes=("score", "count"))
    absent = grouped["absent"].agg(lambda names: joined(names.dropna()))
    frame["note"] = [f"{NOT_EVALUATED}: {names}" if names else "" for names in absent]
    return frame.reset_index()


def rankings(attributes: pd.DataFrame, factors: pd.DataFrame) -> pd.DataFrame:
    """The three rankings: attributes in their factor, factors in their category, factors over all.

    Rank 1 is the most sensitive, the lowest score. Equal scores share a rank and stand in the order of their names;
    what has no score has no rank and comes last.

    Returns:
        One row per ranked thing: ranking, group (factor, category or ""), name, score, rank (NA: no score), tied.
    """
    overall = factors.assign(everything="")
    parts = [
        _ranked(attributes, IN_FACTOR, "factor", "attribute"),
        _ranked(factors, IN_CATEGORY, "category", "factor"),
        _ranked(overall, OVERALL, "everything", "factor"),
    ]
    return pd.concat(parts, ignore_index=True)


def _ranked(frame: pd.DataFrame, ranking: str, group: str, name: str) -> pd.DataFrame:
    rounded = frame.score.astype("Float64").round(9)
    grouped = rounded.groupby(frame[group])
    out = pd.DataFrame({"ranking": ranking, "group": frame[group], "name": frame[name], "score": frame.score})
    out["rank"] = grouped.rank(method="min").astype("Int64")
    out["tied"] = (out.groupby(["group", "rank"])["name"].transform("size") > 1).fillna(False).astype(bool)
    return out.sort_values(["group", "rank", "name"], ignore_index=True)
