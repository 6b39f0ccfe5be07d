"""Perturbed episodes counted by how their clean twins ended: the same model, scenario and rollout without perturbation.

The clean results are all known before stage 1, so they tell a good part of how a perturbed rollout that is still to
come will end: the scenario may be hard, the start unlucky.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.protocol.tables import CLEAN, EPISODES, require

Numbers = NDArray[np.int64]


class Counts(NamedTuple):
    """What was seen of V combinations and M models, [V, M, 2]: twins that did not succeed first.

    Attributes:
        successes: of the evaluated rollouts.
        n: evaluated rollouts.
        left: rollouts of the full grid that were not asked for yet.
    """

    successes: Numbers
    n: Numbers
    left: Numbers


@dataclass(frozen=True, slots=True)
class Twins:
    """The clean results.

    Attributes:
        models: names, M.
        scenarios: ids, S.
        won: [M, S, N] whether the clean rollout succeeded; one without result did not.
        known: [M, S, N] whether it has a result.
    """

    models: tuple[str, ...]
    scenarios: tuple[str, ...]
    won: NDArray[np.bool_]
    known: NDArray[np.bool_]

    @classmethod
    def of(cls, episodes: pd.DataFrame, models: Sequence[str], scenarios: Sequence[str], rollouts: int) -> "Twins":
        """Out of a table of episodes, see `gauge.protocol.tables`; only clean ones are looked at."""
        require(episodes, EPISODES, "episodes")
        shape = len(models), len(scenarios), rollouts
        found = cls(tuple(models), tuple(scenarios), np.zeros(shape, bool), np.zeros(shape, bool))
        rows, place = found._places(episodes[episodes.combination == CLEAN])
        found.won[place] = (rows.status == "success").to_numpy()
        found.known[place] = (rows.status != "error").to_numpy()
        return found

    def rate(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Clean success [V, M], the mean over the scenarios `where` [V, S] of their success rates; NaN without any."""
        counted = self.known.sum(axis=2)
        with np.errstate(invalid="ignore", divide="ignore"):
            of_scenario = self.won.sum(axis=2) / counted
        used = where[:, None, :] & (counted > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: NDArray[np.float64] = (used * np.nan_to_num(of_scenario)).sum(axis=2) / used.sum(axis=2)
        return found

    def count(self, episodes: pd.DataFrame, labels: Sequence[str]) -> tuple[Numbers, Numbers]:
        """Successes and evaluated rollouts [V, M, 2] of the combinations `labels`."""
        rows, place = self._places(episodes[episodes.combination.isin(list(labels)) & (episodes.status != "error")])
        number = {label: code for code, label in enumerate(labels)}
        at = rows.combination.map(number).to_numpy(np.int64), place[0], self.won[place].astype(np.int64)
        n = np.zeros((len(labels), len(self.models), 2), np.int64)
        successes = n.copy()
        np.add.at(n, at, 1)
        np.add.at(successes, at, (rows.status == "success").to_numpy(np.int64))
        return successes, n

    def left(self, where: NDArray[np.bool_], asked: Numbers) -> Numbers:
        """Rollouts [V, M, 2] from `asked` [V] on in the scenarios `where` [V, S]."""
        later = np.arange(self.won.shape[2]) >= asked[:, None]
        won = np.einsum("vs,vr,msr->vm", where, later, self.won, dtype=np.int64, optimize=True)
        every = (where.sum(axis=1) * later.sum(axis=1))[:, None]
        return np.stack([every - won, won], axis=2)

    def _places(self, episodes: pd.DataFrame) -> tuple[pd.DataFrame, tuple[Numbers, Numbers, Numbers]]:
        """The rows whose model and scenario are known here, and their indices."""
        model = episodes.model.astype(str).map({name: code for code, name in enumerate(self.models)})
        scenario = episodes.scenario_id.astype(str).map({name: code for code, name in enumerate(self.scenarios)})
        inside = (model.notna() & scenario.notna()).to_numpy() & (episodes.rollout < self.won.shape[2]).to_numpy()
        rows = episodes[inside]
        codes = [column[inside].to_numpy(np.int64) for column in (model, scenario)]
        return rows, (codes[0], codes[1], rows.rollout.to_numpy(np.int64))
