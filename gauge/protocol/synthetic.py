"""Synthetic policies: episodes drawn from known success probabilities, to test the protocol where the truth is known.

No robot, no simulator: an "episode" is one draw. So that no such number passes for a measurement, every name starts
with `synthetic`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gauge.core.items import Combination, Item
from gauge.core.seeds import episode_seed
from gauge.errors import GaugeError

PREFIX = "synthetic"


@dataclass(frozen=True, slots=True)
class SyntheticPolicy:
    """A policy that is nothing but its success probabilities.

    P(success | scenario, combination) = clean x product of the items' retentions x product of the interactions whose
    factors are all present, at most 1. Without interactions the combinations are additive in log retention.

    Attributes:
        name: starts with `synthetic`.
        clean: scenario id to clean success probability.
        retention: (attribute, value) to the share of success that is left; 1 where it is not listed. A dynamic item
            retains the mean over its values.
        interaction: set of factors to one more multiplier; 0 makes the combination impossible.
    """

    name: str
    clean: Mapping[str, float]
    retention: Mapping[tuple[str, float | str], float] = field(default_factory=dict)
    interaction: Mapping[frozenset[str], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name.startswith(PREFIX):
            raise GaugeError(f"{self.name!r} is not a policy that was run; name it {PREFIX}-{self.name}")

    def kept(self, combination: Combination) -> float:
        """The share of clean success that is left under `combination`, before the cap at 1."""
        kept = 1.0
        for item in combination.items:
            kept *= self._retained(item)
        present = {item.factor for item in combination.items}
        for factors, multiplier in self.interaction.items():
            kept *= multiplier if factors <= present else 1.0
        return kept

    def probabilities(self, combination: Combination, scenario_ids: Sequence[str]) -> NDArray[np.float64]:
        """True success probability per scenario, in [0, 1]."""
        clean = np.array([self.clean[name] for name in scenario_ids])
        return np.clip(clean * self.kept(combination), 0.0, 1.0)

    def _retained(self, item: Item) -> float:
        return float(np.mean([self.retention.get((item.attribute, value), 1.0) for value in item.values]))


def simulate(
    policies: Iterable[SyntheticPolicy],
    combinations: Iterable[Combination],
    scenario_ids: Sequence[str],
    rollouts: int,
    rng: np.random.Generator,
    pairing: float = 0.5,
    root: int = 0,
) -> pd.DataFrame:
    """Episodes of every policy under every combination on every scenario.

    Args:
        policies: who acts.
        combinations: under what; the empty one is `clean`.
        scenario_ids: where.
        rollouts: how often, numbered from 0.
        rng: source of all draws.
        pairing: correlation, in [0, 1), of the hidden luck of one (scenario, rollout) over policies and combinations:
            a lucky start is lucky for all, as on shared seeds.
        root: root seed, for the `seed` column.

    Returns:
        The columns of the records' episodes that the protocol reads (cell_id, scenario_id, rollout, seed, status,
        model_identity) and model and combination. Names are categorical, so that millions of rows fit.
    """
    labels = [(policy, combination) for policy in policies for combination in combinations]
    shape = (len(scenario_ids), rollouts)
    shared = rng.standard_normal(shape)
    success = np.empty((len(labels), *shape), bool)
    for cell, (policy, combination) in enumerate(labels):
        luck = np.sqrt(pairing) * shared + np.sqrt(1 - pairing) * rng.standard_normal(shape)
        edge = stats.norm.ppf(policy.probabilities(combination, scenario_ids))
        success[cell] = luck < edge[:, None]
    seeds = [episode_seed(root, name, rollout) for name in scenario_ids for rollout in range(rollouts)]
    cells, scenarios = np.arange(len(labels)), np.arange(len(scenario_ids))
    size = len(scenario_ids) * rollouts
    return pd.DataFrame(
        {
            "cell_id": _names([f"{p.name}-{c.label}" for p, c in labels], np.repeat(cells, size)),
            "model": _names([p.name for p, _ in labels], np.repeat(cells, size)),
            "combination": _names([c.label for _, c in labels], np.repeat(cells, size)),
            "scenario_id": _names(scenario_ids, np.tile(np.repeat(scenarios, rollouts), len(labels))),
            "rollout": np.tile(np.arange(rollouts), len(labels) * len(scenario_ids)),
            "seed": np.tile(np.array(seeds, np.uint64), len(labels)),
            "status": _names(["fail", "success"], success.reshape(-1).astype(np.int8)),
            "model_identity": _names([PREFIX], np.zeros(len(labels) * size, np.int8)),
        }
    )


def clean_probabilities(
    scenarios: pd.DataFrame, skill: float, rng: np.random.Generator, spread: float = 1.5, own: float = 0.8
) -> dict[str, float]:
    """Clean success of one policy per scenario: logistic in skill minus difficulty.

    The difficulty of a scenario is spread evenly over its capability, the same for every policy; out-of-distribution
    scenarios are harder by 1.

    Args:
        scenarios: see `gauge.protocol.tables`.
        skill: of the policy, in logits.
        rng: source of the policy's own deviation on each scenario.
        spread: of the shared difficulty, in logits either way.
        own: standard deviation of the policy's own part, in logits.
    """
    place = scenarios.groupby("capability").cumcount() / scenarios.groupby("capability")["split"].transform("size")
    # A stride that shares no divisor with the sizes mixes easy and hard within each split.
    difficulty = spread * (2 * ((place * 7.3) % 1.0) - 1) + (scenarios.split == "ood")
    logits = skill - difficulty + own * rng.standard_normal(len(scenarios))
    return dict(zip(scenarios.scenario_id, 1 / (1 + np.exp(-logits)), strict=True))


def _names(names: Sequence[str], codes: NDArray[np.integer]) -> "pd.Categorical[str]":
    """Categorical of possibly repeated names by code."""
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers: NDArray[np.int64] = np.array([place[name] for name in names])[codes]
    return pd.Categorical.from_codes(numbers, categories=pd.Index(list(place)))
