"""Everything that can be known to fail before the first scene is built, all problems in one message."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from gauge.errors import GaugeError
from gauge.suites.libero import Task

MIN_FREE_MB = 200


def preflight(tasks: Sequence[Task], folder: Path, checks: Sequence[Callable[[], None]] = ()) -> None:
    """Check task files, disk space and whatever the policy wants checked (its server, its spec).

    Raises:
        GaugeError: with every problem found; a single one keeps its own sentence.
    """
    problems = [problem for task in tasks for problem in task.problems()]
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb < MIN_FREE_MB:
        problems.append(f"{folder}: only {free_mb} MB free, {MIN_FREE_MB} MB needed; free some or set outputs=")
    for check in checks:
        try:
            check()
        except GaugeError as error:
            problems.append(str(error))
    if len(problems) == 1:
        raise GaugeError(problems[0])
    if problems:
        listed = "\n".join(f"  - {problem}" for problem in problems)
        raise GaugeError(f"{len(problems)} problems, nothing was run:\n{listed}")
