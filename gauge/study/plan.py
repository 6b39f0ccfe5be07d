"""What a stage wants evaluated, and which of it is still missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.core.items import Combination
from gauge.records.outcomes import STATUSES, Outcomes, outcomes
from gauge.study.lanes import Crew, Lane
from gauge.study.space import Space

Keys = NDArray[np.int64]
ROLLOUTS = 1 << 20  # more than any scenario has


@dataclass(frozen=True)
class Want:
    """Episodes of one cell: rollouts by scenario."""

    lane: Lane
    combination: Combination
    episodes: Mapping[str, Sequence[int]]

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


@dataclass(frozen=True)
class Board:
    """What is stored of the wanted episodes; other episodes of their cells are not looked at.

    Attributes:
        episodes: see `gauge.protocol.tables`, with seed; names are categorical.
        conditions: one row per distinct model, scenario and conditions, with status, for `integrity.refuse_mixed`.
        missing: what is wanted and has no success or fail yet.
    """

    episodes: pd.DataFrame
    conditions: pd.DataFrame
    missing: list[Want]


def look(crew: Crew, wanted: Sequence[Want]) -> Board:
    """Read what is stored of the wanted episodes."""
    names = list(crew.scenarios.scenario_id)
    place = {name: number for number, name in enumerate(names)}
    cells = {crew.folder / cell.name: cell.id for cell in (want.lane.cell(want.combination) for want in wanted)}
    found = outcomes(cells, names)
    planned = [_keys(number, want, place) for number, want in enumerate(wanted)]
    every = np.sort(np.concatenate([np.zeros(0, np.int64), *planned]))
    stored = _encode(*(found.episodes[name].to_numpy(np.int64) for name in ("cell", "scenario", "rollout")))
    inside = np.isin(stored, every)
    done = np.sort(stored[inside & (found.episodes.status.to_numpy() != STATUSES.index("error"))])
    missing = [part for want, keys in zip(wanted, planned, strict=True) if (part := _missing(want, keys, done, names))]
    return Board(_named(found, inside, wanted, names), _conditions(found, wanted, names), missing)


def _keys(number: int, want: Want, place: Mapping[str, int]) -> Keys:
    parts = [_encode(number, place[name], np.asarray(rollouts, np.int64)) for name, rollouts in want.episodes.items()]
    return np.concatenate(parts)


def _encode(cell: int | Keys, scenario: int | Keys, rollout: Keys) -> Keys:
    """One number per episode: cell, scenario and rollout side by side."""
    found: Keys = (np.int64(1) * cell << 40) + (np.int64(1) * scenario << 20) + rollout
    return found


def _missing(want: Want, keys: Keys, done: Keys, names: Sequence[str]) -> Want | None:
    """The part of a want that is not done; None for nothing."""
    at = np.minimum(np.searchsorted(done, keys), max(len(done) - 1, 0))
    absent = keys[done[at] != keys] if len(done) else keys
    if not len(absent):
        return None
    scenarios, rollouts = (absent >> 20) % ROLLOUTS, absent % ROLLOUTS
    episodes = {names[code]: rollouts[scenarios == code].tolist() for code in np.unique(scenarios)}
    return Want(want.lane, want.combination, episodes)


def _named(found: Outcomes, inside: NDArray[np.bool_], wanted: Sequence[Want], names: Sequence[str]) -> pd.DataFrame:
    rows = found.episodes[inside]
    return pd.DataFrame(
        {
            "model": _category([want.lane.model for want in wanted], rows.cell.to_numpy()),
            "combination": _category([want.combination.label for want in wanted], rows.cell.to_numpy()),
            "scenario_id": _category(names, rows.scenario.to_numpy()),
            "rollout": rows.rollout.to_numpy(),
            "seed": rows.seed.to_numpy(),
            "status": _category(STATUSES, rows.status.to_numpy()),
        }
    )


def _conditions(found: Outcomes, wanted: Sequence[Want], names: Sequence[str]) -> pd.DataFrame:
    """Without the cell, in which nothing may differ: a thousandth of the rows."""
    frame = found.conditions
    named = frame.assign(
        model=[wanted[cell].lane.model for cell in frame.cell],
        scenario_id=[names[scenario] for scenario in frame.scenario],
        status="done",
    )
    return named.drop(columns=["cell", "scenario"]).drop_duplicates(ignore_index=True)


def _category(names: Sequence[str], codes: NDArray[np.integer]) -> "pd.Categorical[str]":
    """Categorical of possibly repeated names by code."""
    place = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers = np.array([place[name] for name in names], np.int64)
    return pd.Categorical.from_codes(numbers[codes] if len(codes) else codes, categories=pd.Index(list(place)))
