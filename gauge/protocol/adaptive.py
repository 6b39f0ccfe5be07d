"""Adaptive budget for stage 1: fewer rollouts where the full grid's decision is clear already (ours).

The full grid is finite: every value has a planned number of rollouts, and a race runs the first of them. So the
question is not what the truth is but what the full grid would decide, and rollouts that cannot change that are left
out. What the screening takes from stage 1 is decided: each factor's lowest-score attribute, that attribute's sensitive
values, and the order of the factors by score.

At every look the missing rollouts are drawn many times, each time from what was seen of the value and model. They are
drawn apart for rollouts whose clean twin succeeded and failed, since the clean results of all of them are known: that
carries both the difficulty of the scenario and the luck of the start. Successes among a finite number of like rollouts
are Beta-binomial, with Jeffreys' prior Beta(1/2, 1/2). A completed grid refutes a decision when it puts the rejected
alternative ahead by more than `TELL` standard deviations that the difference has between repetitions of the full grid:
closer ones the full grid cannot tell apart itself. The race ends when at most the stated share of the completed grids
refutes any decision. Until then the values that explain the doubt get the next rollouts.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.protocol.tables import TIE
from gauge.protocol.twins import Counts

FIRST = 5  # rollouts of every value before the first look
GROWTH = 1.6  # from one number of rollouts of a value to the next
ERROR = 0.03  # share that a look may leave; 95% of simulated races then agree with the full grid (docs/design)
DRAWS = 400  # completed grids at every look
TELL = 1.5  # standard deviations between repetitions of the full grid that it can tell apart
EXPLAINS = 0.05  # of what the value with the largest part in the doubt explains: who explains less has to wait
NOISE = 8.0 / DRAWS  # squared correlation that `DRAWS` draws show by chance in 1 of 200 cases

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Grid:
    """What stage 1 evaluates: V values, M reference models.

    Attributes:
        attribute: [V] index of each value's attribute; in the order of their names, which decides between equal scores.
        factor: [A] index of each attribute's factor; the same.
        clean: [V, M] clean success in the scenarios in which the value is evaluated; above 0.
    """

    attribute: Codes
    factor: Codes
    clean: Floats

    @classmethod
    def of(cls, space: pd.DataFrame, clean: Floats) -> "Grid":
        """The grid of a perturbation space, see `gauge.protocol.space`."""
        names, attribute = np.unique(space.attribute.astype(str), return_inverse=True)
        owner = dict(zip(space.attribute, space.factor, strict=True))
        _, factor = np.unique([str(owner[name]) for name in names], return_inverse=True)
        return cls(attribute, factor, clean)

    def values(self, attribute: int) -> Codes:
        """Indices of an attribute's values."""
        return np.flatnonzero(self.attribute == attribute)

    def members(self) -> list[Codes]:
        """Indices of every factor's attributes."""
        return [np.flatnonzero(self.factor == factor) for factor in range(int(self.factor.max()) + 1)]


class Scores(NamedTuple):
    """Stage 1 of B grids at once: mean R and gap [B, V], V_deg and V_disc [B, V], attributes [B, A], factors [B, F]."""

    mean: Floats
    gap: Floats
    deg: Mask
    disc: Mask
    attributes: Floats
    factors: Floats


class Look(NamedTuple):
    """What is known after some rollouts.

    Attributes:
        error: share of the completed grids that refute a decision.
        needs: [V] the values to run on with; none when the race is over.
    """

    error: float
    needs: Mask


def scores(grid: Grid, r: Floats) -> Scores:
    """Stage 1 for R [M, B, V] in percent: `gauge.protocol.sensitivity` for many grids at once."""
    mean, gap = r.mean(axis=0), r.max(axis=0) - r.min(axis=0)
    deg, disc = np.zeros(mean.shape, bool), np.zeros(mean.shape, bool)
    attributes = np.zeros((len(mean), len(grid.factor)))
    for attribute in range(len(grid.factor)):
        own = grid.values(attribute)
        deg[:, own] = mean[:, own] <= mean[:, own].min(axis=1, keepdims=True) + TIE
        if len(r) > 1:
            disc[:, own] = gap[:, own] >= gap[:, own].max(axis=1, keepdims=True) - TIE
        sensitive = deg[:, own] | disc[:, own]
        attributes[:, attribute] = (mean[:, own] * sensitive).sum(axis=1) / sensitive.sum(axis=1)
    factors = np.stack([attributes[:, members].mean(axis=1) for members in grid.members()], axis=1)
    return Scores(mean, gap, deg, disc, attributes, factors)


def answer(grid: Grid, counts: Counts) -> Scores:
    """What the tables say after the rollouts so far, B = 1."""
    seen = Counts(counts.successes, counts.n, np.zeros_like(counts.n))
    return scores(grid, ratio_to_clean(seen.successes, seen, grid.clean)[:, None])


def lowest(grid: Grid, attributes: Floats) -> list[int]:
    """Every factor's lowest-score attribute [A]; equal scores go to the first."""
    return [int(members[np.argmin(attributes[members].round(9))]) for members in grid.members()]


