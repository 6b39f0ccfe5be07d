"""Scenario-clustered bootstrap intervals of ZS, R and D-RMSD.

What they answer: how far the score could move with other scenarios of the same kind. They do not cover the choice of
models. How scenarios are resampled is said in `gauge.protocol.resampling`.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.core.metrics import wilson
from gauge.protocol.drmsd import clean_and_perturbed
from gauge.protocol.resampling import RESAMPLES, Matrix, Resampler, Resamples, log_ends, percentile_ends
from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, SCENARIOS, ZERO_CLEAN, each, each_group, require
from gauge.protocol.zero_shot import SPLITS, capability_rates, zero_shot

FEW = "one scenario in a group: no interval"


def zero_shot_intervals(
    rates: pd.DataFrame,
    scenarios: pd.DataFrame,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """ZS of every model and split with its interval.

    Args:
        rates: see `gauge.protocol.tables`.
        scenarios: see `gauge.protocol.tables`.
        rng: source of the resamples.
        resamples: how many.
        confidence: of the interval.

    Returns:
        The rows of `gauge.protocol.zero_shot.zero_shot` with low and high, NA where ZS is NA or a capability has
        one evaluated scenario only (the note says so).
    """
    parts = capability_rates(rates, scenarios)
    frame = zero_shot(parts)
    rate = _matrix(rates[rates.combination == CLEAN], scenarios, "model", "sr")
    sampler = Resampler(list(zip(scenarios.capability, scenarios.split, strict=True)), rng, resamples)
    smallest = parts.groupby(["model", "split"])["scenarios"].min()
    rows: list[tuple[object, ...]] = []
    for row in each(frame):
        few = bool(smallest[(row.model, row.split)] < 2)
        if pd.isna(row.zs) or few:
            rows.append((pd.NA, pd.NA, row.note or FEW))
            continue
        values = rate[str(row.model)].to_numpy()
        known = ~np.isnan(values)
        inside = known if row.split == SPLITS[2] else known & (scenarios.split == row.split).to_numpy()
        means = _capability_means(values, sampler.over(known).weights, scenarios, inside)
        freedom = int(inside.sum()) - scenarios[inside].groupby(["capability", "split"]).ngroups
        low, high = percentile_ends(means.mean(axis=1), freedom, confidence)
        rows.append((low, high, ""))
    ends = pd.DataFrame(rows, columns=["low", "high", "note"], index=frame.index)
    return frame.assign(low=ends.low.astype("Float64"), high=ends.high.astype("Float64"), note=ends.note)


def r_score_intervals(
    rates: pd.DataFrame,
    scenarios: pd.DataFrame,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """R of every model and combination with its interval, in percent.

    Without a single success under the combination all resamples are 0; then the upper end is Wilson's for that many
    episodes, which is about these scenarios alone.

    Returns:
        One row per (model, combination): r, low, high (NA: undefined, or a single scenario), scenarios, note.
    """
    pairs = _pairs(rates, scenarios)
    sampler = Resampler(scenarios.capability.tolist(), rng, resamples)
    episodes = rates.groupby(["model", "combination"], observed=True)["n"].sum().to_dict()
    rows: list[tuple[object, ...]] = []
    for keys, group in pairs.groupby(["model", "combination"], sort=False):
        clean, perturbed, known = _sides(group, scenarios)
        drawn = sampler.over(known)
        weights = drawn.weights[:, known]
        with np.errstate(invalid="ignore", divide="ignore"):
            values = 100 * (weights @ perturbed[known]) / (weights @ clean[known])
        r = 100 * perturbed.sum() / clean.sum() if clean.sum() > 0 else None
        low, high, *more = _ends(values, r, known, drawn, confidence, logs=False)
        if r == 0.0 and low is not pd.NA:
            high = 100 * wilson(0, int(episodes[keys]), confidence).high / float(clean[known].mean())
        rows.append((*keys, r, low, high, *more))
    return _table(rows, ["model", "combination", "r", "low", "high", "scenarios", "note"], ["r", "low", "high"])


def d_rmsd_intervals(
    rates: pd.DataFrame,
    scenarios: pd.DataFrame,
    rng: np.random.Generator,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Both readings of D-RMSD of every combination with their intervals, in percentage points.

    The models are taken as given: the interval is about the scenarios. A drop that is measured with n rollouts
    holds sampling noise, so `over_instances` is higher than with endless rollouts; its interval is about the same n.

    Returns:
        One row per (combination, reading): d_rmsd, low, high, scenarios (of any model), note.
    """
    pairs = _pairs(rates, scenarios)
    sampler = Resampler(scenarios.capability.tolist(), rng, resamples)
    rows: list[tuple[object, ...]] = []
    for name, group in each_group(pairs, "combination"):
        sides = [_sides(rows_, scenarios) for _, rows_ in each_group(group, "model")]
        known = np.any([side[2] for side in sides], axis=0)
        drawn = sampler.over(known)
        squares = [_squares(*side, drawn.weights) for side in sides if side[2].any()]
        for reading in ("over_models", "over_instances"):
            point, values = _rms(squares, reading)
            rows.append((name, reading, point, *_ends(values, point, known, drawn, confidence, logs=True)))
    columns = ["combination", "reading", "d_rmsd", "low", "high", "scenarios", "note"]
    return _table(rows, columns, ["d_rmsd", "low", "high"])


