"""One line of results: everything that is known about one episode."""

import json
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Status = Literal["success", "fail", "error"]
RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class EpisodeRecord:
    """The result of one episode; `error` says it could not be evaluated and is never a failure.

    Attributes:
        cell_id, scenario_id, rollout: which episode this is.
        seed: the episode's root seed; `scene_hash` and `start_hash` prove what it led to: the compiled
            model's fields and the state at the policy's first look.
        status: success when the goal was true after any action (the official criterion, `ever`).
        success_final: the goal still held at the last step; None for an error.
        success_step: control steps until the goal first held, settling not counted; None without success.
        steps, horizon, settle_steps: control steps (50 ms each).
        policy_calls, frames: answers asked of the policy, images rendered for it.
        wall_s: seconds by part (start, settle, policy, physics, render), and to make what was missing (compile, load).
        told_success: whether the goal of the other task that the policy was told of (control=swapped) was true after
            any action; None where nothing else was told, the scene lacks what that goal needs, or it is the same goal.
        items: per perturbation item its drawn values and proof of arrival (what changed and by how much).
        prompt: the instruction exactly as the policy got it.
        model_identity: what answered (code version or checkpoint hash).
        reason: why an error; of a failure why the policy gave up, if it said so; empty otherwise.
        attempt: 1 for the first try, counted up when an error is tried again.
        residual_speed: fastest joint speed of any object when the policy first looks (m/s or rad/s).
        fingerprint: versions, renderer and machine; see `gauge.records.fingerprint`.
        finished_at: UTC time, ISO 8601.
    """

    cell_id: str
    scenario_id: str
    rollout: int
    seed: int
    status: Status
    prompt: str = ""
    scene_hash: str = ""
    start_hash: str = ""
    success_final: bool | None = None
    success_step: int | None = None
    told_success: bool | None = None
    steps: int = 0
    horizon: int = 0
    settle_steps: int = 0
    policy_calls: int = 0
    frames: int = 0
    residual_speed: float | None = None
    wall_s: dict[str, float] = field(default_factory=dict)
    items: list[dict[str, Any]] = field(default_factory=list)
    model_identity: str = ""
    reason: str = ""
    attempt: int = 1
    video: str = ""
    fingerprint: dict[str, str] = field(default_factory=dict)
    finished_at: str = ""
    record_version: int = RECORD_VERSION

    @property
    def key(self) -> tuple[str, int]:
        """(scenario, rollout): the episode within its cell."""
        return self.scenario_id, self.rollout

    def to_line(self) -> str:
        """One JSON line, newline included."""
        data = {name: getattr(self, name) for name in self.__slots__}  # asdict would copy every nested value
        return json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "EpisodeRecord":
        """The record behind a parsed line; unknown keys of a later version are ignored."""
        known = {f.name for f in fields(cls)}
        return cls(**{key: value for key, value in data.items() if key in known})
