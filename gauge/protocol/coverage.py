"""How often the intervals hold the truth, by simulating studies whose truth is known.

Each function gives the share of simulated studies, in [0, 1], whose nominal 95% interval holds the true score.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gauge.core.metrics import Interval, Rate, wilson
from gauge.protocol.intervals import d_rmsd_intervals, r_score_intervals, zero_shot_intervals
from gauge.protocol.paired import Pairs, paired_interval
from gauge.protocol.tables import ratio
from gauge.protocol.unpaired import unpaired_interval

Floats = NDArray[np.float64]
ROLLOUTS = 50
RESAMPLES = 400  # enough for coverage; a study takes 2000
CAPABILITIES = "abcdef"
CLEAN_SHAPE, KEPT_SHAPE = (1.2, 1.5), (2.0, 2.5)  # Beta: clean success, and the share of it that is left


def of_rate(p: float, n: int) -> float:
    """Wilson's interval of a rate `p` after `n` episodes; summed over all outcomes, so without simulation error."""
    counts = np.arange(n + 1)
    held = [interval.low <= p <= interval.high for interval in (wilson(int(count), n) for count in counts)]
    return float(stats.binom.pmf(counts, n, p) @ np.array(held, float))


def of_rates(shape: tuple[float, float], n: int, trials: int, seed: int) -> float:
    """The same when the rate itself differs from scenario to scenario, by a Beta distribution."""
    rng = np.random.default_rng(seed)
    known = {count: wilson(count, n) for count in range(n + 1)}
    rates = rng.beta(*shape, trials)
    drawn = [known[int(count)] for count in rng.binomial(n, rates)]
    return float(np.mean([low <= p <= high for (low, high), p in zip(drawn, rates, strict=True)]))


def of_paired_difference(probabilities: Sequence[float], n: int, trials: int, seed: int) -> float:
    """Newcombe's paired interval, for `n` pairs with `probabilities` of both, lost, gained and neither."""
    counts = np.random.default_rng(seed).multinomial(n, probabilities, size=trials)
    return _held(counts, probabilities[2] - probabilities[1])


def of_paired_difference_in_scenarios(scenarios: int, kept: float, trials: int, seed: int) -> float:
    """The same over `scenarios` of unlike difficulty, 50 rollouts each, of which `kept` of the successes are left.

    The scenarios stay, the rollouts are new in every trial; the luck of a rollout is shared by both sides in part.
    """
    rng = np.random.default_rng(seed)
    clean = rng.beta(*CLEAN_SHAPE, scenarios)
    edges = [stats.norm.ppf(p)[:, None] for p in (clean, clean * kept)]
    counts = []
    for _ in range(trials):
        shared = rng.standard_normal((scenarios, ROLLOUTS))
        luck = (np.sqrt(0.5) * (shared + rng.standard_normal(shared.shape)) for _ in edges)
        before, after = (one < edge for one, edge in zip(luck, edges, strict=True))
        sides = (before & after, before & ~after, ~before & after, ~before & ~after)
        counts.append([int(side.sum()) for side in sides])
    return _held(np.array(counts), float(clean.mean() * (kept - 1)))


def _held(counts: NDArray[np.int64], truth: float) -> float:
    known: dict[tuple[int, ...], Interval | None] = {}
    held = 0
    for row in counts.tolist():
        found = known.setdefault(tuple(row), paired_interval(Pairs(*row)))
        held += found is not None and found.low <= truth <= found.high
    return held / len(counts)


def of_unpaired_difference(before: float, after: float, n: int, trials: int, seed: int) -> float:
    """Newcombe's interval of two rates with `n` episodes each."""
    rng, known, held = np.random.default_rng(seed), dict[tuple[int, int], Interval | None](), 0
    for key in zip(rng.binomial(n, before, trials).tolist(), rng.binomial(n, after, trials).tolist(), strict=True):
        if key not in known:
            known[key] = unpaired_interval(Rate(key[0], n), Rate(key[1], n))
        found = known[key]
        held += found is not None and found.low <= after - before <= found.high
    return held / trials


def suites(id_size: int, ood_size: int) -> pd.DataFrame:
    """Six capabilities with so many scenarios of each split, see `gauge.protocol.tables`."""
    sizes = {"id": id_size, "ood": ood_size}
    rows = [(f"{c}/{s}{k:02d}", c, s) for c in CAPABILITIES for s, size in sizes.items() for k in range(size)]
    return pd.DataFrame(rows, columns=["scenario_id", "capability", "split"])


