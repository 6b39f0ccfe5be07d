"""Types of the options of `cluster`; what each key means is said in `conf/cluster`."""

from dataclasses import dataclass
from typing import Any

from omegaconf import MISSING


@dataclass
class DebugCluster:
    """One job after the other in this process."""

    kind: str = MISSING
    serve: bool = MISSING


@dataclass
class LocalCluster:
    """Every job in a process of its own on this machine."""

    kind: str = MISSING
    serve: bool = MISSING
    parallel: int = MISSING
    gpus: int = MISSING
    timeout_min: int = MISSING


@dataclass
class SlurmCluster:
    """All jobs as one Slurm job array."""

    kind: str = MISSING
    serve: bool = MISSING
    partition: str | None = MISSING
    account: str | None = MISSING
    qos: str | None = MISSING
    array_parallelism: int = MISSING
    timeout_min: int = MISSING
    mem_gb: float = MISSING
    cpus_per_task: int = MISSING
    gpus: int = MISSING
    requeues: int = MISSING
    detach: bool = MISSING
    cells_per_job: int | None = MISSING
    setup: list[str] = MISSING
    slurm: dict[str, Any] = MISSING
