"""Rehearsals of a race (`gauge.protocol.adaptive`) on simulated policies: how often it agrees with the full grid.

The grid is the paper's: 268 values on 18 anchors, two reference models, whose clean and perturbed results share part of
their luck. How much each factor, attribute and value costs is drawn anew for every trial, in one of three shapes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from gauge.protocol import adaptive, paper
from gauge.protocol.adaptive import Grid, Look, Mask, Race, Scores
from gauge.protocol.tables import TIE
from gauge.protocol.twins import Counts

Floats = NDArray[np.float64]
Shape = Literal["ramp", "onset", "lumpy"]
SHAPES: tuple[Shape, ...] = ("ramp", "onset", "lumpy")
ANCHORS = 18
SKILLS = (1.3, 0.9)  # logits
PAIRING = 0.5  # correlation of luck between all that happens on one scenario and rollout
REPEATS = 60  # of the full grid, for what it can tell


class Outcome(NamedTuple):
    """One trial.

    Attributes:
        agrees: the full grid refutes no decision of the race.
        same: all decisions of the race are literally those of the full grid.
        second_agrees, second_same: the same for a second full grid with other seeds, in place of the race.
        share: rollouts of the race by those of the full grid.
        looks: of the race.
        refuted: by how many points the race's decisions are off, the largest; 0 where none is.
    """

    agrees: bool
    same: bool
    second_agrees: bool
    second_same: bool
    share: float
    looks: int
    refuted: float


@dataclass(frozen=True)
class Truth:
    """Success probabilities.

    Attributes:
        clean: [M, S].
        kept: [V, M] share of clean success that is left.
    """

    clean: Floats
    kept: Floats

    def draw(self, rollouts: int, rng: np.random.Generator) -> tuple[Mask, Mask]:
        """Successes: clean [M, S, N] and perturbed [V, M, S, N]."""
        shared = rng.standard_normal((self.clean.shape[1], rollouts), dtype=np.float32)
        chance = self.kept[:, :, None] * self.clean
        every = np.concatenate([self.clean[None], chance])
        luck = rng.standard_normal((*every.shape, rollouts), dtype=np.float32)
        luck = np.float32(np.sqrt(1 - PAIRING)) * luck + np.float32(np.sqrt(PAIRING)) * shared
        won: Mask = luck < ndtri(every).astype(np.float32)[..., None]
        return won[0], won[1:]


def truth(shape: Shape, grid: Grid, rng: np.random.Generator) -> Truth:
    """Policies whose factors leave 10 to 95% of success at worst, and attributes 15 points more or less.

    `ramp`: each level costs more than the one before. `onset`: cost sets in at some level. `lumpy`: no order, and
    the models differ by value.
    """
    kept = np.ones((len(grid.attribute), len(SKILLS)))
    for members in grid.members():
        worst = rng.uniform(0.1, 0.95)
        for attribute in members:
            own = grid.values(int(attribute))
            loss = 1 - np.clip(worst + rng.uniform(-0.15, 0.15), 0.02, 0.99)
            parts = _profile(shape, len(own), rng)
            kept[own] = 1 - np.clip(loss * np.array([0.85, 1.15]), 0, 1) * parts
    logits = np.array(SKILLS)[:, None] + rng.normal(0, 1.2, ANCHORS)
    return Truth(1 / (1 + np.exp(-logits)), np.clip(kept, 0.0, 1.0))


def _profile(shape: Shape, levels: int, rng: np.random.Generator) -> Floats:
    """The share [levels, M] of an attribute's loss at each level."""
    place = np.arange(1, levels + 1) / levels
    if shape == "lumpy":
        first = rng.beta(0.6, 0.9, levels)
        return np.stack([first, np.clip(first + rng.normal(0, 0.15, levels), 0, 1)], axis=1)
    if shape == "onset":
        place = 1 / (1 + np.exp(-(place - rng.uniform(0.2, 0.8)) / 0.15))
    return np.repeat((place / place[-1])[:, None], len(SKILLS), axis=1)


def rehearse(shape: Shape, seed: int, rollouts: int = 50, error: float = adaptive.ERROR) -> Outcome:
    """One trial: draw policies and a full grid, race over it, and compare."""
    rng = np.random.default_rng(seed)
    space = paper.space()
    grid = Grid.of(space, np.ones((len(space), len(SKILLS))))
    real = truth(shape, grid, rng)
    clean, perturbed = real.draw(rollouts, rng)
    grid = Grid.of(space, np.broadcast_to(clean.mean(axis=(1, 2)), grid.clean.shape))
    asked, counts, looks = race(Race(grid, error, rng).look, clean, perturbed)
    full = _stage(grid, perturbed[None])
    repeats = [real.draw(rollouts, rng)[1].mean(axis=(2, 3)) for _ in range(REPEATS)]
    repeated = adaptive.scores(grid, 100 * np.moveaxis(np.array(repeats) / grid.clean, 2, 0))
    found = adaptive.answer(grid, counts)
    second = adaptive.scores(grid, 100 * np.moveaxis(repeats[0] / grid.clean, 1, 0)[:, None])
    off = [adaptive.margins(grid, one, full, repeated) for one in (found, second)]
    return Outcome(
        agrees=not (off[0] > TIE).any(),
        same=same(grid, found, full),
        second_agrees=not (off[1] > TIE).any(),
        second_same=same(grid, second, full),
        share=float(asked.mean() / rollouts),
        looks=looks,
        refuted=max(0.0, float(off[0].max())),
    )


def race(look: Callable[[Counts], Look], clean: Mask, perturbed: Mask) -> tuple[NDArray[np.int64], Counts, int]:
    """Rollouts [V] that a race asks for, what it has seen at its end, and its looks; see `Truth.draw`."""
    twin = np.stack([~clean, clean], axis=3)  # [M, S, N, 2]
    won = np.einsum("vmsr,msrt->vrmt", perturbed, twin, dtype=np.int64).cumsum(axis=1)
    n = np.einsum("msrt->rmt", twin, dtype=np.int64).cumsum(axis=0)
    rollouts, values = len(n), np.arange(len(won))
    asked = np.full(len(won), min(adaptive.FIRST, rollouts))
    looks = 0
    while True:
        seen = n[asked - 1]
        counts, looks = Counts(won[values, asked - 1], seen, n[-1] - seen), looks + 1
        needs = look(counts).needs
        if not needs.any():
            return asked, counts, looks
        asked[needs] = [adaptive.more(now, rollouts) for now in asked[needs]]


def same(grid: Grid, one: Scores, other: Scores) -> bool:
    """Whether two grids decide literally the same: attributes, their sensitive values, and the order of factors."""
    chosen = adaptive.lowest(grid, one.attributes[0])
    if chosen != adaptive.lowest(grid, other.attributes[0]):
        return False
    own = np.isin(grid.attribute, chosen)
    sets = [(found.deg | found.disc)[0, own] for found in (one, other)]
    orders = [np.argsort(found.factors[0].round(9), kind="stable") for found in (one, other)]
    return bool((sets[0] == sets[1]).all() and (orders[0] == orders[1]).all())


def _stage(grid: Grid, perturbed: Mask) -> Scores:
    """Stage 1 of full grids [B, V, M, S, N]."""
    return adaptive.scores(grid, 100 * np.moveaxis(perturbed.mean(axis=(3, 4)) / grid.clean, 2, 0))
