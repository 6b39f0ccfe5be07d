"""What a profile says about a policy, as plain data; `conf/model/*.yaml` holds one per published policy."""

from dataclasses import dataclass
from typing import Any, Literal

from gauge.core.policy import CAMERAS, STATE_SIZES, ActionKind, Orientation, PolicySpec, StateLayout
from gauge.errors import GaugeError, unknown

UNKNOWN = "unknown"
DOES = ("jpeg", "resize", "pad", "crop", "swap")
METHODS = ("bilinear", "lanczos3", UNKNOWN)
TURNS = ("upright", "mirrored", "flipped")
COLUMNS = {"delta": 7, "absolute_rot6d": 10}


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a picture.

    Attributes:
        do: `jpeg` (encoded and decoded), `resize` (to size x size), `pad` (the longer side to size, the rest
            black), `crop` (the centre, `area` of it) or `swap` (red and blue exchanged).
        size: side in pixels; for resize and pad.
        method: interpolation; `unknown` where the source does not say (shown with bilinear).
        area: share of the area that is kept; for crop.
    """

    do: str
    size: int | None = None
    method: str | None = None
    area: float | None = None

    def __post_init__(self) -> None:
        if self.do not in DOES:
            raise unknown("step of a picture", self.do, list(DOES))
        if self.do in ("resize", "pad") and (self.size is None or self.size < 1 or self.method not in METHODS):
            raise GaugeError(f"the step {self.do} needs a size in pixels and a method of {', '.join(METHODS)}")
        if self.do == "crop" and (self.area is None or not 0 < self.area <= 1):
            raise GaugeError("the step crop needs an area above 0, at most 1")

    def __str__(self) -> str:
        details = [str(self.size)] if self.size else []
        details += [f"{self.area:g} of the area"] if self.area else []
        return " ".join([self.do, *details, *([self.method] if self.method else [])])


@dataclass(frozen=True, slots=True)
class View:
    """One camera: which, and how its frame is turned (`gauge.core.policy.Orientation`)."""

    camera: str
    turn: Orientation

    def __post_init__(self) -> None:
        if self.camera not in CAMERAS:
            raise unknown("camera", self.camera, list(CAMERAS))
        if self.turn not in TURNS:
            raise unknown("turn", self.turn, list(TURNS))


@dataclass(frozen=True, slots=True)
class Gripper:
    """From the model's gripper number to the environment's, +1 closes.

    Attributes:
        threshold: the number is compared with it and becomes -1 or +1; None passes it through.
        above: what a number above the threshold means: `open` or `close`. At the threshold it is the other.
    """

    threshold: float | None
    above: Literal["open", "close"]

    def __post_init__(self) -> None:
        if self.above not in ("open", "close"):
            raise GaugeError(f"gripper.above is open or close, not {self.above}")


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that decides what a served policy is shown and what its numbers mean.

    Attributes:
        protocol: name of the dialect, see `gauge.wire.dialects`.
        render: (height, width) of the rendered frames, pixels.
        views: the cameras, in order.
        blank: how many black views follow them, where the protocol sends them.
        sent: what is done to a frame before it is sent.
        server: what the server then does itself; shown, not done.
        state: proprioception layout.
        prompt: template with {instruction} or {lower}, filled in here; None sends the instruction as it is.
        columns: `delta` (6 deltas and the gripper) or `absolute_rot6d` (position, rotation's first two columns,
            gripper).
        chunk: actions in one answer; None accepts any number.
        executed: how many of them are carried out before the policy looks again.
        gripper: what the gripper number means.
        handshake: entries that the server's first message must have; others are not compared.
    """

    protocol: str
    render: tuple[int, int]
    views: tuple[View, ...]
    blank: int
    sent: tuple[Step, ...]
    server: tuple[Step, ...]
    state: StateLayout
    prompt: str | None
    columns: str
    chunk: int | None
    executed: int
    gripper: Gripper
    handshake: dict[str, Any]

    def __post_init__(self) -> None:
        if self.columns not in COLUMNS:
            raise unknown("columns of an action", self.columns, list(COLUMNS))
        if len(self.render) != 2 or min(self.render) < 1:
            raise GaugeError(f"render={list(self.render)} is not [height, width] in pixels, e.g. [256, 256]")
        if self.state not in STATE_SIZES:
            raise unknown("state layout", self.state, list(STATE_SIZES))
        if self.blank < 0:
            raise GaugeError(f"blank={self.blank} is negative: it counts black pictures")
        _fill(self.prompt, "x")

    @property
    def spec(self) -> PolicySpec:
        """What the environment hands over: upright frames as rendered; turning them is the profile's work."""
        action: ActionKind = "osc_absolute" if self.columns == "absolute_rot6d" else "osc_delta"
        return PolicySpec(
            cameras=tuple(view.camera for view in self.views),
            image_size=self.render,
            state=self.state,
            action=action,
            chunk=self.chunk or self.executed,
            executed=self.executed,
        )

    def filled(self, instruction: str) -> str:
        """The prompt that is sent."""
        return _fill(self.prompt, instruction)


def _fill(template: str | None, instruction: str) -> str:
    if template is None:
        return instruction
    try:
        return template.format(instruction=instruction, lower=instruction.lower())
    except (KeyError, IndexError, ValueError) as error:
        raise GaugeError(f"the prompt {template!r} may hold {{instruction}} and {{lower}} only") from error
