"""The state of every job of a sweep: the scheduler's word and the records together, neither alone."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gauge.jobs.counts import Counts, count
from gauge.jobs.ledger import Entry, Ledger
from gauge.jobs.scheduler import Said, ask_slurm
from gauge.records.lock import Holder, holder_of

State = Literal["done", "running", "waiting", "failed"]
STATES: tuple[State, ...] = ("done", "running", "waiting", "failed")


@dataclass(frozen=True, slots=True)
class JobState:
    """One job: `done` means that every episode is on record, whatever the scheduler calls it.

    Attributes:
        entry: the job.
        state: one of `STATES`.
        why: for a failed job, the reason in a few words.
        counts: of its episodes.
    """

    entry: Entry
    state: State
    why: str
    counts: Counts

    @property
    def planned(self) -> int:
        """Episodes that it is to evaluate."""
        return sum(cell.episodes for cell in self.entry.cells)


def look(ledger: Ledger) -> list[JobState]:
    """The present state of all jobs of a sweep, by number.

    Raises:
        GaugeError: the records cannot be read.
    """
    entries = [ledger.jobs[number] for number in sorted(ledger.jobs)]
    # Asked before the records are counted: what ended in between is then done, not failed.
    said = _ask(ledger)
    counts = count(cell for entry in entries for cell in entry.cells)
    return [judge(entry, _total(entry, counts), said[entry.number]) for entry in entries]


def judge(entry: Entry, counts: Counts, said: Said) -> JobState:
    """The state of one job from its counts and the scheduler's word."""
    planned = sum(cell.episodes for cell in entry.cells)
    if planned and counts.evaluated >= planned:
        return JobState(entry, "done", "", counts)
    if said.phase != "ended":
        return JobState(entry, "running" if said.phase == "running" else "waiting", "", counts)
    if not planned and not said.how:
        return JobState(entry, "done", "", counts)
    why = said.how or (f"{counts.errors} episodes could not be evaluated" if counts.errors else "ended early")
    return JobState(entry, "failed", why, counts)


def _total(entry: Entry, counts: Mapping[str, Counts]) -> Counts:
    own = [counts.get(cell.folder, Counts()) for cell in entry.cells]
    return Counts(*(sum(getattr(one, name) for one in own) for name in ("evaluated", "successes", "errors")))


def _ask(ledger: Ledger) -> dict[int, Said]:
    if ledger.cluster == "slurm":
        found = ask_slurm(entry.id for entry in ledger.jobs.values())
        return {number: found.get(entry.id) or _gone(entry) for number, entry in ledger.jobs.items()}
    newest = max((number for number, entry in ledger.jobs.items() if entry.id), default=-1)
    return {number: _here(entry, ledger, number == newest) for number, entry in ledger.jobs.items()}


def _gone(entry: Entry) -> Said:
    """The word on a job that Slurm knows nothing of: a waiting task of an array that is cancelled leaves no trace."""
    if not entry.id:
        return Said("ended", "not submitted")
    return Said("ended", "no longer known to Slurm" if Path(entry.log).exists() else "cancelled before it started")


def _here(entry: Entry, ledger: Ledger, newest: bool) -> Said:
    """The word on a job of this machine: whoever holds its cells, its process, or the process of the sweep."""
    if any(holder_of(Path(cell.folder)) for cell in entry.cells if Path(cell.folder).is_dir()):
        return Said("running")
    owner = ledger.owner.lives is not False
    if not entry.id:
        return Said("waiting") if owner else Said("ended", "never started, its sweep was stopped")
    if ledger.cluster == "debug":
        return Said("running") if owner and newest else Said("ended")
    return Said("running") if _runs(entry.id, ledger.owner) else Said("ended")


def _runs(pid: str, owner: Holder) -> bool:
    """Whether the process still runs, where that can be told."""
    if owner.lives is None or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True
