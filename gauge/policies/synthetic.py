"""`model=synthetic`: success probabilities instead of a policy, from which `gauge.rollout.drawn` draws results."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from gauge.core.items import Item, Value
from gauge.core.policy import Observation, PolicySpec
from gauge.core.seeds import seed
from gauge.errors import GaugeError, PolicyError
from gauge.protocol.synthetic import SyntheticPolicy
from gauge.suites import Task

OOD_LOGITS = 1.0


@dataclass(frozen=True, slots=True)
class SyntheticModel:
    """The truth about a synthetic model; every field is explained in `conf/model/synthetic.yaml`."""

    skill: float
    spread: float
    own: float
    weakness: float | None
    pairing: float
    effects: Mapping[str, float]
    attributes: Mapping[str, float]
    interactions: Sequence[Mapping[str, Any]]
    spec: PolicySpec = field(default_factory=lambda: PolicySpec(cameras=(), state="none"))
    identity: str = "synthetic/1"

    def __post_init__(self) -> None:
        if not 0.0 <= self.pairing < 1.0:
            raise GaugeError(f"model.pairing={self.pairing} is not a correlation from 0 to less than 1")
        kept = [*self.effects.values(), *self.attributes.values()]
        if any(share < 0.0 for share in kept) or any(entry["times"] < 0.0 for entry in self.interactions):
            raise GaugeError("a synthetic model's effects and interactions are factors on success, 0 or more")

    def policy(
        self, name: str, tasks: Sequence[Task], items: Iterable[Item], levels: Mapping[str, Sequence[Value]]
    ) -> SyntheticPolicy:
        """The probabilities of the model called `name` in these tasks under these items.

        Args:
            name: of the model; its own part of difficulty and its weakness follow from it.
            tasks: the scenarios.
            items: what is changed.
            levels: all levels of every attribute of `items`, the gentlest first.
        """
        retention = {
            (item.attribute, value): self._kept(name, item, step(own, value) / len(own))
            for item in items
            for own in (levels[item.attribute],)
            for value in item.values
        }
        interaction = {frozenset(entry["factors"]): float(entry["times"]) for entry in self.interactions}
        return SyntheticPolicy(name, {task.id: self._clean(name, task) for task in tasks}, retention, interaction)

    def _clean(self, name: str, task: Task) -> float:
        difficulty = self.spread * (2 * uniform("difficulty", task.id) - 1)
        difficulty += OOD_LOGITS * (getattr(task, "split", "id") == "ood")
        logits = self.skill - difficulty + self.own * normal(uniform("own", name, task.id))
        return 1 / (1 + math.exp(-logits))

    def _kept(self, name: str, item: Item, part: float) -> float:
        """Share of success left after `part`, in (0, 1], of the way to the last level, which has the stated share."""
        last = self.attributes.get(item.attribute, self.effects.get(item.factor, 1.0))
        weakness = self.weakness if self.weakness is not None else 0.8 + 0.4 * uniform("weakness", name)
        return max(0.0, 1 - weakness * (1 - last) * part)

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Refuse: there is nobody to act."""
        _refuse()

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """Refuse: there is nobody to act."""
        _refuse()

    def close(self) -> None:
        """Nothing to release."""


def step(levels: Sequence[Value], value: Value) -> int:
    """Which level a value is, from 1: the nearest for a number; an unlisted word is the last."""
    if value in levels:
        return levels.index(value) + 1
    numbers = [abs(level - value) for level in levels if not isinstance(level, str) and not isinstance(value, str)]
    return numbers.index(min(numbers)) + 1 if numbers else len(levels)


def uniform(*parts: str | int) -> float:
    """A number in (0, 1) that depends on `parts` alone."""
    return (seed("synthetic", *parts) + 0.5) / 2.0**64


def normal(uniform: float) -> float:
    """The standard normal deviate at that quantile."""
    from scipy.special import ndtri

    return float(ndtri(uniform))


def _refuse() -> NoReturn:
    raise PolicyError("a synthetic model has no actions, only success probabilities; evaluate it with gauge.run")
