"""Trying things out without touching the scene: collision checks and falls on a second state."""

from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np

from gauge.policies.expert.geometry import Array, Pose, between, overlapping, rotation_vector
from gauge.policies.expert.kinematics import Kinematics
from gauge.policies.expert.world import Ids, World

OPEN_M = 0.04
PENETRATION_M = 0.0005
SAMPLE_M = 0.03
BOARD_M, BOARD_SLACK_M = 0.01, 0.001
DROP_STEPS, FALLING_STEPS, STILL = 400, 50, 0.01  # steps of the model; m/s or rad/s


@dataclass(frozen=True, slots=True)
class Held:
    """An object in the hand: its name, its pose relative to the hand, and the fingers' positions [2]."""

    name: str
    in_hand: Pose
    fingers: Array

    def beside(self, hand: Pose, offset: Array) -> "Held":
        """The same thing hanging a little lower or to a side, `offset` [3] in the world, for ways with some room."""
        return Held(self.name, self.in_hand.shifted(hand.rotation.T @ offset), self.fingers)


class Imagination(Kinematics):
    """A private state of the scene's model in which the arm and a held object can be put anywhere."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.opening = OPEN_M  # of each finger of an empty hand, metres
        self._boards = world.boards(BOARD_M)

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
