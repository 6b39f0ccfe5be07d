"""What a stage wants evaluated."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from gauge.core.items import Combination
from gauge.study.lanes import Crew, Lane
from gauge.study.space import Space


@dataclass(frozen=True)
class Want:
    """Episodes of one cell: rollouts by scenario."""

    lane: Lane
    combination: Combination
    episodes: Mapping[str, Sequence[int]]

    @property
    def cell(self) -> str:
        """Folder name of the cell."""
        return self.lane.cell(self.combination).name

    @property
    def size(self) -> int:
        """How many episodes."""
        return sum(map(len, self.episodes.values()))


@dataclass(frozen=True)
class Left:
    """A scenario in which a combination makes no sense, so that it is not evaluated there."""

    combination: str
    scenario_id: str
    reason: str


def wants(
    crew: Crew,
    space: Space,
    models: Iterable[str],
    combinations: Iterable[Combination],
    episodes: Mapping[str, Sequence[int]],
) -> tuple[list[Want], list[Left]]:
    """Every model under every combination, in the scenarios of `episodes` in which it makes sense."""
    chosen = set(models)
    found: list[Want] = []
    left: dict[Left, None] = {}
    combinations = list(combinations)
    for lane in crew.lanes:
        own = {name: rollouts for name, rollouts in episodes.items() if name in lane.tasks}
        for combination in combinations if lane.model in chosen else []:
            unfit = {name: space.unfit(combination, lane.tasks[name]) for name in own}
            left |= {Left(combination.label, name, reason): None for name, reason in unfit.items() if reason}
            fit = {name: rollouts for name, rollouts in own.items() if not unfit[name] and len(rollouts)}
            if fit:
                found.append(Want(lane, combination, fit))
    return found, list(left)


def plan_table(wanted: Iterable[Want]) -> pd.DataFrame:
    """One row per wanted model, combination (label) and scenario_id."""
    rows = [(want.lane.model, want.combination.label, name) for want in wanted for name in want.episodes]
    return pd.DataFrame(rows, columns=["model", "combination", "scenario_id"])
