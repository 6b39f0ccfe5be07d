"""The tables that every protocol function reads, and how episodes become success rates.

Episodes: one row per episode, `model`, `combination` (a label; `clean` without perturbation), `scenario_id`,
`rollout`, `status` (success, fail or error). `attach` makes it out of the records' own table.

Rates: one row per (model, combination, scenario_id), the columns of `rates`. All protocol functions read this one,
so that 3.78 million episodes are looked at once.

Scenarios: one row per scenario, `scenario_id`, `capability`, `split` (id or ood).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gauge.errors import GaugeError

CLEAN = "clean"
NOT_EVALUATED = "not evaluated"
ZERO_CLEAN = "zero clean success"

EPISODES = ("model", "combination", "scenario_id", "rollout", "status")
RATES = ("model", "combination", "scenario_id", "successes", "n", "errors", "sr")
SCENARIOS = ("scenario_id", "capability", "split")
STATUSES = ("success", "fail", "error")

# Means of success rates that are equal on paper differ in their last bits; a tie must not hang on those.
TIE = 1e-9


def require(frame: pd.DataFrame, columns: Iterable[str], what: str) -> None:
    """Make sure that `frame` has all `columns`.

    Raises:
        GaugeError: some are missing.
    """
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise GaugeError(f"the {what} table lacks {', '.join(missing)}; it has {', '.join(map(str, frame.columns))}")


def attach(episodes: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """The records' episodes with `model` and `combination` of their cells.

    A refinement branch is a model of its own: its name is `model+branch`.

    Args:
        episodes: as `gauge.records.query.episodes` gives them.
        cells: one row per cell, `cell_id`, `model`, `branch`, `label`, as `gauge.records.query.summary` gives them.

    Raises:
        GaugeError: an episode's cell is not described, or a column is missing.
    """
    require(episodes, ("cell_id", "scenario_id", "rollout", "status"), "episodes")
    require(cells, ("cell_id", "model", "branch", "label"), "cells")
    unknown = sorted(set(episodes.cell_id) - set(cells.cell_id))
    if unknown:
        raise GaugeError(
            f"episodes of {len(unknown)} undescribed cells, e.g. {unknown[0]}; add them to the cells table"
        )
    names = cells.model.where(cells.branch == "none", cells.model + "+" + cells.branch)
    described = pd.DataFrame({"cell_id": cells.cell_id, "model": names, "combination": cells.label})
    return episodes.merge(described, on="cell_id", how="left", validate="many_to_one")


def rates(episodes: pd.DataFrame) -> pd.DataFrame:
    """One row per (model, combination, scenario_id), in sorted order.

    Columns: those keys; successes, n (evaluated: success or fail), errors; sr (successes / n, NA when n is 0).

    Raises:
        GaugeError: a column is missing or a status is unknown.
    """
    require(episodes, EPISODES, "episodes")
    odd = sorted(set(episodes.status.unique()) - set(STATUSES))
    if odd:
        raise GaugeError(f"unknown status {odd[0]!r}; a status is success, fail or error")
    keys = ["model", "combination", "scenario_id"]
    counted = episodes[keys].assign(
        successes=(episodes.status == "success").astype(np.int64),
        errors=(episodes.status == "error").astype(np.int64),
        n=(episodes.status != "error").astype(np.int64),
    )
    frame = counted.groupby(keys, observed=True, sort=True).sum().reset_index()
    frame[keys] = frame[keys].astype(str)
    frame = frame.sort_values(keys, kind="stable", ignore_index=True)
    return frame.assign(sr=ratio(frame.successes, frame.n))[list(RATES)]


def ratio(part: pd.Series, whole: pd.Series) -> pd.Series:
    """`part / whole` as Float64: NA, never 0, infinite or NaN, where `whole` is 0 or unknown."""
    divisor = whole.astype("Float64")
    known = (divisor > 0).fillna(False).astype(bool)
    return part.astype("Float64").where(known) / divisor.where(known)


def at_best(frame: pd.DataFrame, column: str, by: Sequence[str], largest: bool) -> pd.Series:
    """Which rows hold their group's largest (or smallest) value of `column`; all ties do, NA never does."""
    values = frame[column].astype("Float64")
    best = values.groupby([frame[name] for name in by]).transform("max" if largest else "min")
    return ((values - best).abs() <= TIE).fillna(False).astype(bool)


def each(frame: pd.DataFrame) -> Iterable[Any]:
    """The rows as named tuples, whose fields no type checker knows."""
    return frame.itertuples(index=False)


def each_group(frame: pd.DataFrame, by: str) -> Iterable[tuple[str, pd.DataFrame]]:
    """The rows of each text in column `by`, in the order in which they first occur; empty groups are left out."""
    for name, found in frame.groupby(by, sort=False, observed=True):
        yield str(name), found


def joined(names: Iterable[str]) -> str:
    """Names for a note, in sorted order."""
    return ", ".join(sorted(names))
