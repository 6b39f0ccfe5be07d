"""Trying things out without touching the scene: inverse kinematics and collision checks on a second state."""

from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np

from gauge.policies.expert.geometry import Array, Pose, axis_rotation, overlapping, rotation_vector
from gauge.policies.expert.world import STRAIGHT_RAD, Ids, World

OPEN_M = 0.04
PENETRATION_M = 0.0005
SAMPLE_M = 0.03
BOARD_M, BOARD_SLACK_M = 0.01, 0.001
ELBOW_MARGIN_RAD = 0.1
LIMIT_MARGIN_RAD = 0.06
DROP_STEPS, FALLING_STEPS, STILL = 400, 50, 0.01  # steps of the model; m/s or rad/s
WRIST_RAD = 2.9  # at pi the Panda's last three axes lose a direction and the wrist drifts


@dataclass(frozen=True, slots=True)
class Held:
    """An object in the hand: its name, its pose relative to the hand, and the fingers' positions [2]."""

    name: str
    in_hand: Pose
    fingers: Array

    def lowered(self, hand: Pose, metres: float) -> "Held":
        """The same thing hanging a little lower, for paths that should keep their distance."""
        down = hand.rotation.T @ np.array([0.0, 0.0, -metres])
        return Held(self.name, self.in_hand.shifted(down), self.fingers)


