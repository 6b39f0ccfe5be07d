"""Episodes of a synthetic model: drawn from its probabilities, no scene, no worker; named synthetic in every record.

Whether an episode succeeds depends on model, combination, scenario and rollout alone. Part of its luck belongs to
the scenario and rollout, so that models and perturbations compared on the same seeds are pairs, as in real scenes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from gauge.core.cell import Cell
from gauge.core.draws import draws
from gauge.core.items import Combination, Item
from gauge.core.record import EpisodeRecord
from gauge.perturbations.base import Bound
from gauge.policies.synthetic import SyntheticModel, uniform
from gauge.protocol.synthetic import SyntheticPolicy
from gauge.rollout.plan import EpisodePlan

BATCH = 5000  # episodes that are stored together


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that the drawn episodes of one cell share."""

    model: SyntheticModel
    cell: Cell
    bound: Sequence[Bound]
    fingerprint: dict[str, str]

    def batches(self, plans: Sequence[EpisodePlan]) -> Iterator[list[EpisodeRecord]]:
        """The records of all plans, in order, at most `BATCH` at a time."""
        tasks = list({plan.task.id: plan.task for plan in plans}.values())
        levels = {item.attribute: perturbation.levels for item, perturbation in self.bound}
        policy = self.model.policy(str(self.cell.model["name"]), tasks, self.cell.combination.items, levels)
        for begin in range(0, len(plans), BATCH):
            yield self._records(plans[begin : begin + BATCH], policy)

    def _records(self, plans: Sequence[EpisodePlan], policy: SyntheticPolicy) -> list[EpisodeRecord]:
        chance = dict(zip(policy.clean, policy.probabilities(self.cell.combination, list(policy.clean)), strict=True))
        moving = any(item.mode == "dynamic" for item in self.cell.combination.items)
        if moving:
            edges = np.array([self._chance_of_draws(policy, plan) for plan in plans])
        else:
            edges = np.array([chance[plan.task.id] for plan in plans])
        success = self._luck(plans) < ndtri(edges)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        items = [_described(item) for item in self.cell.combination.items]
        return [self._record(plan, bool(won), items, now) for plan, won in zip(plans, success, strict=True)]

    def _chance_of_draws(self, policy: SyntheticPolicy, plan: EpisodePlan) -> float:
        """The success probability with the values that this episode draws, each for a third of the time."""
        drawn = [
            Item(item.category, item.factor, item.attribute, draws(item, plan.seed), item.mode)
            if item.mode == "dynamic" and len(set(draws(item, plan.seed))) > 1
            else Item(item.category, item.factor, item.attribute, draws(item, plan.seed)[:1])
            for item in self.cell.combination.items
        ]
        return float(policy.probabilities(Combination.of(drawn), [plan.task.id])[0])

    def _luck(self, plans: Sequence[EpisodePlan]) -> NDArray[np.float64]:
        """Standard normal deviates [episodes]; low is lucky."""
        name, label, share = str(self.cell.model["name"]), self.cell.combination.label, self.model.pairing
        shared = ndtri(np.array([uniform("luck", plan.seed) for plan in plans]))
        own = ndtri(np.array([uniform("luck", plan.seed, name, label) for plan in plans]))
        luck: NDArray[np.float64] = np.sqrt(share) * shared + np.sqrt(1 - share) * own
        return luck

    def _record(self, plan: EpisodePlan, won: bool, items: list[dict[str, object]], now: str) -> EpisodeRecord:
        return EpisodeRecord(
            cell_id=plan.cell_id,
            scenario_id=plan.task.id,
            rollout=plan.rollout,
            seed=plan.seed,
            status="success" if won else "fail",
            prompt=plan.told,
            success_final=won,
            horizon=plan.horizon,
            settle_steps=plan.settle_steps,
            items=items,
            model_identity=self.model.identity,
            attempt=plan.attempt,
            fingerprint=self.fingerprint,
            finished_at=now,
        )


def _described(item: Item) -> dict[str, object]:
    return {"attribute": item.attribute, "label": item.label, "mode": item.mode, "values": list(item.values)}
