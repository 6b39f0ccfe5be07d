"""What can be wrong with where jobs run and who follows them: the cluster, the server beside the workers, tracking."""

from collections.abc import Iterator
from typing import Any

from omegaconf import DictConfig

from gauge.errors import unknown

CLUSTERS = ("debug", "local", "slurm")


def problems(cfg: DictConfig) -> Iterator[str]:
    """One sentence per problem."""
    yield from _cluster(cfg.cluster)
    yield from _serving(cfg)
    yield from _tracking(cfg.tracking)


def one_of(key: str, value: Any, allowed: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with a value that has to be one of a few words."""
    if value not in allowed:
        yield f"{unknown(key, str(value), list(allowed))} (allowed: {', '.join(allowed)})"


def _cluster(cluster: DictConfig) -> Iterator[str]:
    yield from one_of("cluster.kind", cluster.kind, CLUSTERS)
    for key in ("parallel", "array_parallelism", "timeout_min", "cpus_per_task", "mem_gb", "cells_per_job"):
        if key in cluster and cluster[key] is not None and not cluster[key] > 0:
            yield f"cluster.{key}={cluster[key]} is too small: it is more than 0"
    for key in ("gpus", "requeues"):
        if key in cluster and cluster[key] < 0:
            yield f"cluster.{key}={cluster[key]} is negative: it is 0 or more"


def _serving(cfg: DictConfig) -> Iterator[str]:
    if cfg.cluster.serve and not cfg.model.get("serve"):
        name = cfg.model.name
        yield f"cluster.serve=true, but model={name} names no command that starts its server: add model.serve='...'"


def _tracking(tracking: DictConfig) -> Iterator[str]:
    yield from one_of("tracking.kind", tracking.kind, ("none", "wandb"))
    if "mode" in tracking:
        yield from one_of("tracking.mode", tracking.mode, ("online", "offline", "disabled"))
