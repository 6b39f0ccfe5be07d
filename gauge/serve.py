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
    policy_batch: int | None = MISSING


def serve_model(cfg: DictConfig) -> None:
    """Serve the policy of `model=` until Ctrl-C.

    Raises:
        GaugeError: the model cannot be served, or the port cannot be used.
    """
    from gauge.config.build import make_policy
    from gauge.wire.server import serve

    if cfg.model.kind in ("remote", "served", "served_batch"):
        what = "remote" if cfg.model.kind == "remote" else cfg.model.name
        raise GaugeError(f"model={what} is served already; point the other program at its host and port")
    if cfg.policy_batch is not None and cfg.policy_batch < 1:
        raise GaugeError(f"policy_batch must be at least 1, or null for no limit, not {cfg.policy_batch}")
    serve(lambda: make_policy(cfg), cfg.host, cfg.port, cfg.policy_batch)


def main() -> None:
    """The command."""
    ConfigStore.instance().store(group="schema", name="serve", node=Serve, provider="gauge")
    hydra_entry(serve_model, config_name="serve")


if __name__ == "__main__":
    main()
