"""Types of the options of `model` that are no profiles; what each key means is said in `conf/model`."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from gauge.config.profiles import TRANSPORT


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
class LocalModel(ChunkedModel):
    """A network in the workers' processes, and what it is shown."""

    checkpoint: str | None = MISSING
    device: str = field(default=MISSING, metadata=TRANSPORT)
    threads: int | None = field(default=MISSING, metadata=TRANSPORT)
    cameras: list[str] = MISSING
    image_size: list[int] = MISSING
    orientation: str = MISSING
    state: str = MISSING
    gripper: str = MISSING


@dataclass
class TorchModel(LocalModel):
    """A torch module."""

    module: str = MISSING
    settings: dict[str, Any] = MISSING
    batched: bool = MISSING


@dataclass
class LeRobotModel(LocalModel):
    """A checkpoint of lerobot's."""

    keys: dict[str, str] = MISSING


@dataclass
class TinyModel(ChunkedModel):
    """Our own small policy, in the workers' processes."""

    checkpoint: str | None = MISSING
    threads: int | None = field(default=MISSING, metadata=TRANSPORT)
    blind: bool = MISSING


@dataclass
class ReplayModel(ExpertModel):
    """Recorded trajectories, played open loop."""

    demos: str = MISSING
    episode: int | None = MISSING


@dataclass
class OpenLoopModel(ExpertModel):
    """One recorded trajectory per task, played open loop from every start."""

    demos: str = MISSING


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
