"""The face of a policy: what it is shown, what it answers, and what it declares about both."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError, PolicyError

ACTION_DIM = 7
STATE_SIZES = {"none": 0, "eef_pos_axis_angle_gripper": 8, "controller_pose_rot6d": 9}
CAMERAS = ("agentview", "robot0_eye_in_hand")

Orientation = Literal["upright", "mirrored", "flipped"]
StateLayout = Literal["none", "eef_pos_axis_angle_gripper", "controller_pose_rot6d"]
ActionKind = Literal["osc_delta", "osc_absolute"]
Gripper = Literal["close_positive", "open_positive"]

State = TypeVar("State")


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """What a policy wants to see and what its actions mean; compared before the first episode.

    Attributes:
        cameras: views it looks at, in order; empty for a policy that needs no picture.
        image_size: (height, width) of every view, in pixels.
        orientation: how frames are turned. LIBERO's own frames come with the bottom row first: `flipped`. Most
            models were trained on those turned by half a turn, which is the scene mirrored left to right:
            `mirrored`. `upright` is the way a person sees it.
        state: proprioception layout; `eef_pos_axis_angle_gripper` is position (3, m), axis-angle of the
            hand (3, rad, robosuite's quat2axisangle) and both finger positions (2, m); `controller_pose_rot6d` is
            the grip site's position (3, m) and the first two columns of its rotation (6), as the controller has it.
        action: `osc_delta`: 6 normalised operational-space deltas in [-1, 1] and one gripper command;
            `osc_absolute`: the grip site's goal position (3, m) and axis-angle (3, rad), and the gripper command.
        gripper: sign of the gripper command; the environment's own is `close_positive` (+1 closes).
        chunk: number of actions in one answer.
        executed: how many of them are carried out before the policy looks again.
        privileged: the policy reads the simulator's state (scripted experts only).
    """

    cameras: tuple[str, ...] = CAMERAS
    image_size: tuple[int, int] = (256, 256)
    orientation: Orientation = "upright"
    state: StateLayout = "eef_pos_axis_angle_gripper"
    action: ActionKind = "osc_delta"
    gripper: Gripper = "close_positive"
    chunk: int = 10
    executed: int = 10
    privileged: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.executed <= self.chunk:
            raise GaugeError(f"executed must be 1 to chunk ({self.chunk}), not {self.executed}")
        unseen = set(self.cameras) - set(CAMERAS)
        if unseen:
            raise GaugeError(f"unknown camera {', '.join(sorted(unseen))}; cameras are {', '.join(CAMERAS)}")

    def to_json(self) -> dict[str, Any]:
        """Plain data for records, cell ids and handshakes (tuples become lists)."""
        return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the scene.

    Attributes:
        images: camera name to uint8 [H, W, 3], RGB, in the spec's orientation.
        state: float64 proprioception in the spec's layout, [8] or [9]; [0] when it asks for none.
        instruction: the prompt, byte for byte.
        step: control steps (50 ms each) executed so far, settling not counted.
        scene: the simulator's scene for a privileged policy, else None.
    """

    images: dict[str, NDArray[np.uint8]]
    state: NDArray[np.float64]
    instruction: str
    step: int
    scene: Any = None


class Policy(Protocol):
    """Anything that can be evaluated: local, remote or scripted.

    `identity` names exactly what answers (code version, checkpoint hash); it is stored with every record.
    """

    spec: PolicySpec
    identity: str

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Forget the last episode. Called exactly once before each episode, on every path."""

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next actions, [T, 7] with T = `spec.chunk`."""

    def close(self) -> None:
        """Release connections and memory."""


class BatchPolicy(ABC, Generic[State]):
    """A policy that can answer several episodes in one call: write `begin` and `act_batch`, the rest is here.

    What an episode must remember (its generator, past observations) is the object that `begin` returns. The
    policy remembers nothing of its own, so one instance serves any number of episodes at the same time.
    """

    spec: PolicySpec
    identity: str
    _alone: tuple[State, ...] = ()

    @abstractmethod
    def begin(self, instruction: str, rng: np.random.Generator) -> State:
        """What a new episode remembers; everything random in it is to be drawn from `rng`."""

    @abstractmethod
    def act_batch(self, states: Sequence[State], observations: Sequence[Observation]) -> Sequence[NDArray[np.float64]]:
        """The next chunk, [T, 7], of every episode, in the order asked; a state may be changed in place.

        Row k follows from `states[k]` and `observations[k]` alone. Which episodes meet in one call is a matter
        of timing, so a row that depends on the others makes results that nobody can repeat. Rounding counts: a
        matrix product over the whole batch may differ in its last bits from one row's.

        When it raises, no state may have changed: the rows are asked again one by one, so that only the episode
        at fault ends.
        """

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        """Begin the one episode that `act` answers."""
        self._alone = (self.begin(instruction, rng),)

    def act(self, observation: Observation) -> NDArray[np.float64]:
        """The next actions of that episode: a batch of one.

        Raises:
            PolicyError: there was no `reset` before.
        """
        if not self._alone:
            raise PolicyError(f"{self.identity} was asked to act before its episode was reset")
        return self.act_batch(self._alone, (observation,))[0]

    def close(self) -> None:
        """Release connections and memory; nothing unless a subclass has some."""


def oriented(frame: NDArray[np.uint8], orientation: Orientation) -> NDArray[np.uint8]:
    """An upright frame, uint8 [H, W, 3], as a policy of that orientation expects it."""
    if orientation == "mirrored":
        return np.ascontiguousarray(frame[:, ::-1])
    return np.ascontiguousarray(frame[::-1]) if orientation == "flipped" else frame


def checked_chunk(chunk: Any, spec: PolicySpec) -> NDArray[np.float64]:
    """The part of an answer that is executed, [executed, 7] in the environment's gripper sign.

    Raises:
        PolicyError: the answer is not a finite [T, 7] array with T >= `spec.executed`.
    """
    try:
        array = np.asarray(chunk, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise PolicyError(f"the policy's answer is not an array of numbers ({error})") from error
    if array.ndim != 2 or array.shape[1] != ACTION_DIM:
        raise PolicyError(f"the policy's answer has shape {list(array.shape)}; expected [T, {ACTION_DIM}]")
    if len(array) < spec.executed:
        raise PolicyError(f"the policy's chunk holds {len(array)} actions; its spec executes {spec.executed}")
    array = array[: spec.executed].copy()
    if not np.isfinite(array).all():
        raise PolicyError("the policy's answer holds NaN or infinity")
    if spec.gripper == "open_positive":
        array[:, 6] = -array[:, 6]
    return array
