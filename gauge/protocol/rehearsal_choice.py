"""Rehearsals of the screening's races (`gauge.protocol.adaptive_choice`): how often the full grid retains the same.

The policies are those of `gauge.protocol.rehearsal`. Each factor contributes its true lowest-score attribute with one
of its truly sensitive values. A combination leaves the product of what its parts leave, times a draw of its own. The
categories are raced first; the factors' sequences are those of what the full grid retains, up to their saturation.
"""

from functools import partial

import numpy as np
import pandas as pd

from gauge.protocol import adaptive, adaptive_choice, paper, screening
from gauge.protocol.adaptive import TELL, Codes, Floats, Grid, Mask
from gauge.protocol.rehearsal import REPEATS, SKILLS, Outcome, Shape, Truth, race, truth
from gauge.protocol.tables import TIE

INTERACTION = 0.2  # standard deviation of the logarithm of what a combination leaves beside the product of its parts


def rehearse(shape: Shape, seed: int, rollouts: int = 50, error: float = adaptive.ERROR) -> Outcome:
    """One trial: draw policies, race over categories and over factors, and compare both with the full grid."""
    rng = np.random.default_rng(seed)
    space = paper.space().reset_index(drop=True)
    grid = Grid.of(space, np.ones((len(space), len(SKILLS))))
    real = truth(shape, grid, rng)
    config = configuration(space, grid, real, rng)
    categories = screening.category_candidates(config)
    won, first = _stage(categories, config, real, rollouts, error, rng)
    names = screening.summary(categories).categories
    sequences = screening.factor_candidates(config, [names[index].split("+") for index in won])
    _, second = _stage(sequences, config, real, rollouts, error, rng)
    found, weights = [first[0], second[0]], [first[1], second[1]]
    return Outcome(
        agrees=all(one.agrees for one in found),
        same=all(one.same for one in found),
        second_agrees=all(one.second_agrees for one in found),
        second_same=all(one.second_same for one in found),
        share=float(np.average([one.share for one in found], weights=weights)),
        looks=sum(one.looks for one in found),
        refuted=max(one.refuted for one in found),
    )


def configuration(space: pd.DataFrame, grid: Grid, real: Truth, rng: np.random.Generator) -> pd.DataFrame:
    """One row per factor, as `gauge.protocol.screening.configuration` has it, with `row`: its value's, in `space`."""
    stage = adaptive.scores(grid, 100 * real.kept.T[:, None])
    rows = []
    for factor, attribute in enumerate(adaptive.lowest(grid, stage.attributes[0])):
        own = grid.values(attribute)
        row = int(rng.choice(own[(stage.deg | stage.disc)[0, own]]))
        rows.append({**space.loc[row, ["category", "factor", "attribute", "value"]], "row": row})
        rows[-1]["score"] = stage.factors[0, factor]
    return pd.DataFrame(rows)


def _stage(
    candidates: pd.DataFrame, config: pd.DataFrame, real: Truth, rollouts: int, error: float, rng: np.random.Generator
) -> tuple[list[int], tuple[Outcome, int]]:
    """Places of what the full grid retains; how the race went, and how many candidates it was about."""
    table = candidates.drop_duplicates("name").reset_index(drop=True)
    row = config.set_index("factor").row
    parts = [real.kept[row[list(rows.factor)]].prod(axis=0) for _, rows in candidates.groupby("name", sort=False)]
    own = np.exp(rng.normal(0.0, INTERACTION, len(parts)))
    every = Truth(real.clean, np.clip(np.array(parts) * own[:, None], 0.0, 1.0))
    clean, won = every.draw(rollouts, rng)
    tried = _until_saturated(table, _alive(won))
    won, size = won[tried], table.m.to_numpy()[tried]
    base = np.broadcast_to(clean.mean(axis=(1, 2)), (len(tried), len(SKILLS)))
    look = partial(adaptive_choice.look, clean=base, size=size, error=error / 2, rng=rng)
    asked, counts, looks = race(look, clean, won)
    seen = adaptive_choice.d_hm(adaptive.ratio_to_clean(counts.successes, counts._replace(left=0 * counts.left), base))
    full = _d_hm(won, base)
    again = np.array([_d_hm(every.draw(rollouts, rng)[1][tried], base) for _ in range(REPEATS)])
    alive = _alive(won)
    ours, best, second = (_best(one, size, alive) for one in (seen, full, again[0]))
    off, off_second = (_off(one, full, again, size, alive) for one in (ours, second))
    share = float(asked.mean() / rollouts)
    outcome = Outcome(off <= TIE, ours == best, off_second <= TIE, second == best, share, looks, max(0.0, 100 * off))
    return [int(tried[one]) for one in best], (outcome, len(tried))


def _until_saturated(table: pd.DataFrame, alive: Mask) -> Codes:
    """Places of the candidates that are tried: of each sequence those up to its first without success; else all."""
    if "sequence" not in table:
        return np.arange(len(table))
    ended = pd.Series(~alive).groupby(table.sequence).cumsum() - ~alive
    return np.flatnonzero(ended == 0)


def _alive(won: Mask) -> Mask:
    """[C] whether any full result [C, M, S, N] is a success."""
    found: Mask = np.any(won, axis=(1, 2, 3))
    return found


def _best(d_hm: Floats, size: Codes, alive: Mask) -> list[int]:
    """Of each number of categories the unsaturated candidate with the highest D-HM."""
    open_ = np.where(alive, d_hm, -1.0)
    return [int(np.flatnonzero(size == m)[np.argmax(open_[size == m])]) for m in np.unique(size)]


def _off(chosen: list[int], full: Floats, again: Floats, size: Codes, alive: Mask) -> float:
    """By how much D-HM the full grid puts another candidate ahead of a chosen one, beyond what it can tell."""
    rows = [np.zeros(1)]
    for one in chosen:
        others = np.flatnonzero((size == size[one]) & alive)
        between = (again[:, others] - again[:, [one]]).std(axis=0)
        rows.append(full[others] - full[one] - TELL * between)
    return float(np.concatenate(rows).max())


def _d_hm(won: Mask, clean: Floats) -> Floats:
    """D-HM [C] of full results [C, M, S, N]."""
    return adaptive_choice.d_hm(np.moveaxis(100 * won.mean(axis=(2, 3)) / clean, 1, 0))
