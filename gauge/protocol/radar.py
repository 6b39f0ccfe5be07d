"""Data of the capability radar: one axis per capability, one line per model (VLA-GAUGE, Figures 4 and 7)."""

import math

import pandas as pd

from gauge.protocol.robustness import r_scores
from gauge.protocol.tables import SCENARIOS, require


def capability_radar(capability: pd.DataFrame) -> pd.DataFrame:
    """Success by capability as points of a radar chart, in percent.

    Args:
        capability: see `gauge.protocol.zero_shot.capability_rates`.

    Returns:
        One row per (model, split, capability): axis (from 0, in the order of the table), angle_rad (counter-clockwise
        from the right), value (percent; NA: not evaluated, a gap in the line and never its centre), note.
    """
    require(capability, ("model", "split", "capability", "sr", "note"), "capability")
    frame = capability[["model", "split", "capability"]].copy()
    return _points(frame, 100 * capability.sr.astype("Float64"), capability.note)


def robustness_radar(rates: pd.DataFrame, scenarios: pd.DataFrame) -> pd.DataFrame:
    """R-Score by capability as points of a radar chart, in percent.

    Args:
        rates: clean and perturbed rows, see `gauge.protocol.tables`.
        scenarios: see `gauge.protocol.tables`.

    Returns:
        One row per (model, combination, capability): axis, angle_rad, value (percent; NA: undefined), note.
    """
    require(scenarios, SCENARIOS, "scenarios")
    order = {name: place for place, name in enumerate(scenarios.capability.unique())}
    joined = rates.merge(scenarios[["scenario_id", "capability"]], on="scenario_id", how="inner")
    keys = ["model", "combination", "capability"]
    scores = r_scores(joined, keys)
    scores = scores.sort_values(keys, key=lambda column: column.map(order) if column.name == "capability" else column)
    scores = scores.reset_index(drop=True)
    return _points(scores[keys].copy(), scores.r, scores.note)


def _points(frame: pd.DataFrame, value: pd.Series, note: pd.Series) -> pd.DataFrame:
    names = list(frame.capability.unique())
    frame["axis"] = [names.index(name) for name in frame.capability]
    frame["angle_rad"] = [2 * math.pi * axis / len(names) for axis in frame.axis]
    return frame.assign(value=value, note=note)
