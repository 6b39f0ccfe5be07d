"""Tables of jobs for people, and the same as plain data."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from gauge.errors import GaugeError
from gauge.jobs.counts import log_of, tail
from gauge.jobs.states import STATES, JobState

STYLES = {"done": "green", "running": "cyan", "waiting": "dim", "failed": "red"}
ROWS = 40  # jobs that a table shows unless all are asked for


def table(jobs: Sequence[JobState], everything: bool = False) -> Table:
    """One row per job; of a long list those that are done, then those that wait, are left to the summary line."""
    shown = list(jobs)
    for boring in ("done", "waiting"):
        if len(shown) > ROWS and not everything:
            shown = [job for job in shown if job.state != boring]
    made = Table(box=None, pad_edge=False)
    for name in ("Job", "Id", "State", "Episodes", "Errors", "Cell"):
        made.add_column(name, justify="right" if name in ("Job", "Episodes", "Errors") else "left", overflow="fold")
    for job in shown if everything else shown[:ROWS]:
        state = Text(f"{job.state}: {job.why}" if job.why else job.state, STYLES[job.state])
        done = f"{job.counts.evaluated}/{job.planned}"
        made.add_row(str(job.entry.number), job.entry.id, state, done, str(job.counts.errors), label(job))
    return made


def label(job: JobState) -> str:
    """What a job evaluates: the name of its cell's folder, or how many cells."""
    cells = job.entry.cells
    return f"{len(cells)} cells" if len(cells) > 1 else Path(job.entry.folder).name.rsplit("-", 1)[0]


def summary(jobs: Sequence[JobState]) -> str:
    """Counts of jobs by state and of episodes, in one line."""
    states = Counter(job.state for job in jobs)
    by_state = ", ".join(f"{states[state]} {state}" for state in STATES if states[state])
    planned, evaluated = sum(job.planned for job in jobs), sum(job.counts.evaluated for job in jobs)
    return f"{len(jobs)} jobs: {by_state}; {evaluated} of {planned} episodes on record"


def failures(jobs: Sequence[JobState], lines: int = 5) -> str:
    """The failed jobs: what repeats each alone, the reason, its log and the end of it; empty without any."""
    bad = [job for job in jobs if job.state == "failed"]
    if not bad:
        return ""
    told = [f"{len(bad)} of {len(jobs)} jobs failed; the same command again runs what is missing:"]
    for job in bad:
        told += [f"  {' '.join(job.entry.overrides) or '(no overrides)'}", f"    {job.why}"]
        try:
            log = log_of(job.entry.folder, job.entry.log)
        except GaugeError:
            continue
        told += [f"    log: {log}", *(f"    | {line}" for line in tail(log, lines))]
    return "\n".join(told)


def plain(jobs: Sequence[JobState]) -> list[dict[str, Any]]:
    """One mapping per job: number, id, state, why, planned, evaluated, successes, errors, folder, log, overrides."""
    return [
        {
            "number": job.entry.number,
            "id": job.entry.id,
            "state": job.state,
            "why": job.why,
            "planned": job.planned,
            **asdict(job.counts),
            "folder": job.entry.folder,
            "log": job.entry.log,
            "overrides": job.entry.overrides,
        }
        for job in jobs
    ]