@dataclass
class Race:
    """The looks of one race. Draws of values without news are kept from look to look.

    Attributes:
        grid: what is raced over.
        error: the stated share.
        rng: source of the draws.
    """

    grid: Grid
    error: float
    rng: np.random.Generator
    _known: Codes | None = None
    _completed: Floats = field(default_factory=lambda: np.zeros(0))
    _repeated: Floats = field(default_factory=lambda: np.zeros(0))

    def look(self, counts: Counts) -> Look:
        """Who is to run on, after what was seen so far."""
        self._draw(counts)
        refuted = margins(
            self.grid, answer(self.grid, counts), scores(self.grid, self._completed), scores(self.grid, self._repeated)
        )
        bad = refuted > TIE
        error = float(bad.any(axis=0).mean()) if len(bad) else 0.0
        left: Mask = counts.left.sum(axis=(1, 2)) > 0
        if error <= self.error or not left.any():
            return Look(error, np.zeros(len(left), bool))
        parts = self._parts(refuted, bad.mean(axis=1)) * left
        return Look(error, parts >= EXPLAINS * parts.max() if parts.max() > 0 else left)

    def _draw(self, counts: Counts) -> None:
        """Complete the grid, and repeat all of it, for the values that have news."""
        now = np.stack([counts.n, counts.left])
        if self._known is None:
            values, models = self.grid.clean.shape
            self._known = np.full_like(now, -1)
            self._completed, self._repeated = np.zeros((models, DRAWS, values)), np.zeros((models, DRAWS, values))
        news = (self._known != now).any(axis=(0, 2, 3))
        own = Counts(*(part[news] for part in counts))
        self._completed[:, :, news] = ratio_to_clean(complete(own, self.rng), own, self.grid.clean[news])
        self._repeated[:, :, news] = ratio_to_clean(repeat(own, self.rng), own, self.grid.clean[news])
        self._known = now

    def _parts(self, refuted: Floats, doubt: Floats) -> Floats:
        """[V] how much of the doubt each value explains: squared correlations with what would refute a decision."""
        open_ = np.flatnonzero(doubt > 0)
        outcomes = _standard(refuted[open_].T)
        found = np.zeros(len(self.grid.attribute))
        high, low = self._completed.max(axis=0), self._completed.min(axis=0)
        for drawn in (self._completed.mean(axis=0), high - low):
            explained = (outcomes.T @ _standard(drawn) / len(drawn)) ** 2
            found = np.maximum(found, doubt[open_] @ np.where(explained > NOISE, explained, 0.0))
        return found


def margins(grid: Grid, decided: Scores, completed: Scores, repeated: Scores) -> Floats:
    """[decisions, B] by how much each completed grid refutes each decision of `decided` (of one grid); above 0 it does.

    Args:
        grid: what is decided on.
        decided: the decisions.
        completed: what full grids say.
        repeated: repetitions of the full grid, for the standard deviations between them.
    """
    rows: list[Floats] = []
    for members, chosen in zip(grid.members(), lowest(grid, decided.attributes[0]), strict=True):
        others = members[members != chosen]
        rows += list(_ahead(completed.attributes, repeated.attributes, chosen, others).T)
        own = grid.values(chosen)
        for marks, of, again, sign in (
            (decided.deg[0], completed.mean, repeated.mean, 1.0),
            (decided.disc[0], completed.gap, repeated.gap, -1.0),
        ):
            for value in own[marks[own]] if len(own) > 1 else []:
                rows.append(_ahead(sign * of, sign * again, int(value), own[own != value]).max(axis=1))
    order = np.argsort(decided.factors[0].round(9), kind="stable")
    for place, factor in enumerate(order[:-1]):
        rows += list(_ahead(completed.factors, repeated.factors, int(factor), order[place + 1 :]).T)
    return np.array(rows).reshape(len(rows), len(completed.mean))


def _ahead(completed: Floats, repeated: Floats, chosen: int, others: Codes) -> Floats:
    """[B, others] how much lower each of the others is than the chosen one, beyond what a full grid can tell."""
    between = (repeated[:, [chosen]] - repeated[:, others]).std(axis=0)
    found: Floats = completed[:, [chosen]] - completed[:, others] - TELL * between
    return found


def complete(counts: Counts, rng: np.random.Generator, draws: int = DRAWS) -> Codes:
    """Successes [B, V, M, 2] of the full grid, what is left being drawn by what was seen."""
    chance = rng.beta(counts.successes + 0.5, counts.n - counts.successes + 0.5, size=(draws, *counts.n.shape))
    found: Codes = counts.successes + rng.binomial(counts.left, chance)
    return found


def repeat(counts: Counts, rng: np.random.Generator, draws: int = DRAWS) -> Codes:
    """Successes [B, V, M, 2] of the full grid, all of it drawn at the rates that were seen."""
    chance = (counts.successes + 0.5) / (counts.n + 1.0)
    found: Codes = rng.binomial(counts.n + counts.left, chance, size=(draws, *counts.n.shape))
    return found


def ratio_to_clean(successes: Codes, counts: Counts, clean: Floats) -> Floats:
    """R [M, ..., V] in percent for successes [..., V, M, 2] of all rollouts in `counts`."""
    rollouts = np.maximum(counts.n + counts.left, 0).sum(axis=2)
    found: Floats = 100 * (successes[..., 0] + successes[..., 1]) / np.maximum(rollouts, 1) / clean
    return np.moveaxis(found, -1, 0)


def _standard(columns: Floats) -> Floats:
    centred = columns - columns.mean(axis=0)
    found: Floats = centred / (centred.std(axis=0) + 1e-12)
    return found


def more(now: int, most: int) -> int:
    """How many rollouts a value has after one more look."""
    return min(most, max(now + 1, int(np.ceil(now * GROWTH))))
