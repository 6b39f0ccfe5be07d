"""`python -m gauge.validate`: which values of which perturbations hold in which scenarios."""

from omegaconf import DictConfig

from gauge.config.entry import hydra_entry
from gauge.errors import IncompleteError
from gauge.validate.config import register


def validate(cfg: DictConfig) -> None:
    """Certify, print, and say what is missing.

    Raises:
        IncompleteError: some values could not be measured; all others are certified.
    """
    from rich.console import Console

    from gauge.validate.campaign import run
    from gauge.validate.report import report

    done = run(cfg)
    report(Console(), done.certified(), done.scenarios)
    print(f"table  {done.table}")
    missing = len(done.keys()) - len(done.certified())
    if done.lost or missing:
        raise IncompleteError(
            f"{missing} values have no certificate, since {len(done.lost)} jobs ended without a result: "
            f"{'; '.join(f'{name}: {why}' for name, why in done.lost.items())}; run the same command again to retry"
        )


def main() -> None:
    """The command."""
    register()
    hydra_entry(validate, config_name="validate")
