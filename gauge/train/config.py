"""Types of `conf/train.yaml`, and from a composed config to checked objects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING, DictConfig, OmegaConf

from gauge.config.check import RENDERERS, raise_all, raise_missing, too_small
from gauge.errors import GaugeError

if TYPE_CHECKING:
    from gauge.policies.tiny.net import Architecture
    from gauge.train.frames import Frames
    from gauge.train.learner import Recipe

GROUPS = 8  # of the network's group norms
PRECISIONS = ("32-true", "bf16-mixed")
HOW = (
    "epochs",
    "progress",
    "renderer",
    "workers",
    "threads",
    "device",
    "tracking",
    "folder",
    "data",
    "evaluate_every",
    "rollouts",
)


@dataclass
class Net:
    """The network's size."""

    side: int = MISSING
    channels: list[int] = MISSING
    width: int = MISSING
    layers: int = MISSING
    heads: int = MISSING


@dataclass
class Train:
    """Types of `conf/train.yaml`; what each means is said there."""

    model: Any = MISSING
    tracking: Any = MISSING
    data: list[str] = MISSING
    folder: str = MISSING
    seed: int = MISSING
    epochs: int = MISSING
    samples: int | None = MISSING
    batch: int = MISSING
    rate: float = MISSING
    decay: float = MISSING
    warmup: float = MISSING
    turns: float = MISSING
    shift_px: int = MISSING
    state_noise: float = MISSING
    seeing: float = MISSING
    every: int = MISSING
    held_out: float = MISSING
    evaluate_every: int = MISSING
    rollouts: int = MISSING
    first_state: int = MISSING
    precision: str = MISSING
    workers: int = MISSING
    threads: int | None = MISSING
    device: str = MISSING
    renderer: str = MISSING
    progress: bool = MISSING
    net: Net = field(default_factory=Net)


def register() -> None:
    """Make the types known to Hydra."""
    ConfigStore.instance().store(group="schema", name="train", node=Train, provider="gauge")


def check(cfg: DictConfig) -> None:
    """Refuse a config that cannot be carried out.

    Raises:
        GaugeError: one error that lists every problem.
    """
    if cfg.model.kind != "tiny" or cfg.model.blind:
        raise GaugeError(f"gauge.train trains model=tiny, not model={cfg.model.name}")
    raise_missing(_without(cfg, ("hydra",)))
    raise_all(list(_problems(cfg)))


def architecture(cfg: DictConfig) -> "Architecture":
    """The network's shape."""
    from gauge.policies.tiny.net import Architecture
    from gauge.train.looks import THINGS

    net = cfg.net
    return Architecture(
        side=net.side,
        channels=tuple(net.channels),
        width=net.width,
        layers=net.layers,
        heads=net.heads,
        chunk=cfg.model.chunk,
        things=THINGS,
    )


def recipe(cfg: DictConfig, steps: int) -> "Recipe":
    """How it is trained, in that many steps."""
    from gauge.train.learner import Recipe

    return Recipe(cfg.rate, cfg.decay, cfg.warmup, cfg.shift_px, cfg.state_noise, cfg.seed, steps, cfg.seeing)


def what(cfg: DictConfig, frames: "Frames") -> dict[str, Any]:
    """All that decides the weights after an epoch, but the number of epochs, which may grow."""
    plain = OmegaConf.to_container(_without(cfg, (*HOW, "hydra", "model")))
    assert isinstance(plain, dict)
    return {
        **{str(key): value for key, value in plain.items()},
        "chunk": cfg.model.chunk,
        "demonstrations": frames.digest,
    }


def _without(cfg: DictConfig, keys: Sequence[str]) -> DictConfig:
    return OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key not in keys])


def _problems(cfg: DictConfig) -> Iterator[str]:
    least = {
        "epochs": 1,
        "batch": 1,
        "shift_px": 0,
        "state_noise": 0,
        "decay": 0,
        "turns": 1,
        "seed": 0,
        "seeing": 0,
        "every": 1,
    }
    yield from too_small(cfg, {**least, "evaluate_every": 1, "rollouts": 0, "first_state": 0, "workers": 0}, ())
    if not cfg.data:
        yield "data=[] names no set of demonstrations: data=[demos/libero_goal]"
    if cfg.samples is not None and cfg.samples < 1:
        yield f"samples={cfg.samples} is too small: it is at least 1, or null for all frames"
    for key in ("rate",):
        if not cfg[key] > 0:
            yield f"{key}={cfg[key]} is not possible: it is more than 0"
    for key in ("warmup", "held_out"):
        if not 0 <= cfg[key] < 1:
            yield f"{key}={cfg[key]} is no part of a whole: 0 to less than 1"
    if cfg.threads is not None and cfg.threads < 1:
        yield f"threads={cfg.threads} is too small: it is at least 1, or null for torch's own number"
    for key, allowed in (("precision", PRECISIONS), ("device", ("cpu", "cuda")), ("renderer", RENDERERS)):
        if cfg[key] not in allowed:
            yield f"{key}={cfg[key]} is unknown; allowed: {', '.join(allowed)}"
    if Path(cfg.folder).is_file():
        yield f"folder={cfg.folder} is a file"
    yield from _net(cfg.net)


def _net(net: DictConfig) -> Iterator[str]:
    if net.side < 16 or net.side % 16:
        yield f"net.side={net.side} is no multiple of 16"
    if len(net.channels) != 4 or any(one < GROUPS or one % GROUPS for one in net.channels):
        yield f"net.channels={list(net.channels)} are not four multiples of {GROUPS}"
    if net.heads < 1 or net.width < 1 or net.width % net.heads:
        yield f"net.width={net.width} is no multiple of net.heads={net.heads}"
    if net.layers < 1:
        yield f"net.layers={net.layers} is too small: it is at least 1"
