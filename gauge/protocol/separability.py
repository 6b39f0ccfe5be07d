"""Whether two groups of scenarios are alike in covariates: one by one, and for a classifier of all of them together."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

Floats = NDArray[np.float64]
RIDGE = 1.0  # of the logistic classifier, on standardised covariates


def compared(inside: Floats, outside: Floats) -> tuple[float, float, float]:
    """Means and standardised difference, without undefined values."""
    one, other = inside[~np.isnan(inside)], outside[~np.isnan(outside)]
    if not (len(one) and len(other)):
        return (math.nan, math.nan, math.nan)
    pooled = math.sqrt((one.var() + other.var()) / 2)
    gap = float(other.mean() - one.mean())
    return float(one.mean()), float(other.mean()), 0.0 if gap == 0 else gap / pooled if pooled else math.inf


def standard(table: Floats) -> Floats:
    """Columns with mean 0 and spread 1; what is undefined is the mean."""
    mean = np.nanmean(table, axis=0)
    filled = np.where(np.isnan(table), mean, table)
    found: Floats = (filled - mean) / np.maximum(filled.std(axis=0), 1e-9)
    return found


def left_out_auc(z: Floats, outside: NDArray[np.bool_], group: Sequence[str]) -> float:
    """Area under the curve of a logistic classifier [N, K] -> [N], each group judged by what the others taught."""
    names = np.array(group)
    scores = np.zeros(len(z))
    for name in dict.fromkeys(group):
        own = names == name
        scores[own] = _with_one(z[own]) @ _logistic(z[~own], outside[~own])
    ranks = rankdata(scores)[outside].sum()
    inside, out = int((~outside).sum()), int(outside.sum())
    return float((ranks - out * (out + 1) / 2) / (inside * out))


def _logistic(z: Floats, outside: NDArray[np.bool_]) -> Floats:
    """Weights [K + 1] of ridge regression, both halves counting the same; the last is the constant."""
    design, sign = _with_one(z), np.where(outside, 1.0, -1.0)
    weight = np.where(outside, 1.0 / outside.mean(), 1.0 / (~outside).mean()) / 2

    def loss(w: Floats) -> tuple[float, Floats]:
        margin = sign * (design @ w)
        slope = -weight * sign / (1 + np.exp(np.clip(margin, -500, 500)))
        penalty = RIDGE * np.append(w[:-1], 0.0)
        return float(weight @ np.logaddexp(0.0, -margin) + penalty @ w / 2), design.T @ slope + penalty

    found: Floats = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x
    return found


def _with_one(z: Floats) -> Floats:
    return np.hstack([z, np.ones((len(z), 1))])
