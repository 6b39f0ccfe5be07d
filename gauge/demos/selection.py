"""Which episodes of a task to try next, and which of the tried ones make the set. Pure, so a resumed set is the same.

Episodes are tried in waves: as many as are still missing, then again as many as that wave left missing. Which ones
are tried follows from the outcomes alone, never from the number of workers or from where a run was interrupted.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gauge.demos.gate import Limits, Measure, detours, faults


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one tried episode: the measures of a verified success, else the reason why it is none."""

    measure: Measure | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Indices of the set in order, and the reasons for each that is not in it."""

    kept: tuple[int, ...]
    dropped: dict[int, str]


def select(outcomes: Mapping[int, Outcome], n: int, limits: Limits) -> Selection:
    """The first `n` episodes, in order of index, that are good on their own and no detours beside the others."""
    dropped = {index: one.reason for index, one in outcomes.items() if one.measure is None}
    measured = {index: one.measure for index, one in sorted(outcomes.items()) if one.measure is not None}
    bad = {index: "; ".join(faults(one, limits)) for index, one in measured.items()}
    dropped |= {index: reason for index, reason in bad.items() if reason}
    good = {index: one for index, one in measured.items() if index not in dropped}
    dropped |= detours(good, limits)
    kept = [index for index in good if index not in dropped]
    dropped |= dict.fromkeys(kept[n:], "more than were asked for")
    return Selection(tuple(kept[:n]), dict(sorted(dropped.items())))


def missing(outcomes: Mapping[int, Outcome], n: int, limits: Limits, most: int) -> list[int]:
    """The episodes to try now; empty when the set is complete or `most` episodes were tried."""
    tried = 0
    while True:
        found = select({index: one for index, one in outcomes.items() if index < tried}, n, limits)
        wave = range(tried, min(tried + n - len(found.kept), most))
        todo = [index for index in wave if index not in outcomes]
        if todo or not wave:
            return todo
        tried = wave.stop
