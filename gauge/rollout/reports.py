"""What a person reads at the end of a run or a sweep; everything in it can be made again from the records."""

from collections.abc import Iterable, Mapping, Sequence
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

    cells = list(dict.fromkeys(job["cell_id"] for job in jobs if job["n"] + job["errors"] > 0))
    if not cells:
        return
    study = Path(jobs[0]["study_dir"])
    scenarios = dict.fromkeys(scenario for job in jobs for scenario in job["scenarios"])
    missing = {job["cell_id"]: _left_out(job["scenarios"], scenarios) for job in jobs}
    left_out = tuple((cell, count) for cell, count in missing.items() if count)
    planned = Planned(tuple(scenarios), min(job["rollouts"] for job in jobs), left_out)
    console = Console()
    console.print(sweep_report(summary(study, cells, planned), planned))
    for path in write_sweep_report(study, cells, folder, planned):
        console.print(f"{path.stem:<8} {path}", soft_wrap=True, markup=False, highlight=False)


def _left_out(own: Sequence[str], every: Iterable[str]) -> int:
    """How many scenarios of its own suites a job did not evaluate: tasks cannot be swept, so they were left out."""
    suites = {scenario.partition("/")[0] for scenario in own}
    return sum(scenario.partition("/")[0] in suites and scenario not in own for scenario in every)
