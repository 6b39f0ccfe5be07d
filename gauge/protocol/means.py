"""Means of success rates that say what they weigh equally: capabilities, scenarios or episodes."""

from collections.abc import Sequence

import pandas as pd

from gauge.protocol.tables import RATES, ratio, require

OVER_CAPABILITIES = "macro over capabilities"
OVER_SCENARIOS = "macro over scenarios"
OVER_EPISODES = "micro over episodes"


def labelled_means(rates: pd.DataFrame, by: Sequence[str] = ("model", "combination")) -> pd.DataFrame:
    """Every mean that could be meant by "the success rate", each under its name.

    The three agree when every capability has as many scenarios and every scenario as many episodes; where they
    do not, a printed mean without its name can be any of them.

    Args:
        rates: see `gauge.protocol.tables`; with a `capability` column the mean over capabilities is given too.
        by: one mean per combination of these columns.

    Returns:
        One row per group and mean: the columns `by`, mean (one of the three names), value in [0, 1] (NA: nothing
        evaluated), over (how many capabilities, scenarios or episodes it averages).
    """
    require(rates, [*RATES, *by], "rates")
    keys = list(by)
    micro = rates.groupby(keys, sort=False)[["successes", "n"]].sum().reset_index()
    found = [_labelled(micro[keys], OVER_EPISODES, ratio(micro.successes, micro.n), micro.n)]
    macro = rates.groupby(keys, sort=False).agg(value=("sr", "mean"), over=("sr", "count")).reset_index()
    found.append(_labelled(macro[keys], OVER_SCENARIOS, macro.value, macro.over))
    if "capability" in rates.columns:
        parts = rates.groupby([*keys, "capability"], sort=False).agg(sr=("sr", "mean")).reset_index()
        top = parts.groupby(keys, sort=False).agg(value=("sr", "mean"), over=("sr", "count")).reset_index()
        found.append(_labelled(top[keys], OVER_CAPABILITIES, top.value, top.over))
    return pd.concat(found).sort_values([*keys, "mean"], kind="stable", ignore_index=True)


def _labelled(keys: pd.DataFrame, name: str, value: pd.Series, over: pd.Series) -> pd.DataFrame:
    return keys.assign(mean=name, value=value.astype("Float64"), over=over.astype(int))
