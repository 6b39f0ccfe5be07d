"""R-Score: how much of the clean success is left under a perturbation (VLA-GAUGE after CronusVLA), in percent."""

from collections.abc import Sequence

import pandas as pd

from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, ZERO_CLEAN, joined, ratio, require


def r_scores(rates: pd.DataFrame, by: Sequence[str] = ("model", "combination")) -> pd.DataFrame:
    """R = 100 x sum of SR_perturbed / sum of SR_clean, both over the scenarios that were evaluated either way.

    R may exceed 100. Without a single clean success it is undefined: NA with the note "zero clean success", to be
    left out of means. Where nothing was evaluated it is NA with the note "not evaluated".

    Args:
        rates: clean and perturbed rows, see `gauge.protocol.tables`.
        by: the groups; columns of `rates`, `capability` for one R per capability. Must hold `combination`.

    Returns:
        One row per group that has a perturbed row: r (percent), clean_sr and perturbed_sr (means over the scenarios),
        scenarios (how many), missing (perturbed scenarios without a valid episode on either side), r_by_scenario (the
        secondary number: the mean of the scenarios' own ratios over those with clean success, percent),
        scenarios_nonzero (how many those are), note.
    """
    require(rates, [*RATES, *by], "rates")
    keys = list(by)
    clean = rates.loc[rates.combination == CLEAN, ["model", "scenario_id", "sr"]].rename(columns={"sr": "clean_sr"})
    frame = rates[rates.combination != CLEAN].rename(columns={"sr": "perturbed_sr"})
    frame = frame.merge(clean, on=["model", "scenario_id"], how="left", validate="many_to_one")
    both = frame.clean_sr.notna() & frame.perturbed_sr.notna()
    frame["missing"] = ~both
    for name in ("clean_sr", "perturbed_sr"):
        frame[name] = frame[name].astype("Float64").where(both)
    frame["r_by_scenario"] = 100 * ratio(frame.perturbed_sr, frame.clean_sr)
    found = frame.groupby(keys, sort=False).agg(
        clean_sr=("clean_sr", "mean"),
        perturbed_sr=("perturbed_sr", "mean"),
        scenarios=("clean_sr", "count"),
        missing=("missing", "sum"),
        r_by_scenario=("r_by_scenario", "mean"),
        scenarios_nonzero=("r_by_scenario", "count"),
    )
    found = found.reset_index()
    found.insert(len(keys), "r", 100 * ratio(found.perturbed_sr, found.clean_sr))
    found["note"] = [_note(count, clean) for count, clean in zip(found.scenarios, found.clean_sr, strict=True)]
    return found


def mean_r(scores: pd.DataFrame, by: Sequence[str] = ("combination",)) -> pd.DataFrame:
    """The mean R over the rows of a group, over models or over combinations; undefined ones are left out and named.

    Args:
        scores: see `r_scores`.
        by: the groups.

    Returns:
        One row per group: r_mean (percent, NA when none is defined), defined, undefined (counts), note.
    """
    keys = list(by)
    other = "model" if "model" not in keys else "combination"
    require(scores, [*keys, other, "r"], "R-Score")
    known = scores.assign(absent=scores[other].where(scores.r.isna()))
    grouped = known.groupby(keys, sort=False)
    frame = grouped.agg(r_mean=("r", "mean"), defined=("r", "count"), rows=("r", "size"))
    absent = grouped["absent"].agg(lambda names: joined(names.dropna()))
    frame["undefined"] = frame.pop("rows") - frame.defined
    frame["note"] = [f"undefined for {names}" if names else "" for names in absent]
    return frame.reset_index()


def _note(scenarios: int, clean: float) -> str:
    if scenarios == 0:
        return NOT_EVALUATED
    return ZERO_CLEAN if clean == 0 else ""
