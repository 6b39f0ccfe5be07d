"""`python -m gauge.plan`: what a study or a sweep would take, from rates measured on this machine or given."""

import logging
import sys
from functools import partial

from omegaconf import DictConfig

from gauge.config.entry import hydra_entry
from gauge.study import command
from gauge.study.config import CHOSEN
from gauge.study.given import check_rates, register_rates

SWEEP = ("-m", "--multirun")
HELP = "hydra/help=plan"


def main() -> None:
    """Plan what the same words would start: a sweep if they name a perturbation or -m, else a study."""
    typed = [one.removeprefix("plan.") for one in sys.argv[1:]]
    typed = [f"rates.{one}" if one.startswith("price_per_hour=") else one for one in typed]
    groups = {one.partition("=")[0].lstrip("+~").partition(".")[0] for one in typed if "=" in one}
    if not groups & set(CHOSEN) and not set(typed) & set(SWEEP):
        sys.argv[1:] = typed
        command.main("--dry-run", HELP)
        return
    register_rates()
    cells = [one for one in typed if "=" in one and not one.startswith(("-", "rates", "hydra"))]
    sys.argv[1:] = [*(one for one in typed if one not in cells and one not in SWEEP), HELP]
    hydra_entry(partial(sweep, cells), config_name="plan")


def sweep(cells: list[str], cfg: DictConfig) -> None:
    """Print the plan of the sweep with the overrides `cells`.

    Raises:
        GaugeError: a rate or a job of the sweep cannot be.
    """
    check_rates(cfg.rates)
    from rich.console import Console

    from gauge.study.sweep import show

    logging.captureWarnings(True)
    show(cfg.rates, cells, Console(width=None if sys.stdout.isatty() else 140))


if __name__ == "__main__":
    main()