class _Squares(NamedTuple):
    """Of one model: its squared drops, at the data (first row) and at every resample; sums over scenarios."""

    of_mean: Matrix  # [1 + B] squared drop of the mean success
    summed: Matrix  # [1 + B] sum of the scenarios' squared drops
    weight: Matrix  # [1 + B] weight of those scenarios


def _squares(clean: Matrix, perturbed: Matrix, known: NDArray[np.bool_], weights: Matrix) -> _Squares:
    all_weights = np.vstack([np.ones(len(known)), weights])
    count = all_weights @ known
    with np.errstate(invalid="ignore", divide="ignore"):
        drop = np.maximum(0.0, (all_weights @ (clean - perturbed)) / count)
    return _Squares(drop**2, all_weights @ np.maximum(0.0, clean - perturbed) ** 2, count)


def _rms(squares: list[_Squares], reading: str) -> tuple[float | None, Matrix]:
    if not squares:
        return None, np.zeros(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        if reading == "over_models":
            mean = np.mean([found.of_mean for found in squares], axis=0)
        else:
            mean = np.sum([f.summed for f in squares], axis=0) / np.sum([f.weight for f in squares], axis=0)
    values = 100 * np.sqrt(mean)
    return float(values[0]), values[1:]


def _ends(
    values: Matrix, point: float | None, known: NDArray[np.bool_], drawn: Resamples, confidence: float, logs: bool
) -> tuple[object, object, int, str]:
    """Low, high, scenarios, note of one row."""
    scenarios = int(known.sum())
    if scenarios == 0:
        return pd.NA, pd.NA, 0, NOT_EVALUATED
    if point is None:
        return pd.NA, pd.NA, scenarios, ZERO_CLEAN
    if scenarios == 1:
        return pd.NA, pd.NA, 1, FEW
    ends = log_ends(values, point, drawn.freedom, confidence) if logs else None
    return *(ends or percentile_ends(values, drawn.freedom, confidence)), scenarios, ""


def _capability_means(rate: Matrix, weights: Matrix, scenarios: pd.DataFrame, inside: NDArray[np.bool_]) -> Matrix:
    """Resampled capability means [B, capabilities] over the scenarios `inside`."""
    codes = pd.factorize(scenarios.capability)[0]
    used = (codes[:, None] == np.unique(codes[inside])) & inside[:, None]
    with np.errstate(invalid="ignore"):
        means: Matrix = (weights @ (used * np.nan_to_num(rate)[:, None])) / (weights @ used)
    return means


def _pairs(rates: pd.DataFrame, scenarios: pd.DataFrame) -> pd.DataFrame:
    require(rates, RATES, "rates")
    require(scenarios, SCENARIOS, "scenarios")
    pairs = clean_and_perturbed(rates)
    return pairs[pairs.scenario_id.isin(scenarios.scenario_id)]


def _sides(group: pd.DataFrame, scenarios: pd.DataFrame) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
    """Clean and perturbed success [S] in the order of `scenarios`, 0 where unknown, and where both are known."""
    ordered = group.set_index("scenario_id")[["clean", "perturbed"]].reindex(scenarios.scenario_id)
    values = ordered.to_numpy(dtype=float, na_value=np.nan)
    known = ~np.isnan(values).any(axis=1)
    values = np.where(known[:, None], values, 0.0)
    return values[:, 0], values[:, 1], known


def _matrix(rates: pd.DataFrame, scenarios: pd.DataFrame, columns: str, values: str) -> pd.DataFrame:
    table = rates.pivot(index="scenario_id", columns=columns, values=values).reindex(scenarios.scenario_id)
    return table.astype("Float64").astype(float)


def _table(rows: list[tuple[object, ...]], columns: list[str], numbers: list[str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, "Float64"))
