"""Types of everything in `conf/`: one class per kind of option, values only in the YAML files."""

from dataclasses import dataclass
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

from gauge.config.clusters import DebugCluster, LocalCluster, SlurmCluster
from gauge.config.models import (
    ChunkedModel,
    ExpertModel,
    LeRobotModel,
    OpenLoopModel,
    RemoteModel,
    ReplayModel,
    SyntheticModel,
    TeleopModel,
    TinyModel,
    TorchModel,
)
from gauge.config.profiles import ServedModel


@dataclass
class Sim:
    """How scenes are simulated."""

    stepper: str = MISSING


@dataclass
class Config:
    """The root: one field per group, and the few settings that belong to no group."""

    model: Any = MISSING
    suite: Any = MISSING
    perturbation: Any = MISSING
    value: Any = MISSING
    pfc: Any = MISSING
    branch: Any = MISSING
    cluster: Any = MISSING
    tracking: Any = MISSING
    sim: Any = MISSING
    study: str = MISSING
    outputs: str = MISSING
    seed: int = MISSING
    rollouts: int = MISSING
    workers: int = MISSING
    control: str = MISSING
    controls: bool = MISSING
    policy: str = MISSING
    policy_batch: int | None = MISSING
    policy_timeout_s: float = MISSING
    recycle_after: int = MISSING
    worker_memory_gb: float | None = MISSING
    video: str = MISSING
    stop_after_errors: int = MISSING
    episode_timeout_s: float = MISSING
    fail_fast: bool = MISSING
    allow_mixed: bool = MISSING
    renderer: str = MISSING
    progress: bool = MISSING


@dataclass
class LiberoSuite:
    """One of LIBERO's own suites."""

    kind: str = MISSING
    name: str = MISSING
    tasks: list[int | str] | None = MISSING
    scenario: str | None = MISSING
    horizon: int | None = MISSING
    settle_steps: int = MISSING
    hold_steps: int = MISSING
    released: bool = MISSING
    control_freq_hz: int = MISSING


@dataclass
class FilesSuite(LiberoSuite):
    """Scenarios: the V-BDDL files below a folder."""

    path: str = MISSING


@dataclass
class CapabilitySuite(LiberoSuite):
    """The scenarios of one capability, or of `all`, in one split (id, ood) or both."""

    capability: str = MISSING
    split: str | None = MISSING


@dataclass
class NoPerturbation:
    """The clean scene."""

    kind: str = MISSING


@dataclass
class Attribute:
    """One attribute of the perturbation space; its bounds live in the Python class of the same kind."""

    kind: str = MISSING
    category: str = MISSING
    factor: str = MISSING
    attribute: str = MISSING
    unit: str = MISSING
    default: float | int | str = MISSING
    levels: list[float | int | str] = MISSING
    source: str = MISSING
    evidence: str = MISSING


@dataclass
class PointValue:
    """One value for the whole episode."""

    kind: str = MISSING
    at: float | int | str | None = MISSING
    certified: bool = MISSING


@dataclass
class RangeValue:
    """A sweep over the perturbation's levels; the sweeper turns it into points."""

    kind: str = MISSING
    clean: bool = MISSING
    certified: bool = MISSING


@dataclass
class DynamicValue:
    """A value drawn anew during the episode."""

    kind: str = MISSING
    levels: list[float | int | str] | None = MISSING


@dataclass
class PfcItem:
    """One item of a combination: a perturbation option with `at` (static) or `levels` (dynamic)."""

    perturbation: str = MISSING
    at: float | int | str | None = None
    levels: list[float | int | str] | None = None


@dataclass
class Pfc:
    """A perturbation factor combination."""

    items: list[PfcItem] = MISSING


@dataclass
class Branch:
    """Which refinement of the model is evaluated."""

    name: str = MISSING


@dataclass
class NoTracking:
    """Results on disk only."""

    kind: str = MISSING


@dataclass
class WandbTracking:
    """A copy of the results in Weights & Biases."""

    kind: str = MISSING
    project: str = MISSING
    entity: str | None = MISSING
    mode: str = MISSING
    tags: list[str] = MISSING
    timeout_s: float = MISSING
    init_timeout_s: float = MISSING


SCHEMAS: dict[str, type] = {
    "config": Config,
    "model/expert": ExpertModel,
    "model/chunked": ChunkedModel,
    "model/remote": RemoteModel,
    "model/served": ServedModel,
    "model/torch": TorchModel,
    "model/lerobot": LeRobotModel,
    "model/tiny": TinyModel,
    "model/replay": ReplayModel,
    "model/open_loop": OpenLoopModel,
    "model/teleop": TeleopModel,
    "model/synthetic": SyntheticModel,
    "suite/libero": LiberoSuite,
    "suite/files": FilesSuite,
    "suite/capability": CapabilitySuite,
    "perturbation/none": NoPerturbation,
    "perturbation/attribute": Attribute,
    "value/point": PointValue,
    "value/range": RangeValue,
    "value/dynamic": DynamicValue,
    "pfc": Pfc,
    "branch": Branch,
    "tracking/none": NoTracking,
    "tracking/wandb": WandbTracking,
    "sim": Sim,
    "cluster/debug": DebugCluster,
    "cluster/local": LocalCluster,
    "cluster/slurm": SlurmCluster,
}


def register() -> None:
    """Store every schema under `/schema/...`; each YAML of `conf/` names its own first in `defaults`."""
    store = ConfigStore.instance()
    for path, node in SCHEMAS.items():
        group, _, name = f"schema/{path}".rpartition("/")
        store.store(group=group, name=name, node=node, provider="gauge")
