"""Types of the options of `rates`; what each key means is said in `conf/rates`."""

from dataclasses import dataclass

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.config.check import raise_all


@dataclass
class Rates:
    """An option of `rates`."""

    job: float | None = MISSING
    compile: float | None = MISSING
    episode: float | None = MISSING
    physics: float | None = MISSING
    render: float | None = MISSING
    policy: float | None = MISSING
    price_per_hour: float | None = MISSING


def register_rates() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="rates", node=Rates, provider="gauge")


def check_rates(given: DictConfig) -> None:
    """Refuse rates that cannot be.

    Raises:
        GaugeError: one error that lists every problem.
    """
    found = {str(name): value for name, value in given.items() if value is not None and value < 0}
    raise_all([f"rates.{name}={value} is below zero" for name, value in found.items()])
