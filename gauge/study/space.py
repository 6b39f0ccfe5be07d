"""The perturbation space that a study tries, and what of it makes sense where."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from gauge.config import items, options
from gauge.config.schema import Attribute
from gauge.core.items import Combination, Item, Value
from gauge.perturbations.base import Bound, Perturbation
from gauge.perturbations.combine import applicable
from gauge.protocol.space import space_table
from gauge.suites import Task

NONE = "none"


@dataclass(frozen=True)
class Space:
    """The code of every attribute, by its name, and the option of `conf/perturbation` that it comes from.

    Attributes:
        code: attribute to perturbation.
        option: attribute to the name of its option.
    """

    code: Mapping[str, Perturbation]
    option: Mapping[str, str]
    _fits: dict[tuple[Item, str], str] = field(default_factory=dict)

    def table(self, attributes: Sequence[str] | None = None, levels: int | None = None) -> pd.DataFrame:
        """The values to try, see `gauge.protocol.space`; of `attributes`, at most `levels` each."""
        wanted = [one for name, one in self.code.items() if attributes is None or self.option[name] in attributes]
        wanted.sort(key=lambda one: (one.category, one.factor, one.attribute))
        return space_table(
            {
                "category": one.category,
                "factor": one.factor,
                "attribute": one.attribute,
                "values": [one.validate(level) for level in spread(one.levels, levels)],
                "mutable": one.mutable,
            }
            for one in wanted
        )

    def bound(self, combination: Combination) -> list[Bound]:
        """The items with the code behind them."""
        return [Bound(item, self.code[item.attribute]) for item in combination.items]

    def unfit(self, combination: Combination, task: Task) -> str:
        """Why the combination makes no sense in the task; empty if it does."""
        reasons = (self._unfit(one, task) for one in self.bound(combination))
        return next((reason for reason in reasons if reason), "")

    def _unfit(self, bound: Bound, task: Task) -> str:
        key = (bound.item, task.id)
        if key not in self._fits:
            self._fits[key] = applicable(task, [bound])
        return self._fits[key]


def load(folders: list[Path]) -> Space:
    """Every option of `conf/perturbation`, the user's own among them."""
    names = [name for name in options.names("perturbation", folders) if name != NONE]
    code = {name: items.perturbation(options.load("perturbation", name, Attribute, folders)) for name in names}
    return Space({one.attribute: one for one in code.values()}, {one.attribute: name for name, one in code.items()})


def spread(levels: Sequence[Value], most: int | None) -> list[Value]:
    """At most so many of the levels, in order and evenly spread; the last, usually the hardest, is among them."""
    if most is None or most >= len(levels):
        return list(levels)
    step = len(levels) / most
    return [levels[int((k + 1) * step + 1e-9) - 1] for k in range(most)]
