"""Does a combination hurt more than its parts predict?

Two answers. LIBERO-Plus' compositionality gap treats the successes of four equally long runs (clean, first, second,
both) as a 2 x 2 table. The retention test generalises it to any number of parts: without interaction the log of the
retained success adds up, log R_combination = sum of log R_part, with R as a fraction.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gauge.errors import GaugeError
from gauge.protocol.tables import CLEAN, NOT_EVALUATED, RATES, ZERO_CLEAN, each, joined, require

MORE, LESS, AS_PREDICTED = "more than its parts", "less than its parts", "cannot tell from its parts"


def compositionality_gap(n00: int, n01: int, n10: int, n11: int, trials: int | Sequence[int]) -> dict[str, object]:
    """LIBERO-Plus' gap and chi-square test for a pair of perturbations.

    gap = p(Di=1, Dj=1 | Y=1) - p(Di=1 | Y=1) p(Dj=1 | Y=1), a covariance over the successful trials; below 0 the
    pair is harder than its parts predict. The test is Pearson's, 1 degree of freedom, without correction.

    Args:
        n00: successes of the clean run.
        n01: successes under the second perturbation alone.
        n10: successes under the first alone.
        n11: successes under both.
        trials: trials of each run; they must be equal, because successes are compared as counts.

    Returns:
        gap, chi2, p (None where undefined) and note: without any success there is no gap; when a perturbation (or its
        absence) has no success at all, the gap is 0 and there is no test.

    Raises:
        GaugeError: the runs are not equally long, or a count exceeds them.
    """
    lengths = {trials} if isinstance(trials, int) else set(trials)
    if len(lengths) != 1:
        raise GaugeError(f"the compositionality gap compares equally long runs, not {sorted(lengths)} trials")
    counts = np.array([[n00, n01], [n10, n11]], float)
    if counts.min() < 0 or counts.max() > next(iter(lengths)):
        raise GaugeError(f"{counts.max():g} successes out of {next(iter(lengths))} trials is impossible")
    total = counts.sum()
    if total == 0:
        return {"gap": None, "chi2": None, "p": None, "note": "no success in any run"}
    gap = float(n11 / total - counts[1].sum() / total * counts[:, 1].sum() / total)
    if 0 in counts.sum(axis=0) or 0 in counts.sum(axis=1):
        return {"gap": gap, "chi2": None, "p": None, "note": "no success on one side of the table: no test"}
    found = stats.chi2_contingency(counts, correction=False)
    return {"gap": gap, "chi2": float(found.statistic), "p": float(found.pvalue), "note": ""}


def pairwise_gaps(rates: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The compositionality gap of every model and pair, from pooled successes.

    Args:
        rates: see `gauge.protocol.tables`.
        pairs: labels of the pairs: first, second, both.

    Returns:
        One row per (model, pair): model, first, second, both, gap, chi2, p, note.

    Raises:
        GaugeError: runs of a pair are not equally long.
    """
    require(rates, RATES, "rates")
    require(pairs, ("first", "second", "both"), "pairs")
    pooled = rates.groupby(["model", "combination"])[["successes", "n"]].sum()
    rows = []
    for model in sorted(rates.model.unique()):
        for pair in each(pairs[["first", "second", "both"]]):
            labels = [(model, label) for label in (CLEAN, pair.second, pair.first, pair.both)]
            row = {"model": model, **pair._asdict()}
            if any(key not in pooled.index or pooled.n[key] == 0 for key in labels):
                rows.append({**row, "note": NOT_EVALUATED})
                continue
            counts, trials = ([int(pooled.loc[key, name]) for key in labels] for name in ("successes", "n"))
            rows.append({**row, **compositionality_gap(counts[0], counts[1], counts[2], counts[3], trials)})
    frame = pd.DataFrame(rows, columns=["model", "first", "second", "both", "gap", "chi2", "p", "note"])
    return frame.astype(dict.fromkeys(("gap", "chi2", "p"), "Float64"))


