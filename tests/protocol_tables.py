"""Small tables for the tests of gauge.protocol."""

from collections.abc import Iterable, Mapping

import pandas as pd

from gauge.protocol.space import space_table
from gauge.protocol.tables import ratio

Counts = Mapping[tuple[str, str, str], tuple[int, int]]


def rates_of(counts: Counts) -> pd.DataFrame:
    """(model, combination, scenario) to (successes, n), as a rates table."""
    rows = [(*keys, successes, n, 0) for keys, (successes, n) in counts.items()]
    frame = pd.DataFrame(rows, columns=["model", "combination", "scenario_id", "successes", "n", "errors"])
    return frame.assign(sr=ratio(frame.successes, frame.n))


def scenarios_of(*rows: tuple[str, str, str]) -> pd.DataFrame:
    """(scenario, capability, split), as a scenarios table."""
    return pd.DataFrame(rows, columns=["scenario_id", "capability", "split"])


def scores_of(values: Mapping[tuple[str, str], float | None]) -> pd.DataFrame:
    """(model, combination) to R in percent, None for an undefined one, as an R-Score table."""
    rows = [(model, label, pd.NA if r is None else r) for (model, label), r in values.items()]
    return pd.DataFrame(rows, columns=["model", "combination", "r"]).astype({"r": "Float64"})


def space_of(*attributes: tuple[str, str, str, Iterable[float | str], bool]) -> pd.DataFrame:
    """(category, factor, attribute, values, mutable), as a perturbation space."""
    names = ("category", "factor", "attribute", "values", "mutable")
    return space_table([dict(zip(names, row, strict=True)) for row in attributes])


def episodes_of(*rows: tuple[str, str, str, int, str]) -> pd.DataFrame:
    """(model, combination, scenario, rollout, status), as an episodes table."""
    return pd.DataFrame(rows, columns=["model", "combination", "scenario_id", "rollout", "status"])