class Imagination:
    """A private state of the scene's model in which the arm and a held object can be put anywhere."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.model = world.model
        self.data = mujoco.MjData(world.model)
        self.opening = OPEN_M  # of each finger of an empty hand, metres
        self._jacobian = np.zeros((6, self.model.nv))
        joints = [i for i in range(self.model.njnt) if self.model.jnt_qposadr[i] in set(world.arm.tolist())]
        self._low, self._high = self.model.jnt_range[joints].T + LIMIT_MARGIN_RAD * np.array([[1.0], [-1.0]])
        self._wrist_limit = float(self._high[5])
        self._high[3] = STRAIGHT_RAD - ELBOW_MARGIN_RAD
        self._boards = world.boards(BOARD_M)
        self.relax(False)

    def relax(self, relaxed: bool) -> None:
        """Allow the wrist its whole range, for things that cannot be had otherwise."""
        self._high[5] = self._wrist_limit if relaxed else WRIST_RAD

    def home(self) -> Array:
        """The hand's rotation [3, 3] in the arm's home posture."""
        self.data.qpos[self.world.arm] = self.world.posture
        mujoco.mj_kinematics(self.model, self.data)
        rotation: Array = self.data.site_xmat[self.world.site].reshape(3, 3).copy()
        return rotation

    def sync(self) -> None:
        """Copy the real state."""
        self.data.qpos[:] = self.world.data.qpos

    def reach(self, pose: Pose, start: Array) -> Array | None:
        """Joint angles [7] that put the hand at `pose`, from `start` [7] or else from the home posture, or None."""
        angles = self._descend(pose, start)
        return self._descend(pose, self.world.posture) if angles is None else angles

    def _descend(self, pose: Pose, start: Array, iterations: int = 40) -> Array | None:
        """Damped least squares with the controller's own pull to the home posture in the null space."""
        world, data = self.world, self.data
        angles = start.copy()
        for step in range(iterations):
            data.qpos[world.arm] = angles
            mujoco.mj_kinematics(self.model, data)
            rotation = data.site_xmat[world.site].reshape(3, 3)
            turn = rotation_vector(pose.rotation @ rotation.T)
            error = np.concatenate([pose.position - data.site_xpos[world.site], turn])
            if np.linalg.norm(error[:3]) < 2e-3 and np.linalg.norm(turn) < 0.02 and step > 0:
                return angles
            mujoco.mj_comPos(self.model, data)
            mujoco.mj_jacSite(self.model, data, self._jacobian[:3], self._jacobian[3:], world.site)
            jacobian = self._jacobian[:, world.arm_dof]
            inverse = jacobian.T @ np.linalg.inv(jacobian @ jacobian.T + 1e-4 * np.eye(6))
            error[3:] *= min(1.0, 0.5 / (np.linalg.norm(turn) + 1e-9))
            error[:3] *= min(1.0, 0.15 / (np.linalg.norm(error[:3]) + 1e-9))
            change = inverse @ error + (np.eye(7) - inverse @ jacobian) @ (0.05 * (world.posture - angles))
            angles = np.clip(angles + change, self._low, self._high)
        return None

    def put(self, held: Held, hand: Pose) -> None:
        """Put a held object where it is when the hand is at `hand`."""
        body = self.world.root(held.name)
        address = int(self.model.jnt_qposadr[self.model.body_jntadr[body]])
        pose = hand @ held.in_hand
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(pose.rotation).ravel())
        self.data.qpos[address : address + 3] = pose.position
        self.data.qpos[address + 3 : address + 7] = quaternion

    def dropped(self, held: Held, hand: Pose) -> Pose:
        """Where a held object comes to rest when it is let go with the hand at `hand`, the arm out of the way."""
        self.sync()
        self.data.qvel[:] = self.data.qacc_warmstart[:] = self.data.ctrl[:] = 0.0
        self.put(held, hand)
        body = self.world.root(held.name)
        speed = slice(int(self.model.body_dofadr[body]), int(self.model.body_dofadr[body]) + 6)
        for step in range(DROP_STEPS):
            self.data.qpos[self.world.arm], self.data.qvel[self.world.arm_dof] = self.world.posture, 0.0
            mujoco.mj_step(self.model, self.data)
            if step > FALLING_STEPS and float(np.abs(self.data.qvel[speed]).max()) < STILL:
                break
        mujoco.mj_kinematics(self.model, self.data)
        return Pose(self.data.xpos[body].copy(), self.data.xmat[body].reshape(3, 3).copy())

    def collisions(self, held: Held | None = None, ignore: Ids | None = None) -> int:
        """How many contacts the arm and the held object make with the rest, in the present private state.

        Args:
            held: an object that moves with the hand; its contacts with the hand do not count.
            ignore: geometry that may be touched.
        """
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_collision(self.model, self.data)
        through = 0 if held is None else self._through(held, ignore)
        pairs = self.data.contact.geom
        if not len(pairs):
            return through
        moving = self.world.robot_geoms
        if held is not None:
            moving = np.concatenate([moving, self.world.subtree_geoms(self.world.root(held.name))])
        deep = self.data.contact.dist < -PENETRATION_M
        mask = np.zeros(self.model.ngeom, dtype=bool)
        mask[moving] = True
        one_moves = mask[pairs].sum(axis=1) == 1
        if ignore is not None:
            deep &= ~np.isin(pairs, ignore).any(axis=1)
        return int((one_moves & deep).sum()) + through

    def _through(self, held: Held, ignore: Ids | None) -> int:
        """How many thin boards the object is pushed through: MuJoCo reports no contact for a board inside a box."""
        own = self.world.subtree_geoms(self.world.root(held.name))
        other = ~np.isin(self._boards, own)
        if ignore is not None:
            other &= ~np.isin(self._boards, ignore)
        boards = self._boards[other]
        return overlapping(self.world.boxes(own, self.data), self.world.boxes(boards, self.data), BOARD_SLACK_M)

    def check(self, hand: Pose, start: Array, held: Held | None = None, ignore: Ids | None = None) -> "Check":
        """Put the hand at `hand` and count collisions, with the fingers at `opening` or as they hold."""
        empty = self.opening * np.array([1.0, -1.0])
        self.data.qpos[self.world.fingers] = empty if held is None else held.fingers
        angles = self.reach(hand, start)
        if angles is None:
            return Check(None, 1000)
        if held is not None:
            self.put(held, hand)
        return Check(angles, self.collisions(held, ignore))

    def sweep(self, path: list[Pose], start: Array, held: Held | None = None, ignore: Ids | None = None) -> "Check":
        """The same along a path of straight lines, sampled every 3 cm; the first pose is not checked."""
        total, angles = 0, start
        for a, b in pairwise(path):
            turn = rotation_vector(b.rotation @ a.rotation.T)
            count = max(1, int(np.ceil(np.linalg.norm(b.position - a.position) / SAMPLE_M)))
            for k in range(1, count + 1):
                result = self.check(between(a, b, turn, k / count), angles, held, ignore)
                total += result.collisions
                if result.angles is None:
                    return Check(None, total)
                angles = result.angles
        return Check(angles, total)


@dataclass(frozen=True, slots=True)
class Check:
    """Joint angles [7] of the last pose, None when out of reach, and the number of collisions met."""

    angles: Array | None
    collisions: int

    @property
    def free(self) -> bool:
        """Reachable and nothing is hit."""
        return self.angles is not None and self.collisions == 0


def between(first: Pose, second: Pose, turn: Array, fraction: float) -> Pose:
    """A pose on the way; `turn` [3] is the rotation vector from the first to the second."""
    angle = float(np.linalg.norm(turn))
    part = np.eye(3) if angle < 1e-9 else axis_rotation(turn / angle, fraction * angle)
    return Pose((1 - fraction) * first.position + fraction * second.position, part @ first.rotation)
