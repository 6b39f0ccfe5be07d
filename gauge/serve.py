"""`python -m gauge.serve`: offer a policy to other processes and machines over a websocket."""

from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig

from gauge.config.entry import hydra_entry
from gauge.errors import GaugeError


@dataclass
class Serve:
    """Types of `conf/serve.yaml`."""

    model: Any = MISSING
    host: str = MISSING
    port: int = MISSING


def serve_model(cfg: DictConfig) -> None:
    """Serve the policy of `model=` until Ctrl-C.

    Raises:
        GaugeError: the model cannot be served, or the port cannot be used.
    """
    from gauge.config.build import make_policy
    from gauge.wire.server import serve

    if cfg.model.kind == "remote":
        raise GaugeError("model=remote is served already; point the other program at its host and port")
    serve(lambda: make_policy(cfg), cfg.host, cfg.port)


def main() -> None:
    """The command."""
    ConfigStore.instance().store(group="schema", name="serve", node=Serve, provider="gauge")
    hydra_entry(serve_model, config_name="serve")


if __name__ == "__main__":
    main()
