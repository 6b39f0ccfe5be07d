"""What Slurm says of jobs: waiting, running, or how they ended."""

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Phase = Literal["waiting", "running", "ended"]
WAITING = frozenset(
    {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
)
RUNNING = frozenset({"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "STAGE_OUT", "SIGNALING", "RESIZING"})
WORDS = {
    "CANCELLED": "cancelled",
    "TIMEOUT": "time limit reached",
    "OUT_OF_MEMORY": "out of memory",
    "NODE_FAIL": "its node failed",
    "BOOT_FAIL": "its node did not boot",
    "PREEMPTED": "preempted and not requeued",
    "DEADLINE": "deadline passed",
}
ASK_S = 60.0
AT_ONCE = 500  # ids in one question


@dataclass(frozen=True, slots=True)
class Said:
    """The scheduler's word on one job: its phase, and for one that ended badly, how."""

    phase: Phase
    how: str = ""


def ask_slurm(ids: Iterable[str]) -> dict[str, Said]:
    """The present word on each job that Slurm still knows; accounting fills in those that left the queue.

    Job ids are those of array tasks (`12_3`) or of single jobs. A cluster without accounting forgets ended jobs.
    """
    found: dict[str, Said] = {}
    wanted = sorted({job.partition("_")[0] for job in ids if job})
    for some in _batches(wanted):
        accounted = parse_sacct(_lines("sacct", "-n", "-P", "-j", some, "-o", "JobID,State,ExitCode"))
        queued = parse_squeue(_lines("squeue", "-h", "-r", "-t", "all", "-j", some, "-o", "%i|%T"))
        found |= latest(accounted, queued)
    return found


def latest(accounted: Mapping[str, Said], queued: Mapping[str, Said]) -> dict[str, Said]:
    """Both words in one: accounting lags behind the queue, but knows more of jobs that it has seen end."""
    ended = {job: said for job, said in accounted.items() if said.phase == "ended"}
    return {**accounted, **queued, **{job: said for job, said in ended.items() if _over(queued.get(job))}}


def _over(said: Said | None) -> bool:
    return said is None or said.phase == "ended"


def parse_squeue(lines: Iterable[str]) -> dict[str, Said]:
    """Lines `12_3|RUNNING` of jobs that are in the queue or have left it minutes ago."""
    parts = [line.split("|") for line in lines]
    return {job: _said(state, "") for job, state in parts}


def parse_sacct(lines: Iterable[str]) -> dict[str, Said]:
    """Lines `12_3|CANCELLED by 0|0:15` of the accounting, and `12_3.0|FAILED|0:9` of a job's step; the last counts.

    A job that failed because its step was killed has an exit code only; the step knows the signal.
    """
    jobs: dict[str, tuple[str, str]] = {}
    signals: dict[str, str] = {}
    for line in lines:
        name, state, code = line.split("|")
        job, _, step = name.partition(".")
        if not step:
            jobs[job] = state, code
            signals.pop(job, None)  # steps of an earlier life, before a requeue
        elif step == "0" and not code.endswith(":0"):
            signals[job] = code
    return {job: _said(state, signals.get(job, code)) for job, (state, code) in jobs.items()}


def _said(state: str, code: str) -> Said:
    now = phase(state)
    return Said(now, how_ended(state, code) if now == "ended" else "")


def phase(state: str) -> Phase:
    """Slurm's state in one of three words."""
    word = state.split(" ")[0].rstrip("+")
    if word in WAITING:
        return "waiting"
    return "running" if word in RUNNING else "ended"


def how_ended(state: str, exit_code: str) -> str:
    """Empty for a job that completed; Slurm writes the exit code as `status:signal`, the queue does not know it."""
    word = state.split(" ")[0].rstrip("+")
    if word == "COMPLETED":
        return ""
    if word in WORDS:
        return WORDS[word]
    if not exit_code:
        return word.lower().replace("_", " ")
    status, _, number = exit_code.partition(":")
    return f"killed by signal {number}" if number not in ("", "0") else f"exit code {status}"


def _lines(*command: str) -> list[str]:
    """What a Slurm command prints; nothing if it is not there or knows none of the jobs."""
    if shutil.which(command[0]) is None:
        return []
    done = subprocess.run(command, capture_output=True, text=True, timeout=ASK_S, check=False)
    return [line for line in done.stdout.splitlines() if "|" in line]


def _batches(ids: list[str]) -> Iterator[str]:
    for start in range(0, len(ids), AT_ONCE):
        yield ",".join(ids[start : start + AT_ONCE])
