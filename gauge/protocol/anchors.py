"""Scenario difficulty and the anchors on which robustness is calibrated (VLA-GAUGE, IV-B)."""

from collections.abc import Sequence

import pandas as pd

from gauge.errors import GaugeError
from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, SCENARIOS, require

DIFFICULTIES = ("easy", "medium", "hard")
THRESHOLD = 0.6
EMPTY = "empty group"


def difficulty(
    rates: pd.DataFrame, scenarios: pd.DataFrame, reference: Sequence[str], threshold: float = THRESHOLD
) -> pd.DataFrame:
    """Easy, medium or hard: all, some or none of the reference models reach `threshold` on the clean scenario.

    With one reference model there is no medium. A scenario that a reference model was not evaluated on has no
    difficulty.

    Args:
        rates: see `gauge.protocol.tables`.
        scenarios: see `gauge.protocol.tables`.
        reference: names of the reference models.
        threshold: success rate, in [0, 1]; reaching it exactly counts.

    Returns:
        One row per scenario: the columns of `scenarios`, mean_sr over the reference models, reached (how many),
        difficulty (NA: not evaluated), note.

    Raises:
        GaugeError: there is no reference model.
    """
    require(rates, RATES, "rates")
    require(scenarios, SCENARIOS, "scenarios")
    if not reference:
        raise GaugeError("difficulty needs at least one reference model")
    wanted = rates[(rates.combination == CLEAN) & rates.model.isin(list(reference)) & rates.sr.notna()]
    # k / n is the double closest to the true rate, as is the literal 0.6, so 30 of 50 reaches it exactly.
    reached = wanted.assign(reached=wanted.sr >= threshold).groupby("scenario_id")
    known = reached.agg(mean_sr=("sr", "mean"), reached=("reached", "sum"), models=("sr", "size")).reset_index()
    frame = scenarios[list(SCENARIOS)].merge(known, on="scenario_id", how="left")
    complete = frame.models == len(set(reference))
    frame["mean_sr"] = frame.mean_sr.astype("Float64").where(complete)
    frame["reached"] = frame.reached.astype("Int64").where(complete)
    frame["difficulty"] = [_level(count, len(set(reference))) for count in frame.reached]
    frame["note"] = ["" if done else NOT_EVALUATED for done in complete]
    return frame.drop(columns="models")


def anchors(levels: pd.DataFrame) -> pd.DataFrame:
    """Per capability and difficulty the scenario whose mean success is closest to its group's median.

    Equal distances are decided by scenario id. An empty group stays in the table without a scenario: it is
    reported, never filled from another group.

    Args:
        levels: see `difficulty`.

    Returns:
        One row per (capability, difficulty): scenario_id (NA: empty), mean_sr, median, group (its size), note.
    """
    require(levels, ("scenario_id", "capability", "mean_sr", "difficulty"), "difficulty")
    rows = []
    for capability in levels.capability.unique():
        for name in DIFFICULTIES:
            group = levels[(levels.capability == capability) & (levels.difficulty == name)]
            rows.append({"capability": capability, "difficulty": name, **_anchor(group)})
    frame = pd.DataFrame(rows)
    return frame.astype({"mean_sr": "Float64", "median": "Float64", "scenario_id": "string"})


def anchor_scenarios(chosen: pd.DataFrame, scenarios: pd.DataFrame) -> pd.DataFrame:
    """The rows of `scenarios` that are anchors."""
    return scenarios[scenarios.scenario_id.isin(chosen.scenario_id.dropna())].reset_index(drop=True)


def _level(reached: int, models: int) -> str | None:
    if pd.isna(reached):
        return None
    return "easy" if reached == models else "medium" if reached else "hard"


def _anchor(group: pd.DataFrame) -> dict[str, object]:
    if group.empty:
        return {"scenario_id": pd.NA, "mean_sr": pd.NA, "median": pd.NA, "group": 0, "note": EMPTY}
    median = float(group.mean_sr.median())
    distance = (group.mean_sr.astype(float) - median).abs().round(9)
    row = group.assign(distance=distance).sort_values(["distance", "scenario_id"]).iloc[0]
    return {
        "scenario_id": row.scenario_id,
        "mean_sr": row.mean_sr,
        "median": median,
        "group": len(group),
        "note": "",
    }
