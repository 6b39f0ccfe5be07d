"""The races of an adaptive budget in a study: look, run on where the decision is open, look again."""

import logging

import numpy as np
import pandas as pd

from gauge.core.items import Combination
from gauge.protocol import adaptive_choice
from gauge.protocol.adaptive import Grid, Race
from gauge.protocol.space import combination_of
from gauge.protocol.tables import each_group
from gauge.study.bench import Bench

log = logging.getLogger(__name__)


def sensitivity(bench: Bench, space: pd.DataFrame) -> None:
    """Every value of `space` alone, until stage 1's decisions are clear."""
    bench.run({one.label: one for one in singles(space)}, first=True)
    labels = list(space.combination)
    counts, clean, known = bench.counts(labels)
    raced = space[known].reset_index(drop=True)
    if raced.empty:
        return
    race = Race(Grid.of(raced, clean[known]), bench.lab.cfg.error, bench.lab.rng("sensitivity", "race"))
    chosen = np.array(labels)[known]
    while True:
        counts, _, _ = bench.counts(list(chosen))
        error, needs = race.look(counts)
        bench.looks += 1
        if not needs.any():
            break
        log.info("look %d: %d of %d values go on", bench.looks, needs.sum(), len(needs))
        bench.run_on(list(chosen[needs]))
    bench.doubt.append(error)


def alive(bench: Bench, labels: list[str]) -> None:
    """Run candidates until each has a success, or has had all rollouts."""
    while True:
        counts, _, _ = bench.counts(labels)
        open_ = (counts.successes.sum(axis=(1, 2)) == 0) & (counts.left.sum(axis=(1, 2)) > 0)
        if not open_.any():
            return
        bench.looks += 1
        bench.run_on([label for label, needs in zip(labels, open_, strict=True) if needs])


def choice(bench: Bench, candidates: pd.DataFrame) -> None:
    """Run candidates on until it is clear which of each number of categories is retained."""
    table = candidates.drop_duplicates(["m", "combination"])
    labels, size = list(table.combination), table.m.to_numpy(np.int64)
    rng = bench.lab.rng("screening", "race", str(candidates.name.iloc[0]))
    while True:
        counts, clean, known = bench.counts(labels)
        if not known.all():
            return  # the stage says which candidate has no result
        error, needs = adaptive_choice.look(counts, clean, size, bench.lab.cfg.error / 2, rng)
        bench.looks += 1
        if not needs.any():
            break
        bench.run_on(list(table.combination[needs].unique()))
    bench.doubt.append(error)


def singles(space: pd.DataFrame) -> list[Combination]:
    """Every value alone."""
    return [combination_of(rows) for _, rows in each_group(space, "combination")]
