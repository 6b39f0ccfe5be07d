"""`python -m gauge.collect`: the table of a sweep whose terminal is gone, made from the records."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from gauge.bar import Bar
from gauge.command import command
from gauge.jobs.arguments import parser

if TYPE_CHECKING:
    from gauge.jobs.states import JobState

EPILOG = """examples:
  python -m gauge.collect --wait              the newest sweep below outputs/, once no job waits or runs
  python -m gauge.collect outputs/main        what the newest sweep of a study has found so far

exit code 0: every episode is on record; 3: some are missing, the table says how many; 2: a fault in the command
"""
POLL_S = 2.0


@command("stopped waiting; the jobs go on")
def main() -> None:
    """The command."""
    made = parser("collect", __doc__, EPILOG)
    made.add_argument("--wait", action="store_true", help="until no job waits or runs")
    options = made.parse_args()
    sys.exit(0 if _collect(options.folder, options.wait) else 3)


def _collect(root: Path, wait: bool) -> bool:
    """Print the tables; whether every episode is on record."""
    from gauge.jobs import view
    from gauge.jobs.ledger import Ledger, latest
    from gauge.jobs.states import look
    from gauge.rollout.reports import report_sweep

    path = latest(root)
    jobs = _wait(path) if wait else look(Ledger.read(path))
    begun = [job for job in jobs if job.counts.evaluated or job.counts.errors]
    report_sweep([_as_result(job) for job in begun if len(job.entry.cells) == 1], path.parent)
    print(view.summary(jobs))
    if failed := view.failures(jobs):
        print(failed)
    return all(job.state == "done" for job in jobs)


def _wait(path: Path) -> "list[JobState]":
    """Look until no job waits or runs, with a bar of the episodes on record."""
    from gauge.jobs.ledger import Ledger
    from gauge.jobs.states import look

    jobs = look(Ledger.read(path))
    with Bar("collect", sum(job.planned for job in jobs), shown=True) as bar:
        while True:
            bar.update(sum(job.counts.evaluated for job in jobs), "episodes on record")
            if all(job.state in ("done", "failed") for job in jobs):
                return jobs
            time.sleep(POLL_S)
            jobs = look(Ledger.read(path))


def _as_result(job: "JobState") -> dict[str, object]:
    """What the job itself would have returned, as far as tables need it."""
    from gauge.records.load import read_info

    (cell,) = job.entry.cells
    return {
        "cell_id": cell.cell_id,
        "suite": read_info(Path(cell.folder)).suite,
        "n": job.counts.evaluated,
        "errors": job.counts.errors,
        "scenarios": cell.scenarios,
        "rollouts": cell.rollouts,
        "study_dir": str(Path(cell.folder).parent),
    }


if __name__ == "__main__":
    main()