def retention_test(
    rates: pd.DataFrame, parts: Mapping[str, Sequence[str]], confidence: float = 0.95, alpha: float = 0.05
) -> pd.DataFrame:
    """Does each combination keep as much success as the product of what its parts keep?

    excess = log R_combination - sum of log R_part, over the scenarios on which clean, parts and combination were all
    evaluated. Its standard error is the jackknife's over scenarios, which holds for runs that share scenes and seeds;
    its distribution is Student's t with scenarios - 1 degrees of freedom. A combination without a single
    success is counted as half a success, which is on the careful side; a part without success predicts 0, and nothing
    can be worse than that, so there is no test. One scenario, or several without any difference, give no standard
    error.

    Args:
        rates: clean and perturbed rows, see `gauge.protocol.tables`.
        parts: label of each combination to the labels of its parts, at least 2.
        confidence: of the interval of the ratio.
        alpha: of the verdict; use `gauge.protocol.verdict.holm` on p for a family.

    Returns:
        One row per (model, combination): r (observed, percent), r_predicted (percent), ratio (observed / predicted;
        1: as predicted), low, high, excess (log of the ratio), p (two-sided), scenarios, verdict, note.
    """
    require(rates, RATES, "rates")
    table = rates.pivot(index=["model", "scenario_id"], columns="combination", values="sr").astype("Float64")
    trials = rates.pivot(index=["model", "scenario_id"], columns="combination", values="n")
    rows = []
    for model in sorted(rates.model.unique()):
        for label, names in parts.items():
            if len(names) < 2:
                raise GaugeError(f"{label} has {len(names)} part; an interaction needs at least 2")
            wanted = [CLEAN, *names, label]
            row: dict[str, object] = {"model": model, "combination": label}
            absent = [name for name in wanted if name not in table.columns]
            known = table.loc[[model], wanted].dropna() if not absent else table.iloc[:0]
            if known.empty:
                note = f"{NOT_EVALUATED}: {joined(absent)}" if absent else NOT_EVALUATED
                rows.append({**row, "scenarios": 0, "verdict": NOT_EVALUATED, "note": note})
                continue
            halves = 0.5 / trials.loc[known.index, wanted].sum().to_numpy(float)
            rows.append({**row, **_retention(known.to_numpy(float), halves, confidence, alpha)})
    columns = ["model", "combination", "r", "r_predicted", "ratio", "low", "high", "excess", "p"]
    frame = pd.DataFrame(rows, columns=[*columns, "scenarios", "verdict", "note"])
    return frame.astype(dict.fromkeys(columns[2:], "Float64"))


def _retention(
    sr: NDArray[np.float64], halves: NDArray[np.float64], confidence: float, alpha: float
) -> dict[str, object]:
    """One row of the test.

    Args:
        sr: success rates [scenarios, 1 + parts + 1]: clean, the parts, the combination.
        halves: per column, the mean success if half an episode had succeeded.
        confidence: see `retention_test`.
        alpha: see `retention_test`.
    """
    scenarios, columns = sr.shape
    means = sr.mean(axis=0)
    row: dict[str, object] = {"scenarios": scenarios, "verdict": AS_PREDICTED, "note": ""}
    if means[0] == 0:
        return {**row, "verdict": NOT_EVALUATED, "note": ZERO_CLEAN}
    retained = means[1:] / means[0]
    row |= {"r": 100 * retained[-1], "r_predicted": 100 * float(np.prod(retained[:-1]))}
    if 0 in means[1:-1]:
        return {**row, "note": "a part has no success: nothing worse can be predicted"}
    if scenarios < 2:
        return {**row, "note": "one scenario: no standard error"}
    signs = np.array([columns - 3, *[-1] * (columns - 2), 1.0])
    excess = float(np.log(np.maximum(means, halves)) @ signs)
    # All success may lie in the scenario that is left out; then half an episode stands for none.
    left_out = np.maximum((scenarios * means - sr) / (scenarios - 1), halves)
    spread = np.log(left_out) @ signs
    variance = (scenarios - 1) / scenarios * float(((spread - spread.mean()) ** 2).sum())
    if means[-1] == 0:
        variance += 2.0  # of the log of a count of one half
        row["note"] = "no success under the combination: half a success assumed"
    if variance < 1e-18:
        return {**row, "ratio": np.exp(excess), "excess": excess, "note": "all scenarios alike: no standard error"}
    error = float(np.sqrt(variance))
    width = float(stats.t.isf((1 - confidence) / 2, scenarios - 1)) * error
    p = 2 * float(stats.t.sf(abs(excess) / error, scenarios - 1))
    word = AS_PREDICTED if p >= alpha else MORE if excess < 0 else LESS
    ends = {"ratio": np.exp(excess), "low": np.exp(excess - width), "high": np.exp(excess + width)}
    return {**row, **ends, "excess": excess, "p": p, "verdict": word}
