"""A demonstration: what one successful episode did, and all that is needed to see it again."""

import hashlib
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Images = NDArray[np.uint8]
FPS = 20
STEP_S = 1.0 / FPS


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a demonstration comes from. What a file of others does not say is empty or None.

    Attributes:
        scenario_id, instruction, rollout, take: task, prompt, official initial state, and which try from it.
        problem, bddl: LIBERO's problem class and the task file, relative to the benchmark.
        seed: root seed of the episode; fixtures, policy and perturbations draw from its children.
        scene_hash, start_hash: the compiled model and the state at the policy's first look.
        model_identity: who acted.
        success_step: control steps until the goal first held.
        settle_steps, horizon, stepper: how the scene was brought to rest and stepped.
        items: perturbation items of the scene, as `attribute`, `mode` and `values`.
        fingerprint: versions and machine.
    """

    scenario_id: str = ""
    instruction: str = ""
    rollout: int | None = None
    take: int = 0
    problem: str = ""
    bddl: str = ""
    seed: int | None = None
    scene_hash: str = ""
    start_hash: str = ""
    model_identity: str = ""
    success_step: int | None = None
    settle_steps: int = 0
    horizon: int = 0
    stepper: str = "lean"
    items: list[dict[str, Any]] = field(default_factory=list)
    fingerprint: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Origin":
        """The origin behind parsed JSON; unknown keys of a later version are ignored."""
        known = {one.name for one in fields(cls)}
        return cls(**{key: value for key, value in data.items() if key in known})


@dataclass(frozen=True, slots=True)
class Demo:
    """One trajectory of T control steps at 20 Hz.

    Attributes:
        actions: [T, 7], as executed: six deltas in [-1, 1], gripper +1 closes.
        states: [T, 1 + nq + nv] simulator state (time, positions, velocities) before each action.
        proprioception: [T, 8] before each action: hand position (m), axis-angle (rad), finger positions (m).
        joints: [T, 7] arm joint angles before each action (rad); empty [T, 0] where a file has none.
        final_state: [1 + nq + nv] after the last action; None where a file does not have it.
        fixtures: `body_pos` [bodies, 3] and `body_quat` [bodies, 4] of the model: where the fixtures stood.
        images: camera name to uint8 [T, H, W, 3], RGB, upright; empty until rendered.
        origin: where it comes from.
    """

    actions: Array
    states: Array
    proprioception: Array
    joints: Array
    origin: Origin
    final_state: Array | None = None
    fixtures: dict[str, Array] = field(default_factory=dict)
    images: dict[str, Images] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def digest(self) -> str:
        """12 hex digits over actions and states: rendering does not change it."""
        parts = (self.actions, self.states)
        return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()[:12]


def is_noop(actions: Array, before: float | None = None) -> NDArray[np.bool_]:
    """Which of the actions [T, 7] command nothing: no arm motion and the gripper command of the step before.

    The rule of OpenVLA's `no_noops` data sets (Kim et al. 2024). `before` is the gripper command before the
    first action; None compares it with itself.
    """
    first = actions[0, 6] if before is None else before
    previous = np.concatenate([[first], actions[:-1, 6]])
    still: NDArray[np.bool_] = (np.linalg.norm(actions[:, :6], axis=1) < 1e-4) & (actions[:, 6] == previous)
    return still


def longest_run(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """Length and first index of the longest run of True in `mask` [T]; (0, 0) when there is none."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(ends[longest] - starts[longest]), int(starts[longest])
