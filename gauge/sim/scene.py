"""A scene: one LIBERO task compiled once, started from seeds, stepped, judged and looked at."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.errors import SceneError
from gauge.sim.camera import SceneRenderer, Screen
from gauge.sim.controller import LeanController
from gauge.sim.goals import Goals
from gauge.sim.layout import Layout
from gauge.sim.libero import build_env, load_states, redraw
from gauge.sim.starts import DrawnStarts
from gauge.suites.libero import Task
from gauge.suites.scenario import Scenario

ADDED = "distractor_"  # names of bodies that the task does not have
Stepper = Literal["lean", "robosuite"]
DUMMY_ACTION = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
MODEL_FIELDS = (
    "body_mass",
    "body_inertia",
    "geom_type",
    "geom_size",
    "jnt_type",
    "jnt_axis",
    "cam_fovy",
    "light_diffuse",
)


class Scene:
    """One compiled task. `start` gives the same state for the same seed, whatever happened before.

    Frames and proprioception are taken from a second copy of the state, so looking never changes physics.
    The stepper is `lean` (ours) or `robosuite` (its own `env.step`, the slow reference). `changes` rewrite the
    model's MJCF before it is compiled; free bodies that they add are named `distractor_...` and come last.
    """

    def __init__(
        self,
        task: Task,
        screen: Screen | None = None,
        stepper: Stepper = "lean",
        changes: Sequence[Callable[[str], str]] = (),
    ) -> None:
        self.task, self.stepper, self.changes = task, stepper, tuple(changes)
        self.env = build_env(task, changes)
        self.model: mujoco.MjModel = self.env.sim.model._model
        self.data: mujoco.MjData = self.env.sim.data._data
        self.hash = self._hash_model()
        added = sum(self.model.joint(joint).name.startswith(ADDED) for joint in range(self.model.njnt))
        self._nq, self._nv = self.model.nq - 7 * added, self.model.nv - 6 * added
        self._drawn = DrawnStarts(task) if isinstance(task, Scenario) else None
        self._layout = Layout(self.env, task) if isinstance(task, Scenario) else None
        self._states = np.zeros((0, 0)) if self._drawn else self._official()
        self._controller = LeanController(self.env)
        self._view = mujoco.MjData(self.model)
        self.screen = screen
        self._renderer: SceneRenderer | None = None
        self.rest = DUMMY_ACTION.copy()

    def _official(self) -> NDArray[np.float64]:
        """LIBERO's own initial states, [states, 1 + nq + nv]."""
        states = load_states(self.task)
        if states.shape[1] != 1 + self._nq + self._nv:
            raise SceneError(
                f"{self.task.id}: its initial states hold {states.shape[1]} numbers, the scene has "
                f"{1 + self._nq + self._nv}; the state file belongs to another task"
            )
        return states

    def start(self, seed: int, state_index: int) -> None:
        """Begin in the initial state of that index.

        LIBERO's states fix everything but the fixtures, which `seed` places; a scenario's state fixes these too.

        Raises:
            SceneError: the scenario has no valid state of that index.
        """
        if self._drawn is None:
            self.draw(seed, self._states[state_index])
        else:
            self.draw(*self._drawn.of(self, state_index))

    def start_seed(self, state_index: int) -> int:
        """The seed that places fixtures and objects of a scenario's initial state.

        Raises:
            SceneError: the scenario has no valid state of that index.
        """
        assert self._drawn is not None
        return self._drawn.of(self, state_index)[0]

    def draw(self, seed: int, state: NDArray[np.float64] | None = None) -> None:
        """Place fixtures and objects from `seed`; then, where it is given, set the state [1 + nq + nv]."""
        if self._layout is not None:
            self._layout.move(seed)
        redraw(self.env, self.task, seed)
        if state is not None:
            self.set_state(state)
        self.data.qacc_warmstart[:] = 0.0
        self.rest = DUMMY_ACTION.copy()
        mujoco.mj_forward(self.model, self.data)
        self._controller.reset()
        self.drive(absolute=False)

    def state(self) -> NDArray[np.float64]:
        """Time, positions and velocities, [1 + nq + nv], of all but the added objects; what `set_state` takes."""
        return np.concatenate([[self.data.time], self.data.qpos[: self._nq], self.data.qvel[: self._nv]])

    def origin(self, thing: str) -> NDArray[np.float64]:
        """Where the frame of the region that the thing starts in is in the world now, [2]; a scenario moves it."""
        table = np.array(self.env.workspace_offset[:2], dtype=np.float64)
        return table if self._layout is None else table + self._layout.offset(thing)

    def drive(self, absolute: bool) -> None:
        """Let actions name the grip site's pose (m, rad), or normalised deltas again, as after every start.

        Resting is a delta action: in absolute mode it would send the hand to the origin.
        """
        self._controller.absolute = absolute
        self.env.robots[0].controller.use_delta = not absolute

    @property
    def arm_qpos(self) -> NDArray[np.intp]:
        """Where the arm's joints [7] are in `qpos`."""
        return self._controller.qpos

    @property
    def finger_qpos(self) -> NDArray[np.intp]:
        """Where both fingers are in `qpos`."""
        return np.array(self.env.robots[0]._ref_gripper_joint_pos_indexes)

    @property
    def fingers_open(self) -> NDArray[np.float64]:
        """Joint positions (2, m) of both fingers when the hand is open."""
        limits = self.model.actuator_ctrlrange[self._controller.fingers]
        return np.asarray(limits[np.arange(2), np.abs(limits).argmax(axis=1)])

    def rehome(self) -> None:
        """Make the arm's present position its home, as if the robot had been reset there."""
        mujoco.mj_forward(self.model, self.data)
        controller = self.env.robots[0].controller
        controller.update_initial_joints(self.data.qpos[self.arm_qpos].copy())
        controller.reset_goal()
        fingers = self._controller.finger_command
        self._controller.reset()
        self._controller.finger_command = fingers

    def hold_fingers(self, opening: float) -> None:
        """Command the fingers to this opening (0 to 1) and let resting keep them there."""
        mujoco.mj_forward(self.model, self.data)
        command = self._controller.hold(opening)
        self.env.robots[0].gripper.current_action = command
        self.rest[6] = 0.0

    def upload(self, texture: int) -> None:
        """Show the present pixels of a texture from the next frame on."""
        if self._renderer is not None:
            self._renderer.upload(texture)

    def set_state(self, state: NDArray[np.float64]) -> None:
        """Overwrite time, positions and velocities, [1 + nq + nv], of all but the added objects, which come last."""
        nq, nv = self._nq, self._nv
        self.data.time, self.data.qpos[:nq], self.data.qvel[:nv] = state[0], state[1 : 1 + nq], state[1 + nq :]

    def step(self, action: NDArray[np.float64]) -> None:
        """One control step of 50 ms for `action` [7].

        Raises:
            SceneError: the physics diverged.
        """
        if self.stepper == "lean":
            self._controller.step(action)
        else:
            self.env.step(action)
        if not np.isfinite(self.data.qpos).all():
            raise SceneError("the physics diverged (a position is not finite)")

    def success(self) -> bool:
        """Whether the goal holds now: for LIBERO's tasks its own evaluator says it, for scenarios gauge's rules."""
        return bool(self.env._check_success()) if self._drawn is None else self.goals.holds()

    @cached_property
    def goals(self) -> Goals:
        """Gauge's own judge of the task in this scene, made when it is first asked."""
        return Goals(vbddl.load(self.task.bddl_path), self.model, self.data)

    def residual_speed(self) -> float:
        """Fastest velocity of any joint that is not the robot's (m/s or rad/s)."""
        robot = len(self._controller.qvel) + 2
        return float(np.abs(self.data.qvel[robot:]).max(initial=0.0))

    def start_hash(self) -> str:
        """12 hex digits over the present state and the fixtures' poses, exact to the bit."""
        parts = (self.data.qpos, self.data.qvel, self.model.body_pos, self.model.body_quat)
        return hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()[:12]

    def look(self, positions: NDArray[np.float64] | None = None) -> None:
        """Bring the view up to date with the physics, or with `positions` [nq] of an earlier moment."""
        self._view.qpos[:] = self.data.qpos if positions is None else positions
        mujoco.mj_kinematics(self.model, self._view)
        mujoco.mj_comPos(self.model, self._view)
        mujoco.mj_camlight(self.model, self._view)
        self.env._post_process()  # LIBERO shows a burner that is on by toggling a site

    def frame(self, camera: str, size: tuple[int, int]) -> NDArray[np.uint8]:
        """What `camera` sees in the view, uint8 [H, W, 3], RGB, upright."""
        if self._renderer is None or not self._renderer.fits(size):
            self.screen = self.screen or Screen()
            self._close_renderer()
            self._renderer = SceneRenderer(self.model, size, self.screen)
        return self._renderer.frame(self._view, camera, size)

    def proprioception(self) -> NDArray[np.float64]:
        """Hand position (3, m), axis-angle (3, rad) and both finger positions (2, m) in the view."""
        robot = self.env.robots[0]
        hand = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, robot.robot_model.eef_name)
        fingers = self._view.qpos[robot._ref_gripper_joint_pos_indexes]
        position = self._view.site_xpos[robot.eef_site_id]
        return np.concatenate([position, axis_angle(self._view.xquat[hand]), fingers])

    def place(self, name: str) -> NDArray[np.float64]:
        """Where an object, a fixture or a region is in the view (3, m).

        Raises:
            KeyError: the scene has none of that name.
        """
        if name in self.env.object_sites_dict:
            return np.array(self._view.site(name).xpos)
        return np.array(self._view.xpos[self.env.obj_body_id[name]])

    def controller_pose(self) -> NDArray[np.float64]:
        """The grip site's position (3, m) and the first two columns of its rotation (6), in the view."""
        site = self.env.robots[0].eef_site_id
        turn = self._view.site_xmat[site].reshape(3, 3)
        return np.concatenate([self._view.site_xpos[site], turn[:, 0], turn[:, 1]])

    def close(self) -> None:
        """Free what was uploaded to the renderer and the environment."""
        self._close_renderer()
        self.env.close()

    def _close_renderer(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _hash_model(self) -> str:
        """12 hex digits over the compiled model's names and shape, to nine digits (libm differs between CPUs)."""
        digest = hashlib.sha256(self.model.names)
        for field in MODEL_FIELDS:
            digest.update(np.round(np.asarray(getattr(self.model, field), dtype=np.float64), 9).tobytes())
        return digest.hexdigest()[:12]


def axis_angle(quat_wxyz: NDArray[Any]) -> NDArray[np.float64]:
    """Axis-angle [3] of a unit quaternion as robosuite's `quat2axisangle` has it: no antipodal flip."""
    w = float(np.clip(quat_wxyz[0], -1.0, 1.0))
    sine = np.sqrt(1.0 - w * w)
    if np.isclose(sine, 0.0):
        return np.zeros(3)
    axis: NDArray[np.float64] = np.asarray(quat_wxyz[1:], dtype=np.float64) * 2.0 * np.arccos(w) / sine
    return axis
