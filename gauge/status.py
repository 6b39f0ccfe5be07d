"""`python -m gauge.status`: what the jobs of a sweep are doing, from the scheduler and the records."""

import argparse
import json
import sys
import time

from gauge.command import command
from gauge.jobs.arguments import parser

EPILOG = """examples:
  python -m gauge.status                      the newest sweep below outputs/
  python -m gauge.status outputs/main         the newest sweep of a study
  python -m gauge.status outputs/main/sweeps/20261129-201500-4711 --watch 10

exit code 0: every episode is on record; 3: jobs wait, run or failed; 2: a fault in the command
"""


@command("stopped looking; the jobs go on")
def main() -> None:
    """The command."""
    made = parser("status", __doc__, EPILOG)
    made.add_argument("--all", action="store_true", help="a row for every job, however many there are")
    made.add_argument("--json", action="store_true", help="plain data instead of tables")
    made.add_argument("--watch", type=float, metavar="SECONDS", help="look again until no job waits or runs")
    options = made.parse_args()
    while True:
        jobs = _show(options)
        if not options.watch or all(job["state"] in ("done", "failed") for job in jobs):
            break
        time.sleep(options.watch)
    sys.exit(0 if all(job["state"] == "done" for job in jobs) else 3)


def _show(options: argparse.Namespace) -> list[dict[str, object]]:
    from rich.console import Console

    from gauge.jobs import view
    from gauge.jobs.ledger import Ledger, latest
    from gauge.jobs.states import look

    path = latest(options.folder)
    jobs = look(Ledger.read(path))
    if options.json:
        print(json.dumps({"sweep": str(path.parent), "jobs": view.plain(jobs)}, ensure_ascii=False))
    else:
        Console().print(view.table(jobs, options.all))
        print(f"{view.summary(jobs)}\nsweep {path.parent}")
        if failed := view.failures(jobs):
            print(failed)
    return view.plain(jobs)


if __name__ == "__main__":
    main()
