"""Types of the profiles of published policies, and from such an option to what applies it."""

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING, DictConfig, OmegaConf

from gauge.policies.served.profile import Gripper, Profile, Step, View

TRANSPORT = {"transport": True}


@dataclass
class ProfileStep:
    """One change of a picture; see `gauge.policies.served.profile.Step`."""

    do: str = MISSING
    size: int | None = None
    method: str | None = None
    area: float | None = None


@dataclass
class ProfileView:
    """One camera and how its frame is turned."""

    camera: str = MISSING
    turn: str = MISSING


@dataclass
class ProfileInput:
    """What the server is sent; see `gauge.policies.served.profile.Profile`."""

    render: list[int] = MISSING
    views: list[ProfileView] = MISSING
    blank: int = MISSING
    sent: list[ProfileStep] = MISSING
    server: list[ProfileStep] = MISSING
    state: str = MISSING
    prompt: str | None = MISSING


@dataclass
class ProfileGripper:
    """What the gripper number on the wire means."""

    threshold: float | None = MISSING
    above: str = MISSING


@dataclass
class ProfileOutput:
    """What the server answers."""

    columns: str = MISSING
    chunk: int | None = MISSING
    executed: int = MISSING
    gripper: ProfileGripper = MISSING


@dataclass
class ProfileAbout:
    """What is known of the model beyond what gauge does; `unknown` where no source gives it.

    `unverified` names entries, and how far they can be trusted: [U] unverified, [D] derived.
    """

    title: str = MISSING
    in_paper: bool = MISSING
    checkpoints: list[str] = MISSING
    runs_as: str = MISSING
    start: str = MISSING
    image: str = MISSING
    state: str = MISSING
    prompt: str = MISSING
    chunk: Any = MISSING
    executed: Any = MISSING
    unnormalisation: str = MISSING
    gripper: str = MISSING
    actions: str = MISSING
    max_steps: dict[str, Any] = MISSING
    settle_steps: Any = MISSING
    dummy_action: Any = MISSING
    env_seed: Any = MISSING
    licence: str = MISSING
    gpu_memory: str = MISSING
    sources: list[str] = MISSING
    unverified: list[str] = MISSING
    mistakes: list[str] = MISSING


@dataclass
class ServedModel:
    """A published policy behind its own server."""

    kind: str = MISSING
    name: str = MISSING
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
    handshake: dict[str, Any] = field(default=MISSING, metadata=TRANSPORT)
    about: ProfileAbout = field(default=MISSING, metadata=TRANSPORT)
    protocol: str = MISSING
    checkpoint: str = MISSING
    constants: dict[str, Any] = MISSING
    input: ProfileInput = MISSING
    output: ProfileOutput = MISSING


def profile(model: DictConfig) -> Profile:
    """The profile behind a model option.

    Raises:
        GaugeError: a step, camera, turn, column or prompt that there is not.
    """
    given, answer = model.input, model.output
    handshake: Any = OmegaConf.to_container(model.handshake, resolve=True)
    return Profile(
        protocol=model.protocol,
        render=tuple(given.render),
        views=tuple(View(view.camera, view.turn) for view in given.views),
        blank=given.blank,
        sent=tuple(Step(step.do, step.size, step.method, step.area) for step in given.sent),
        server=tuple(Step(step.do, step.size, step.method, step.area) for step in given.server),
        state=given.state,
        prompt=given.prompt,
        columns=answer.columns,
        chunk=answer.chunk,
        executed=answer.executed,
        gripper=Gripper(answer.gripper.threshold, answer.gripper.above),
        handshake={str(key): value for key, value in handshake.items()},
    )
