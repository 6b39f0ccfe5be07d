"""One episode: start the scene, let it settle, let the policy act, judge after every action."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.core.policy import CAMERAS, Observation, Policy, checked_chunk, oriented
from gauge.core.record import EpisodeRecord
from gauge.core.seeds import seed as derive_seed
from gauge.core.seeds import stream
from gauge.errors import GaugeError, PolicyError, SceneError
from gauge.perturbations.base import Bound
from gauge.rollout.perturbed import ActivePerturbations
from gauge.rollout.plan import EpisodePlan
from gauge.rollout.success import EndAtSuccess, Watcher
from gauge.sim.edits import SceneEdits
from gauge.sim.goals import Goals
from gauge.sim.scene import DUMMY_ACTION, Scene
from gauge.suites import Task

log = logging.getLogger(__name__)
IDLE_STEPS = 10
PROBE_SIZE = (256, 256)


@dataclass(slots=True)
class Episode:
    """One episode of `policy` in `scene`; `run` returns its record, also when the policy or scene is at fault.

    `positions` holds the joint positions [nq] before each action and after the last, for a video; `watcher` is
    told of every action and decides when the episode is over. With `black` the policy is shown black pictures.
    """

    scene: Scene
    policy: Policy
    plan: EpisodePlan
    bound: Sequence[Bound] = ()
    fingerprint: dict[str, str] = field(default_factory=dict)
    watcher: Watcher = field(default_factory=EndAtSuccess)
    black: bool = False
    positions: list[NDArray[np.float64]] = field(default_factory=list)
    steps: int = 0
    calls: int = 0
    frames: int = 0
    start_hash: str = ""
    residual_speed: float | None = None
    told_goals: Goals | None = None
    told_success: bool | None = None
    wall_s: dict[str, float] = field(default_factory=dict)

    def run(self) -> EpisodeRecord:
        """Run it to the first success, the horizon or an error.

        Raises:
            GaugeError: a fault of the set-up that is not this episode's.
        """
        edits = SceneEdits(self.scene)
        active = ActivePerturbations(self.bound, self.plan.seed, self.plan.horizon)
        try:
            success_step = self._play(active, edits)
            final = self._holds_when_idle() if success_step is not None else False
            record = replace(
                self._record(),
                status="fail" if success_step is None else "success",
                reason=gave_up(self.policy) if success_step is None else "",
                success_step=success_step,
                success_final=final,
                items=active.proof(),
            )
        except (PolicyError, SceneError) as error:
            record = replace(self._record(), status="error", reason=str(error))
        except GaugeError:
            raise  # a fault of the set-up, such as no renderer: no other episode would fare better
        except Exception as error:
            log.exception("episode %s rollout %d", self.plan.task.id, self.plan.rollout)
            record = replace(self._record(), status="error", reason=f"{type(error).__name__}: {error}")
        finally:
            edits.undo()
        return record

    def _play(self, active: ActivePerturbations, edits: SceneEdits) -> int | None:
        """The control step after which the watcher ended the episode; None if it never did."""
        plan = self.plan
        self.policy.reset(plan.told, stream(plan.seed, "policy"))
        with self._timed("start"):
            self.scene.start(derive_seed(plan.seed, "start"), plan.rollout)
            active.advance(0, edits)
        with self._timed("settle"):
            for _ in range(plan.settle_steps):
                self.scene.step(self.scene.rest)
        self.scene.drive(self.policy.spec.action == "osc_absolute")
        self.residual_speed = self.scene.residual_speed()
        self.start_hash = self.scene.start_hash()
        if self.scene.success():
            raise SceneError("the goal is already true at the start, so nothing can be learned from this episode")
        self._listen()
        chunk: list[NDArray[np.float64]] = []
        while self.steps < plan.horizon:
            if self.steps > 0:
                active.advance(self.steps, edits)
            chunk = chunk or self._ask(active)
            if self._act(active.action(chunk.pop(0))):
                return self.steps
        return None

    def _listen(self) -> None:
        """Judge the goal of the task that the policy was told of, too, if the scene has all of it and it is not met."""
        if self.plan.other is not None:
            goals = told_goals(self.plan.other, self.scene)
            if goals is not None and not goals.holds():
                self.told_goals, self.told_success = goals, False

    def _ask(self, active: ActivePerturbations) -> list[NDArray[np.float64]]:
        with self._timed("render"):
            observation = self._look(active)
        with self._timed("policy"):
            answer = self.policy.act(observation)
        self.calls += 1
        return list(checked_chunk(answer, self.policy.spec))

    def _look(self, active: ActivePerturbations) -> Observation:
        spec = self.policy.spec
        images: dict[str, NDArray[np.uint8]] = {}
        wants_state = spec.state != "none"
        cameras = () if self.black else spec.cameras
        probe = self.calls == 0 and not cameras and active.needs_probe
        if cameras or wants_state or probe:
            self.scene.look()
        if probe:
            active.image(self.scene.frame(CAMERAS[0], PROBE_SIZE), seen=False)
        for camera in spec.cameras if self.black else ():
            images[camera] = np.zeros((*spec.image_size, 3), dtype=np.uint8)
        for camera in cameras:
            frame = active.image(self.scene.frame(camera, spec.image_size))
            images[camera] = oriented(frame, spec.orientation)
            self.frames += 1
        state = self._state() if wants_state else np.zeros(0)
        scene = self.scene if spec.privileged else None
        return Observation(images, state, self.plan.told, self.steps, scene)

    def _state(self) -> NDArray[np.float64]:
        if self.policy.spec.state == "controller_pose_rot6d":
            return self.scene.controller_pose()
        return self.scene.proprioception()

    def _act(self, action: NDArray[np.float64]) -> bool:
        """Execute one action; whether the episode is over, as a success."""
        self.positions.append(self.scene.data.qpos.copy())
        self.watcher.before(self.scene, action)
        with self._timed("physics"):
            self.scene.step(action)
            self.steps += 1
            holds = self.scene.success()
            if self.told_goals is not None:
                self.told_success = self.told_success or self.told_goals.holds()
        return self.watcher.after(self.scene, holds)

    def _holds_when_idle(self) -> bool:
        """Whether the goal still holds after the hand opened and rested for `IDLE_STEPS`."""
        self.positions.append(self.scene.data.qpos.copy())
        self.scene.drive(absolute=False)
        for _ in range(IDLE_STEPS):
            self.scene.step(DUMMY_ACTION)
        return self.scene.success()

    @contextmanager
    def _timed(self, part: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.wall_s[part] = self.wall_s.get(part, 0.0) + time.perf_counter() - began

    def _record(self) -> EpisodeRecord:
        plan = self.plan
        return EpisodeRecord(
            cell_id=plan.cell_id,
            scenario_id=plan.task.id,
            rollout=plan.rollout,
            seed=plan.seed,
            status="error",
            prompt=plan.told,
            scene_hash=self.scene.hash,
            start_hash=self.start_hash,
            told_success=self.told_success,
            steps=self.steps,
            horizon=plan.horizon,
            settle_steps=plan.settle_steps,
            policy_calls=self.calls,
            frames=self.frames,
            residual_speed=self.residual_speed,
            wall_s={part: round(seconds, 4) for part, seconds in self.wall_s.items()},
            model_identity=self.policy.identity,
            attempt=plan.attempt,
            fingerprint=self.fingerprint,
            finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )


def told_goals(task: Task, scene: Scene) -> Goals | None:
    """The judge of another task's goal in this scene; None where it lacks what that names, or the goal is the same."""
    try:
        found = Goals(vbddl.load(task.bddl_path), scene.model, scene.data, goal_only=True)
    except GaugeError:
        return None
    return None if set(found.literals) == set(scene.goals.literals) else found


def gave_up(policy: Policy) -> str:
    """Why a policy says that it gave up, as the scripted expert's `status` does; empty for one that says nothing."""
    before, mark, reason = str(getattr(policy, "status", "")).partition("failed: ")
    return reason if mark and not before else ""
