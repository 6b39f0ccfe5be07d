"""Numbers that cannot be, studies that mix conditions, and cells that are missing.

Reports R23, R39 and R40: printed rates that no count gives, results of different simulator versions or step limits
compared as if they were alike.
"""

import math

import pandas as pd

from gauge.errors import GaugeError
from gauge.protocol.tables import RATES, each, each_group, joined, require

# Alike over a whole study; the records' fingerprint fields that decide trajectories or pixels.
STUDY_FIELDS = ("mujoco", "robosuite", "libero", "numpy", "renderer")
# Alike for all models and combinations on one scenario.
SCENARIO_FIELDS = ("horizon", "settle_steps", "prompt")


def possible_counts(percent: float, n: int, decimals: int = 1) -> list[int]:
    """The success counts out of `n` that print as `percent` with so many decimals; empty when none does.

    Raises:
        ValueError: there is no trial.
    """
    if n < 1:
        raise ValueError("a rate needs at least one trial")
    slack = 0.5 * 10.0**-decimals + 1e-9  # halves may have been rounded either way
    low, high = (percent - slack) * n / 100, (percent + slack) * n / 100
    return list(range(max(0, math.ceil(low - 1e-9)), min(n, math.floor(high + 1e-9)) + 1))


def impossible_rates(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table of published rates that no whole number of successes gives.

    Args:
        table: percent (text as printed, or a number taken to have one decimal) and n, besides any other columns.

    Returns:
        The impossible rows with nearest (the closest possible rates, as text).
    """
    require(table, ("percent", "n"), "rates")
    rows: list[int] = []
    nearest: list[str] = []
    for position, (percent, n) in enumerate(zip(table.percent, table.n, strict=True)):
        decimals = len(str(percent).partition(".")[2]) if isinstance(percent, str) else 1
        if possible_counts(float(percent), int(n), decimals):
            continue
        count = float(percent) * int(n) / 100
        around = sorted({min(max(k, 0), int(n)) for k in (math.floor(count), math.ceil(count))})
        rows.append(position)
        nearest.append(" or ".join(f"{100 * k / int(n):.{decimals}f} ({k}/{int(n)})" for k in around))
    return table.iloc[rows].assign(nearest=nearest)


def differences(episodes: pd.DataFrame) -> pd.DataFrame:
    """Conditions that differ within one study, field by field.

    Errors are not looked at: they are no results. Fields that the table lacks, and empty values, are not compared.

    Args:
        episodes: see `gauge.protocol.tables`, with any of `STUDY_FIELDS` and `SCENARIO_FIELDS`.

    Returns:
        One row per mixed field: field, scenario_id ("" for the whole study), values (joined by " and "), groups
        (which models have which value).
    """
    require(episodes, ("model", "scenario_id", "status"), "episodes")
    done = episodes[episodes.status != "error"]
    rows: list[dict[str, str]] = []
    for name in STUDY_FIELDS:
        if name in done.columns:
            rows += _mixed(done[["model", name]].drop_duplicates(), name, "")
    for name in SCENARIO_FIELDS:
        if name not in done.columns:
            continue
        seen = done[["model", "scenario_id", name]].drop_duplicates()
        several = seen.groupby("scenario_id", observed=True)[name].transform("nunique") > 1
        for scenario, group in each_group(seen[several], "scenario_id"):
            rows += _mixed(group, name, scenario)
    return pd.DataFrame(rows, columns=["field", "scenario_id", "values", "groups"])


def uneven_rollouts(rates: pd.DataFrame) -> pd.DataFrame:
    """Scenarios that some models or combinations were tried on more often than others.

    Returns:
        One row per such scenario: scenario_id, values (the numbers of episodes, errors included), groups (examples).
    """
    require(rates, RATES, "rates")
    seen = rates.assign(tried=rates.n + rates.errors)
    several = seen.groupby("scenario_id")["tried"].transform("nunique") > 1
    rows = []
    for scenario, group in each_group(seen[several], "scenario_id"):
        examples = group.drop_duplicates("tried").sort_values("tried")
        shown = [f"{row.tried} in {row.model} {row.combination}" for row in each(examples)]
        values = " and ".join(str(count) for count in examples.tried)
        rows.append({"scenario_id": scenario, "values": values, "groups": "; ".join(shown)})
    return pd.DataFrame(rows, columns=["scenario_id", "values", "groups"])


def refuse_mixed(episodes: pd.DataFrame) -> None:
    """Make sure that one study compares like with like.

    Raises:
        GaugeError: simulator versions, step limits, settling or prompts differ; the sentence holds the difference.
    """
    found = differences(episodes)
    if found.empty:
        return
    first = found.iloc[0]
    where = f" on {first.scenario_id}" if first.scenario_id else ""
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    raise GaugeError(
        f"the results mix {first.field} {first['values']}{where} ({first.groups}){more}; "
        "analyse them as separate studies, or evaluate the odd ones anew"
    )


def missing(rates: pd.DataFrame, plan: pd.DataFrame, rollouts: int) -> pd.DataFrame:
    """The planned (model, combination, scenario) that lack valid episodes.

    Args:
        rates: see `gauge.protocol.tables`.
        plan: one row per planned cell and scenario: model, combination, scenario_id.
        rollouts: planned episodes of each.

    Returns:
        The incomplete rows of `plan` with n (valid), errors, planned.
    """
    keys = ["model", "combination", "scenario_id"]
    require(plan, keys, "plan")
    frame = plan[keys].merge(rates[[*keys, "n", "errors"]], on=keys, how="left")
    frame[["n", "errors"]] = frame[["n", "errors"]].fillna(0).astype(int)
    return frame[frame.n < rollouts].assign(planned=rollouts).reset_index(drop=True)


def _mixed(seen: pd.DataFrame, name: str, scenario: str) -> list[dict[str, str]]:
    known = seen[seen[name].notna() & (seen[name].astype(str) != "")]
    values = {str(value): joined(set(rows.model.astype(str))) for value, rows in known.groupby(name, observed=True)}
    if len(values) < 2:
        return []
    groups = "; ".join(f"{value}: {models}" for value, models in values.items())
    return [{"field": name, "scenario_id": scenario, "values": " and ".join(values), "groups": groups}]
