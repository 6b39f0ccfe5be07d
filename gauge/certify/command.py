"""`python -m gauge.certify`: which scenarios can be solved, and by no shortcut."""

import sys

from omegaconf import DictConfig

from gauge.certify.config import FLAGS, register
from gauge.config.entry import hydra_entry
from gauge.errors import GaugeError, IncompleteError


def certify(cfg: DictConfig) -> None:
    """Certify or check, print, and say what is missing.

    Raises:
        GaugeError: a certificate is not what comes out here.
        IncompleteError: some scenarios could not be measured; all others are certified.
    """
    from rich.console import Console

    from gauge.certify.campaign import run
    from gauge.certify.report import report

    done = run(cfg)
    report(Console(width=None if sys.stdout.isatty() else 160), done)
    wrong = {name: any(cfg.exact or not one.tolerable for one in what) for name, what in done.differences.items()}
    if differing := [name for name, is_wrong in wrong.items() if is_wrong]:
        raise GaugeError(f"{len(differing)} certificates are not what comes out here: {', '.join(differing)}")
    missing = [one.id for one in done.scenarios if one.id not in done.known]
    if done.lost or missing:
        why = "; ".join(f"{name}: {reason}" for name, reason in done.lost.items())
        raise IncompleteError(
            f"{len(missing)} scenarios have no certificate{': ' + why if why else ''}; run the same command "
            f"{'without --check ' if cfg.check else ''}again to make what is missing"
        )


def main() -> None:
    """The command."""
    register()
    sys.argv = [sys.argv[0], *(FLAGS.get(one, one) for one in sys.argv[1:])]
    hydra_entry(certify, config_name="certify")
