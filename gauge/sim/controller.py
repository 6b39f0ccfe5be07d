"""robosuite's operational-space controller around MuJoCo's half steps, compiled.

The same equations as robosuite 1.4's OSC_POSE with LIBERO's settings (Khatib 1987), without its two
extra forward passes and per-substep observables. `tests/sim/test_controller.py` holds it to robosuite's
own trajectories.
"""

from typing import Any

import mujoco
import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
FINGER_SIGNS = np.array([-1.0, 1.0])


@njit(cache=True)
def _torques(
    mass: Array,
    jacobian: Array,
    position_error: Array,
    orientation_error: Array,
    velocity: Array,
    joint_error: Array,
    joint_velocity: Array,
    bias: Array,
    kp: Array,
    kd: Array,
) -> Array:
    """Joint torques [7] for a wrench towards the goal plus a posture torque in its null space."""
    mass_inverse = np.linalg.inv(mass)
    j_pos = np.ascontiguousarray(jacobian[:3])
    j_ori = np.ascontiguousarray(jacobian[3:])
    lambda_full = np.linalg.pinv(np.dot(np.dot(jacobian, mass_inverse), jacobian.T))
    lambda_pos = np.linalg.pinv(np.dot(np.dot(j_pos, mass_inverse), j_pos.T))
    lambda_ori = np.linalg.pinv(np.dot(np.dot(j_ori, mass_inverse), j_ori.T))
    force = np.dot(lambda_pos, position_error * kp[:3] - velocity[:3] * kd[:3])
    torque = np.dot(lambda_ori, orientation_error * kp[3:] - velocity[3:] * kd[3:])
    wrench = np.concatenate((force, torque))
    j_bar = np.dot(np.dot(mass_inverse, jacobian.T), lambda_full)
    null = np.eye(jacobian.shape[1]) - np.dot(j_bar, jacobian)
    joint_kp = 10.0
    posture = np.dot(mass, joint_kp * joint_error - np.sqrt(joint_kp) * 2 * joint_velocity)
    torques: Array = np.dot(jacobian.T, wrench) + bias + np.dot(null.T, posture)
    return torques


@njit(cache=True)
def _orientation_error(desired: Array, current: Array) -> Array:
    """Rotation from `current` to `desired` [3, 3] as an exponential-coordinates vector [3]."""
    error = np.zeros(3)
    for axis in range(3):
        error += np.cross(current[:, axis], desired[:, axis])
    return 0.5 * error


class LeanController:
    """Turns normalised actions into torques and steps the physics of one robosuite environment."""

    def __init__(self, env: Any) -> None:
        from robosuite.utils.control_utils import set_goal_orientation

        self._rotate = set_goal_orientation  # robosuite rounds rotations to float32; so do we
        robot, controller = env.robots[0], env.robots[0].controller
        self.robot = robot
        self.model: mujoco.MjModel = env.sim.model._model
        self.data: mujoco.MjData = env.sim.data._data
        self.substeps = int(env.control_timestep / env.model_timestep)
        self.site: int = robot.eef_site_id
        self.qpos = np.array(robot._ref_joint_pos_indexes)
        self.qvel = np.array(robot._ref_joint_vel_indexes)
        self.arm = np.array(robot._ref_joint_actuator_indexes)
        self.fingers = np.array(robot._ref_joint_gripper_actuator_indexes)
        self.torque_low, self.torque_high = robot.torque_limits
        self.kp, self.kd = controller.kp, controller.kd
        self.scale = (controller.output_max - controller.output_min) / (controller.input_max - controller.input_min)
        limits = self.model.actuator_ctrlrange[self.fingers]
        self.finger_bias, self.finger_weight = limits.mean(axis=1), (limits[:, 1] - limits[:, 0]) / 2
        self.finger_speed: float = robot.gripper.speed
        self._jacobian = np.zeros((6, self.model.nv))
        self._mass = np.zeros((self.model.nv, self.model.nv))
        self.reset()

    def reset(self) -> None:
        """Start from robosuite's freshly reset controller, after the state was set.

        That controller still holds the home pose: LIBERO's first substep acts on it, and without a rotation
        command the hand is kept in the home orientation. So the first substep is robosuite's own.
        """
        self.first = True
        self.initial_joint = self.robot.controller.initial_joint.copy()
        self.finger_command = np.zeros(2)

    def step(self, action: Array) -> None:
        """One control step (50 ms) for `action` [7]: arm deltas in [-1, 1], then the gripper (+1 closes)."""
        model, data = self.model, self.data
        for substep in range(self.substeps):
            mujoco.mj_step1(model, data)
            if substep == 0 and self.first:
                torques = self._first_torques(action)
            else:
                if substep == 0:
                    self._set_goal(action)
                torques = self._control()
            data.ctrl[self.arm] = np.clip(torques, self.torque_low, self.torque_high)
            self.finger_command = np.clip(
                self.finger_command + FINGER_SIGNS * self.finger_speed * np.sign(action[6]), -1.0, 1.0
            )
            data.ctrl[self.fingers] = self.finger_bias + self.finger_weight * self.finger_command
            mujoco.mj_step2(model, data)

    def _first_torques(self, action: Array) -> Array:
        controller = self.robot.controller
        controller.set_goal(action[:6])
        torques: Array = controller.run_controller()
        self.goal_pos, self.goal_mat = controller.goal_pos.copy(), controller.goal_ori.copy()
        self.first = False
        return torques

    def _set_goal(self, action: Array) -> None:
        delta = np.clip(action[:6], -1.0, 1.0) * self.scale
        self.goal_pos = self.data.site_xpos[self.site] + delta[:3]
        if np.any(delta[3:] != 0.0):  # without a rotation command the old orientation goal stays
            self.goal_mat = self._rotate(delta[3:], self.data.site_xmat[self.site].reshape(3, 3))

    def _control(self) -> Array:
        model, data = self.model, self.data
        mujoco.mj_jacSite(model, data, self._jacobian[:3], self._jacobian[3:], self.site)
        mujoco.mj_fullM(model, self._mass, data.qM)
        jacobian = np.ascontiguousarray(self._jacobian[:, self.qvel])
        return _torques(
            np.ascontiguousarray(self._mass[np.ix_(self.qvel, self.qvel)]),
            jacobian,
            self.goal_pos - data.site_xpos[self.site],
            _orientation_error(self.goal_mat, data.site_xmat[self.site].reshape(3, 3)),
            self._jacobian @ data.qvel,
            self.initial_joint - data.qpos[self.qpos],
            data.qvel[self.qvel],
            data.qfrc_bias[self.qvel],
            self.kp,
            self.kd,
        )
