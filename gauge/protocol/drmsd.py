"""D-RMSD: how much success a combination costs over all models (VLA-GAUGE, Eq. 4), in both of its readings."""

import math

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, each_group, joined, require


def rms_drop(clean: ArrayLike, perturbed: ArrayLike) -> float:
    """sqrt(mean(max(0, clean - perturbed)^2)) over all entries, in their unit.

    Raises:
        ValueError: there is no entry.
    """
    drops = np.maximum(0.0, np.asarray(clean, float) - np.asarray(perturbed, float))
    if drops.size == 0:
        raise ValueError("a root mean square needs at least one entry")
    return math.sqrt(float(np.mean(drops**2)))


def d_rmsd(rates: pd.DataFrame) -> pd.DataFrame:
    """Both readings of D-RMSD for every combination, in percentage points.

    `over_instances` is Eq. 4 as printed: the mean over models x scenarios. `over_models` is what the paper's Table IV
    prints: every model's success is averaged over the scenarios first. Scenarios count for a model where it was
    evaluated clean and perturbed. A model without clean success has a drop of 0 by the formula and is counted
    in `zero_clean`, because it makes both numbers look better than they are.

    Args:
        rates: clean and perturbed rows, see `gauge.protocol.tables`.

    Returns:
        One row per combination: over_models, over_instances (NA: not evaluated), models, instances, zero_clean, note.
    """
    require(rates, RATES, "rates")
    frame = clean_and_perturbed(rates)
    rows = [{"combination": name, **_row(group)} for name, group in each_group(frame, "combination")]
    columns = ["combination", "over_models", "over_instances", "models", "instances", "zero_clean", "note"]
    return pd.DataFrame(rows, columns=columns).astype({"over_models": "Float64", "over_instances": "Float64"})


def clean_and_perturbed(rates: pd.DataFrame) -> pd.DataFrame:
    """One row per perturbed (model, combination, scenario_id): clean and perturbed success, NA where unknown."""
    clean = rates.loc[rates.combination == CLEAN, ["model", "scenario_id", "sr"]].rename(columns={"sr": "clean"})
    frame = rates.loc[rates.combination != CLEAN, ["model", "combination", "scenario_id", "sr"]]
    frame = frame.rename(columns={"sr": "perturbed"})
    return frame.merge(clean, on=["model", "scenario_id"], how="left", validate="many_to_one")


def _row(group: pd.DataFrame) -> dict[str, object]:
    known = group.dropna(subset=["clean", "perturbed"])
    absent = set(group.model) - set(known.model)
    if known.empty:
        return {"models": 0, "instances": 0, "zero_clean": 0, "note": NOT_EVALUATED}
    models = known.groupby("model")[["clean", "perturbed"]].mean().astype(float)
    return {
        "over_models": 100 * rms_drop(models.clean, models.perturbed),
        "over_instances": 100 * rms_drop(known.clean.astype(float), known.perturbed.astype(float)),
        "models": len(models),
        "instances": len(known),
        "zero_clean": int((models.clean == 0).sum()),
        "note": f"{NOT_EVALUATED}: {joined(absent)}" if absent else "",
    }
