"""`python -m gauge.run`: evaluate a model in the scenes of a suite, clean or perturbed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.utils import JobReturn
from hydra.types import RunMode
from omegaconf import DictConfig

from gauge.config.entry import hydra_entry


def run_cell(cfg: DictConfig) -> dict[str, Any]:
    """Evaluate the one cell that `cfg` describes and return its counts."""
    from gauge.controls import run_with_controls
    from gauge.rollout.cell import run

    hydra = HydraConfig.get()  # whose mode is MULTIRUN or, where value=range started the sweep, None
    evaluate = run_with_controls if cfg.controls else run
    return evaluate(cfg, Path(hydra.runtime.output_dir), in_sweep=hydra.mode is not RunMode.RUN)


def report_sweep(returns: Sequence[JobReturn], folder: Path) -> None:
    """Print and store what a whole sweep found."""
    from gauge.rollout import reports

    found = [job._return_value for job in returns if isinstance(job._return_value, Mapping)]
    reports.report_sweep(found, folder)


def main() -> None:
    """The command."""
    hydra_entry(run_cell, after_sweep=report_sweep)


if __name__ == "__main__":
    # Under its own name, so that a job can be handed to another process by reference.
    from gauge.run import main as command

    command()
