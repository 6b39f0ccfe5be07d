"""A private state of the scene's model with the arm's inverse kinematics."""

import mujoco
import numpy as np

from gauge.policies.expert.geometry import Array, Pose, rotation_vector
from gauge.policies.expert.world import STRAIGHT_RAD, World

ELBOW_MARGIN_RAD = 0.1
LIMIT_MARGIN_RAD = 0.06
WRIST_RAD = 2.9  # at pi the Panda's last three axes lose a direction and the wrist drifts
WRIST, LONG_TURN_RAD = [4, 6], 3.0  # two joints whose axes nearly coincide when the hand points down


class Kinematics:
    """A state beside the real one in which the arm's joints can be set and searched."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.model = world.model
        self.data = mujoco.MjData(world.model)
        self._jacobian = np.zeros((6, self.model.nv))
        joints = [i for i in range(self.model.njnt) if self.model.jnt_qposadr[i] in set(world.arm.tolist())]
        self._low, self._high = self.model.jnt_range[joints].T + LIMIT_MARGIN_RAD * np.array([[1.0], [-1.0]])
        self._wrist_limit = float(self._high[5])
        self._high[3] = STRAIGHT_RAD - ELBOW_MARGIN_RAD
        self.relax(False)

    def relax(self, relaxed: bool) -> None:
        """Allow the wrist its whole range, for things that cannot be had otherwise."""
        self._high[5] = self._wrist_limit if relaxed else WRIST_RAD

    def home(self) -> Array:
        """The hand's rotation [3, 3] in the arm's home posture."""
        return self.hand_at(self.world.posture).rotation

    def hand_at(self, angles: Array) -> Pose:
        """Where the hand is with the arm's joints at `angles` [7]."""
        self.data.qpos[self.world.arm] = angles
        mujoco.mj_kinematics(self.model, self.data)
        site = self.world.site
        return Pose(self.data.site_xpos[site].copy(), self.data.site_xmat[site].reshape(3, 3).copy())

    def strain(self, angles: Array) -> float:
        """How far the wrist is turned from where it is at home, rad, both its joints together."""
        return float(np.abs(angles - self.world.posture)[WRIST].sum())

    def unwound(self, pose: Pose, now: Array) -> Array | None:
        """Joint angles [7] at `pose` as the home posture has it, if the wrist turns far from `now` to them, or None."""
        there = self._descend(pose, self.world.posture)
        return there if there is not None and float(np.abs(there - now)[WRIST].sum()) > LONG_TURN_RAD else None

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
