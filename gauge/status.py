"""`python -m gauge.status`: what the jobs of a sweep are doing, from the scheduler and the records."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from gauge import pipes
from gauge.errors import GaugeError, leave_interrupted

EPILOG = """examples:
  python -m gauge.status                      the newest sweep below outputs/
  python -m gauge.status outputs/main         the newest sweep of a study
  python -m gauge.status outputs/main/sweeps/20261129-201500-4711 --watch 10

exit code 0: every episode is on record; 3: jobs wait, run or failed; 2: a fault in the command
"""


@pipes.may_close()
def main() -> None:
    """The command."""
    options = _options()
    try:
        while True:
            jobs = _show(options)
            if not options.watch or all(job["state"] in ("done", "failed") for job in jobs):
                break
            time.sleep(options.watch)
    except GaugeError as fault:
        print(f"error: {fault}", file=sys.stderr)
        sys.exit(fault.exit_code)
    except KeyboardInterrupt:
        leave_interrupted("stopped looking; the jobs go on")
    sys.exit(0 if all(job["state"] == "done" for job in jobs) else 3)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m gauge.status",
        description=__doc__,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = Path(os.environ.get("GAUGE_OUTPUTS", "outputs"))
    parser.add_argument("folder", nargs="?", type=Path, default=default, help="of a sweep, a study or all outputs")
    parser.add_argument("--all", action="store_true", help="a row for every job, however many there are")
    parser.add_argument("--json", action="store_true", help="plain data instead of tables")
    parser.add_argument("--watch", type=float, metavar="SECONDS", help="look again until no job waits or runs")
    return parser.parse_args()


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
