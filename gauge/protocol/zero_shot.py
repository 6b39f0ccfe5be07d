"""Zero-shot scores: success by capability and split, and their mean over the capabilities (VLA-GAUGE, Eq. 1)."""

from collections.abc import Sequence

import pandas as pd

from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, SCENARIOS, joined, require

SPLITS = ("id", "ood", "all")


def capability_rates(rates: pd.DataFrame, scenarios: pd.DataFrame, models: Sequence[str] = ()) -> pd.DataFrame:
    """Clean success of every model on every capability: the mean of its scenarios' success rates.

    A scenario without any valid episode is left out of the mean and counted in `missing`; episodes of scenarios
    that are not in `scenarios` are not looked at.

    Args:
        rates: see `gauge.protocol.tables`.
        scenarios: see `gauge.protocol.tables`.
        models: which models; by default all that occur in `rates`, perturbed or clean.

    Returns:
        One row per (model, split, capability) with split in id, ood, all: sr in [0, 1] (NA: not evaluated),
        scenarios (evaluated), missing, note.
    """
    require(rates, RATES, "rates")
    require(scenarios, SCENARIOS, "scenarios")
    names = pd.DataFrame({"model": list(models) or sorted(rates.model.unique())})
    clean = rates.loc[rates.combination == CLEAN, ["model", "scenario_id", "sr"]]
    grid = names.merge(scenarios[list(SCENARIOS)], how="cross").merge(clean, on=["model", "scenario_id"], how="left")
    grid["sr"] = grid.sr.astype("Float64")
    both = pd.concat([grid, grid.assign(split="all")])
    both["split"] = pd.Categorical(both.split, SPLITS)
    both["capability"] = pd.Categorical(both.capability, scenarios.capability.unique())
    both["model"] = pd.Categorical(both.model, names.model)
    keys = ["model", "split", "capability"]
    frame = both.groupby(keys, observed=True).agg(
        sr=("sr", "mean"), scenarios=("sr", "count"), planned=("scenario_id", "size")
    )
    frame = frame.reset_index().astype(dict.fromkeys(keys, "str"))
    frame["missing"] = frame.pop("planned") - frame.scenarios
    frame["note"] = [NOT_EVALUATED if count == 0 else "" for count in frame.scenarios]
    return frame


def zero_shot(capability: pd.DataFrame) -> pd.DataFrame:
    """The zero-shot score ZS_y: the mean over the capabilities of SR_y, y in id, ood, all.

    A mean over fewer capabilities than the others' is no ZS: it is NA when the model lacks a single one.

    Args:
        capability: the columns model, split, capability, sr of `capability_rates`, in [0, 1] or in percent.

    Returns:
        One row per (model, split): zs in the unit of `sr`, capabilities (how many it averages), note.
    """
    require(capability, ("model", "split", "capability", "sr"), "capability")
    known = capability.assign(sr=capability.sr.astype("Float64"))
    known["absent"] = known.capability.where(known.sr.isna())
    grouped = known.groupby(["model", "split"], sort=False)
    frame = grouped.agg(zs=("sr", "mean"), capabilities=("sr", "count"), planned=("sr", "size"))
    absent = grouped["absent"].agg(lambda names: joined(names.dropna()))
    frame["note"] = [
        "" if evaluated == planned else NOT_EVALUATED if evaluated == 0 else f"{NOT_EVALUATED}: {names}"
        for evaluated, planned, names in zip(frame.capabilities, frame.planned, absent, strict=True)
    ]
    frame["zs"] = frame.zs.where(frame.note == "")
    return frame.drop(columns="planned").reset_index()
