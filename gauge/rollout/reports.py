"""What a person reads at the end of a run or a sweep; everything in it can be made again from the records."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from gauge.records.load import Planned


def report_cell(folder: Path, planned: Planned) -> None:
    """Print the table of one cell's planned episodes and where its files lie."""
    from gauge.report.table import cell_report

    console = Console()
    console.print(cell_report(folder, planned))
    console.print(f"records  {folder}", soft_wrap=True, markup=False, highlight=False)
    for video in sorted((folder / "videos").glob("*.mp4")):
        console.print(f"video    {video}", soft_wrap=True, markup=False, highlight=False)


def report_sweep(jobs: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """Print the table of a sweep's cells and write it, with a plot of success against value, to `folder`.

    Args:
        jobs: what `gauge.rollout.cell.run` returned for each; a job that died has nothing and is left out.
        folder: the sweep's own folder, below the study's.
    """
    from gauge.records.query import summary
    from gauge.report.sweep import sweep_report, write_sweep_report

    jobs = [job for job in jobs if job["n"] + job["errors"] > 0]
    if not jobs:
        return
    cells = list(dict.fromkeys(job["cell_id"] for job in jobs))
    study = Path(jobs[0]["study_dir"])
    planned = planned_by(jobs)
    console = Console()
    console.print(sweep_report(summary(study, cells, planned), planned))
    for path in write_sweep_report(study, cells, folder, planned):
        console.print(f"{path.stem:<8} {path}", soft_wrap=True, markup=False, highlight=False)


def planned_by(jobs: Sequence[Mapping[str, Any]]) -> Planned:
    """The episodes that jobs of one sweep are about.

    Tasks cannot be swept: a scenario that another job of the same suite evaluated was left out of this one.
    """
    suites: dict[str, dict[str, None]] = {}
    for job in jobs:
        suites.setdefault(job["suite"], {}).update(dict.fromkeys(job["scenarios"]))
    scenarios = dict.fromkeys(scenario for members in suites.values() for scenario in members)
    left_out = {job["cell_id"]: len(suites[job["suite"]]) - len(job["scenarios"]) for job in jobs}
    return Planned(
        tuple(scenarios),
        min(job["rollouts"] for job in jobs),
        tuple((cell, count) for cell, count in left_out.items() if count),
        tuple((suite, len(members)) for suite, members in suites.items()),
    )
