"""What is stored of wanted episodes and which are missing; and whether it is still what a stage was computed from."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gauge.core.cell import canonical
from gauge.core.seeds import seed
from gauge.records.outcomes import STATUSES, Outcomes, outcomes
from gauge.study.lanes import Crew
from gauge.study.plan import Want

Keys = NDArray[np.int64]
Asked = Mapping[str, Mapping[str, Sequence[int]]]  # cell's folder name to scenario to rollouts
BITS = 20  # of a key for the rollout, and for the scenario


@dataclass(frozen=True)
class Board:
    """What is stored of the wanted episodes; other episodes of their cells are not looked at.

    Attributes:
        episodes: see `gauge.protocol.tables`, with seed; names are categorical.
        conditions: one row per distinct model, scenario and conditions, with status, for `integrity.refuse_mixed`.
        missing: what is wanted and has no success or fail yet.
        hashes: of each cell's episodes, by folder name.
    """

    episodes: pd.DataFrame
    conditions: pd.DataFrame
    missing: list[Want]
    hashes: dict[str, str]


@dataclass(frozen=True)
class _Stored:
    found: Outcomes
    inside: NDArray[np.bool_]
    absent: list[Keys]
    hashes: dict[str, str]


def look(crew: Crew, wanted: Sequence[Want]) -> Board:
    """Read what is stored of the wanted episodes, no two wants being of the same cell."""
    names = list(crew.scenarios.scenario_id)
    stored = _stored(crew.folder, {want.cell: want.episodes for want in wanted}, names)
    missing = [
        Want(want.lane, want.combination, _episodes(keys, names))
        for want, keys in zip(wanted, stored.absent, strict=True)
        if len(keys)
    ]
    episodes = _named(stored.found.episodes[stored.inside], wanted, names)
    return Board(episodes, _conditions(stored.found.conditions, wanted, names), missing, stored.hashes)


def hashes(folder: Path, asked: Asked) -> dict[str, str]:
    """The hash of the asked episodes of every cell, as they are stored in a study's folder now."""
    names = list(dict.fromkeys(name for episodes in asked.values() for name in episodes))
    return _stored(folder, asked, names).hashes


def digest(found: Mapping[str, str]) -> str:
    """16 hex digits over the hashes of cells."""
    return hashlib.sha256(canonical(dict(found)).encode()).hexdigest()[:16]


def _stored(folder: Path, asked: Asked, names: Sequence[str]) -> _Stored:
    place = {name: number for number, name in enumerate(names)}
    found = outcomes({folder / cell: cell.rpartition("-")[2] for cell in asked}, names)
    planned = [_keys(number, episodes, place) for number, episodes in enumerate(asked.values())]
    every = np.sort(np.concatenate([np.zeros(0, np.int64), *planned]))
    rows = found.episodes
    keys = _encode(*(rows[name].to_numpy(np.int64) for name in ("cell", "scenario", "rollout")))
    inside = _among(keys, every)
    done = np.sort(keys[inside & (rows.status.to_numpy() != STATUSES.index("error"))])
    absent = [_absent(wanted, done) for wanted in planned]
    return _Stored(found, inside, absent, _hashes(rows[inside], list(asked), names))


def _hashes(rows: pd.DataFrame, cells: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """One hash per cell, whatever the order of its rows."""
    scenario = np.array([seed(name) for name in names], np.uint64)[rows.scenario.to_numpy()]
    parts = [scenario, *(rows[name].to_numpy().astype(np.uint64) for name in ("rollout", "seed", "status"))]
    mixed = np.zeros(len(rows), np.uint64)
    for part in parts:
        mixed = pd.util.hash_array(mixed * np.uint64(31) + part)
    sums = np.zeros(len(cells), np.uint64)
    np.add.at(sums, rows.cell.to_numpy(), mixed)
    return {cell: f"{int(total):016x}" for cell, total in zip(cells, sums, strict=True)}


def _keys(number: int, episodes: Mapping[str, Sequence[int]], place: Mapping[str, int]) -> Keys:
    same: dict[int, tuple[Sequence[int], list[int]]] = {}  # most scenarios of a cell share one list of rollouts
    for name, rollouts in episodes.items():
        same.setdefault(id(rollouts), (rollouts, []))[1].append(place[name])
    parts = [
        _encode(number, np.array(scenarios, np.int64)[:, None], np.asarray(rollouts, np.int64)).ravel()
        for rollouts, scenarios in same.values()
    ]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def _encode(cell: int | Keys, scenario: int | Keys, rollout: Keys) -> Keys:
    """One number per episode: cell, scenario and rollout side by side."""
    found: Keys = (np.int64(1) * cell << 2 * BITS) + (np.int64(1) * scenario << BITS) + rollout
    return found


def _absent(wanted: Keys, done: Keys) -> Keys:
    found: Keys = wanted[~_among(wanted, done)]
    return found


def _among(keys: Keys, ordered: Keys) -> NDArray[np.bool_]:
    """Which keys are among ordered ones; several times faster than `numpy.isin`, which would sort both."""
    if not len(ordered):
        return np.zeros(len(keys), np.bool_)
    found: NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, keys), len(ordered) - 1)] == keys
    return found


def _episodes(keys: Keys, names: Sequence[str]) -> dict[str, list[int]]:
    scenarios, rollouts = (keys >> BITS) % (1 << BITS), keys % (1 << BITS)
    return {names[code]: rollouts[scenarios == code].tolist() for code in np.unique(scenarios)}


def _named(rows: pd.DataFrame, wanted: Sequence[Want], names: Sequence[str]) -> pd.DataFrame:
    cells = rows.cell.to_numpy()
    return pd.DataFrame(
        {
            "model": _category([want.lane.model for want in wanted], cells),
            "combination": _category([want.combination.label for want in wanted], cells),
            "scenario_id": _category(names, rows.scenario.to_numpy()),
            "rollout": rows.rollout.to_numpy(),
            "seed": rows.seed.to_numpy(),
            "status": _category(STATUSES, rows.status.to_numpy()),
        }
    )


def _conditions(frame: pd.DataFrame, wanted: Sequence[Want], names: Sequence[str]) -> pd.DataFrame:
    """Without the cell, in which nothing may differ: a thousandth of the rows."""
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
