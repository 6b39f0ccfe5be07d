"""Types of everything in `conf/`: one class per kind of option, values only in the YAML files."""

from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING

from gauge.config.clusters import DebugCluster, LocalCluster, SlurmCluster
from gauge.config.profiles import TRANSPORT, ServedModel


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
class ExpertModel:
    """The scripted expert, which has no settings."""

    kind: str = MISSING
    name: str = MISSING


@dataclass
class ChunkedModel(ExpertModel):
    """A policy that answers several actions at once: random, noop."""

    chunk: int = MISSING
    executed: int = MISSING


@dataclass
class RemoteModel(ChunkedModel):
    """A policy behind a websocket, and what it is expected to declare about itself."""

    host: str = field(default=MISSING, metadata=TRANSPORT)
    port: int = field(default=MISSING, metadata=TRANSPORT)
    connect_timeout_s: float = field(default=MISSING, metadata=TRANSPORT)
    first_call_timeout_s: float = field(default=MISSING, metadata=TRANSPORT)
    call_timeout_s: float = field(default=MISSING, metadata=TRANSPORT)
    attempts: int = field(default=MISSING, metadata=TRANSPORT)
    api_key_env: str = field(default=MISSING, metadata=TRANSPORT)
    expect_model: str | None = field(default=MISSING, metadata=TRANSPORT)
    serve: str | None = field(default=MISSING, metadata=TRANSPORT)
    serve_from: str | None = field(default=MISSING, metadata=TRANSPORT)
    serve_timeout_s: float = field(default=MISSING, metadata=TRANSPORT)
    cameras: list[str] = MISSING
    image_size: list[int] = MISSING
    orientation: str = MISSING
    state: str = MISSING
    gripper: str = MISSING
    keys: dict[str, str] = MISSING


@dataclass
class TorchModel(ChunkedModel):
    """A torch module in the workers' processes."""

    module: str = MISSING
    checkpoint: str | None = MISSING
    settings: dict[str, Any] = MISSING
    device: str = field(default=MISSING, metadata=TRANSPORT)
    threads: int | None = field(default=MISSING, metadata=TRANSPORT)
    batched: bool = MISSING
    cameras: list[str] = MISSING
    image_size: list[int] = MISSING
    orientation: str = MISSING
    state: str = MISSING
    gripper: str = MISSING


@dataclass
class ReplayModel(ExpertModel):
    """Recorded trajectories, played open loop."""

    demos: str = MISSING
    episode: int | None = MISSING


@dataclass
class SyntheticInteraction:
    """Factors that together do more, or less, than each alone."""

    factors: list[str] = MISSING
    times: float = MISSING


@dataclass
class TeleopModel(ExpertModel):
    """A person at a keyboard or SpaceMouse."""

    device: str = MISSING
    image_size: int = MISSING
    position_gain: float = MISSING
    rotation_gain: float = MISSING
    idle_steps: int = MISSING


@dataclass
class SyntheticModel(ExpertModel):
    """Success probabilities instead of a policy."""

    skill: float = MISSING
    spread: float = MISSING
    own: float = MISSING
    weakness: float | None = MISSING
    pairing: float = MISSING
    effects: dict[str, float] = MISSING
    attributes: dict[str, float] = MISSING
    interactions: list[SyntheticInteraction] = MISSING


@dataclass
class LiberoSuite:
    """One of LIBERO's own suites."""

    kind: str = MISSING
    name: str = MISSING
    tasks: list[int | str] | None = MISSING
    scenario: str | None = MISSING
    horizon: int = MISSING
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
    "model/replay": ReplayModel,
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
