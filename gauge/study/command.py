"""`python -m gauge.study`: the command."""

import logging
import sys
from functools import partial

from hydra.core.global_hydra import GlobalHydra
from omegaconf import DictConfig

from gauge.command import say
from gauge.config import options
from gauge.config.entry import hydra_entry
from gauge.core.sweep import quoted
from gauge.errors import GaugeError
from gauge.study.config import SHARED, check, partition, register

# What the cells of a study are run with unless the command line says otherwise: nothing to watch, nothing to film.
QUIET = ("video=off", "progress=false")


def main(*more: str) -> None:
    """Split the command line, with `more` arguments, into the study's part and that of its cells, and do the study."""
    register()
    try:
        own, cells = partition([*sys.argv[1:], *more])
    except GaugeError as fault:
        sys.exit(say(fault))
    sys.argv = [sys.argv[0], *own]
    hydra_entry(partial(study, cells), config_name="study")


def study(cells: list[str], cfg: DictConfig) -> None:
    """Plan or do the study of `cfg`, whose cells are composed from the overrides `cells`.

    Raises:
        GaugeError: a setting cannot be, or the results cannot be compared.
        IncompleteError: some planned episodes could not be evaluated.
    """
    check(cfg)
    from rich.console import Console

    from gauge.study import lanes, space
    from gauge.study.study import run

    logging.captureWarnings(True)
    hydra = GlobalHydra.instance().hydra
    assert hydra is not None
    typed = {one.partition("=")[0] for one in cells}
    shared = [f"{key}={quoted(cfg[key])}" for key in SHARED]
    shared += [one for one in QUIET if one.partition("=")[0] not in typed]
    crew = lanes.assemble(hydra.config_loader, cells, shared)
    code = space.load(options.folders())
    console = Console(width=None if sys.stdout.isatty() else 140)
    if cfg.plan:
        from gauge.study.estimate import show

        show(cfg, crew, code, console)
    else:
        run(cfg, crew, code, console)