def of_zero_shot(trials: int, id_size: int, ood_size: int, seed: int) -> dict[str, float]:
    """ZS by split: every trial has scenarios of its own, which differ widely."""
    rng, scenarios = np.random.default_rng(seed), suites(id_size, ood_size)
    clean, _ = _probabilities((trials, len(scenarios)), rng)
    models = [f"m{k}" for k in range(trials)]
    found = zero_shot_intervals(_drawn(scenarios, models, ["clean"] * trials, clean, rng), scenarios, rng, RESAMPLES)
    truth = _mean(CLEAN_SHAPE)
    held = (found.low <= truth) & (found.high >= truth)
    return {str(split): float(share) for split, share in held.groupby(found.split).mean().items()}


def of_r_score(trials: int, id_size: int, ood_size: int, seed: int, of: pd.DataFrame | None = None) -> float:
    """R; `of`: all scenarios of the suites, when the studies evaluate a part of them."""
    rng, scenarios = np.random.default_rng(seed), suites(id_size, ood_size)
    clean, kept = _probabilities((trials, len(scenarios)), rng)
    models = [f"m{k}" for k in range(trials)]
    sides = (("clean", clean), ("x=1", clean * kept))
    rates = pd.concat([_drawn(scenarios, models, [label] * trials, p, rng) for label, p in sides])
    found = r_score_intervals(rates, scenarios if of is None else of, rng, RESAMPLES)
    truth = 100 * _mean(KEPT_SHAPE)
    return float(((found.low <= truth) & (found.high >= truth)).mean())


def of_small_r_score(trials: int, kept: float, seed: int) -> float:
    """R on 18 scenarios of which `kept` of the clean success is left, so little that often no episode succeeds."""
    rng, scenarios = np.random.default_rng(seed), suites(2, 1)
    clean, _ = _probabilities((trials, len(scenarios)), rng)
    models = [f"m{k}" for k in range(trials)]
    sides = (("clean", clean), ("x=1", clean * kept))
    rates = pd.concat([_drawn(scenarios, models, [label] * trials, p, rng) for label, p in sides])
    found = r_score_intervals(rates, scenarios, rng, RESAMPLES)
    return float(((found.low <= 100 * kept) & (found.high >= 100 * kept)).mean())


def of_d_rmsd(trials: int, id_size: int, ood_size: int, seed: int, models: int = 3) -> dict[str, float]:
    """D-RMSD in both readings."""
    rng, scenarios = np.random.default_rng(seed), suites(id_size, ood_size)
    clean, _ = _probabilities((trials, 1, len(scenarios)), rng)
    kept = rng.beta(*KEPT_SHAPE, (trials, models, len(scenarios)))
    p = np.broadcast_to(clean, kept.shape).reshape(-1, len(scenarios))
    names = [f"m{trial}-{model}" for trial in range(trials) for model in range(models)]
    labels = [f"x{trial}" for trial in range(trials) for _ in range(models)]
    before = _drawn(scenarios, names, ["clean"] * len(names), p, rng)
    after = _drawn(scenarios, names, labels, p * kept.reshape(p.shape), rng)
    found = d_rmsd_intervals(pd.concat([before, after]), scenarios, rng, RESAMPLES)
    mean_drop = 100 * _mean(CLEAN_SHAPE) * (1 - _mean(KEPT_SHAPE))
    truth = {"over_models": mean_drop, "over_instances": _drop_of_instances()}
    held = [low <= truth[reading] <= high for reading, low, high in found[["reading", "low", "high"]].values]
    return {str(name): float(np.mean(group)) for name, group in pd.Series(held).groupby(found.reading)}


def _drop_of_instances() -> float:
    """By one large simulation: the drop is measured with the same 50 rollouts as in the studies."""
    rng = np.random.default_rng(99)
    clean, kept = _probabilities((1_000_000,), rng)
    drop = rng.binomial(ROLLOUTS, clean) - rng.binomial(ROLLOUTS, clean * kept)
    return float(100 * np.sqrt(np.mean(np.maximum(0.0, drop / ROLLOUTS) ** 2)))


def _probabilities(shape: tuple[int, ...], rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Clean success and what is kept of it, both spread widely over scenarios."""
    return rng.beta(*CLEAN_SHAPE, shape), rng.beta(*KEPT_SHAPE, shape)


def _drawn(
    scenarios: pd.DataFrame, models: list[str], labels: list[str], p: Floats, rng: np.random.Generator
) -> pd.DataFrame:
    """Rates drawn from success probabilities `p` [models, scenarios]; `labels` is the combination of each model."""
    frame = pd.DataFrame(
        {
            "model": np.repeat(models, len(scenarios)),
            "combination": np.repeat(labels, len(scenarios)),
            "scenario_id": np.tile(scenarios.scenario_id, len(models)),
            "successes": rng.binomial(ROLLOUTS, p).reshape(-1),
            "n": ROLLOUTS,
            "errors": 0,
        }
    )
    return frame.assign(sr=ratio(frame.successes, frame.n))


def _mean(shape: tuple[float, float]) -> float:
    return shape[0] / sum(shape)
