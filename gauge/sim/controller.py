"""robosuite's operational-space controller around MuJoCo's half steps, compiled.

The same law as robosuite 1.4's OSC_POSE with LIBERO's settings (Khatib 1987): a wrench towards the goal,
decoupled by the operational-space inertia, gravity compensation, and a posture torque in the null space.
Left out are robosuite's two extra forward passes and its observables in every substep.
`tests/sim/test_controller.py` holds it to robosuite's own trajectories.
"""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]
FINGER_SIGNS = np.array([-1.0, 1.0])
JOINT_KP = 10.0  # robosuite's posture gain (rad -> rad/s^2), damped critically


@njit(cache=True)
def _arm_inertia(packed: Array, first: Array, parent: Array, arm: Array) -> Array:
    """The arm's block [n, n] of the joint-space inertia that MuJoCo packs by kinematic chain."""
    mass = np.zeros((len(arm), len(arm)))
    place = np.full(len(parent), -1)
    for row, dof in enumerate(arm):
        place[dof] = row
    for row, dof in enumerate(arm):
        other, address = dof, first[dof]
        while other >= 0:
            if place[other] >= 0:
                mass[row, place[other]] = mass[place[other], row] = packed[address]
            other, address = parent[other], address + 1
    return mass


@njit(cache=True)
def _orientation_error(desired: Array, current: Array) -> Array:
    """Rotation from `current` to `desired` [3, 3] as an exponential-coordinates vector [3]."""
    error = np.zeros(3)
    for axis in range(3):
        error += np.cross(current[:, axis], desired[:, axis])
    return 0.5 * error


@njit(cache=True)
def _torques(
    mass: Array,
    jacobian: Array,
    position_error: Array,
    orientation_error: Array,
    joint_error: Array,
    joint_velocity: Array,
    bias: Array,
    kp: Array,
    kd: Array,
) -> Array:
    """Joint torques [n]; systems are solved instead of inverted, which is the same law, only cheaper."""
    mobility = np.dot(jacobian, np.linalg.solve(mass, jacobian.T.copy()))  # J M^-1 J^T
    velocity = np.dot(jacobian, joint_velocity)
    wrench = np.empty(6)
    wrench[:3] = np.linalg.solve(mobility[:3, :3].copy(), position_error * kp[:3] - velocity[:3] * kd[:3])
    wrench[3:] = np.linalg.solve(mobility[3:, 3:].copy(), orientation_error * kp[3:] - velocity[3:] * kd[3:])
    posture = JOINT_KP * joint_error - 2.0 * np.sqrt(JOINT_KP) * joint_velocity
    in_task_space = np.linalg.solve(mobility, np.dot(jacobian, posture))
    torques: Array = bias + np.dot(mass, posture) + np.dot(jacobian.T, wrench - in_task_space)
    return torques


class LeanController:
    """Turns normalised actions into torques and steps the physics of one robosuite environment."""

    def __init__(self, env: Any) -> None:
        from robosuite.utils.control_utils import set_goal_orientation
        from robosuite.utils.transform_utils import axisangle2quat, quat2mat

        self._rotate = set_goal_orientation  # robosuite rounds rotations to float32; so do we
        self._to_matrix: Callable[[Array], Array] = lambda axis_angle: quat2mat(axisangle2quat(axis_angle))
        self.robot, controller = env.robots[0], env.robots[0].controller
        self.model: mujoco.MjModel = env.sim.model._model
        self.data: mujoco.MjData = env.sim.data._data
        self.substeps = int(env.control_timestep / env.model_timestep)
        self.qpos = np.array(self.robot._ref_joint_pos_indexes)
        self.qvel = np.array(self.robot._ref_joint_vel_indexes)
        self.arm = np.array(self.robot._ref_joint_actuator_indexes)
        self.fingers = np.array(self.robot._ref_joint_gripper_actuator_indexes)
        self.torque_low, self.torque_high = self.robot.torque_limits
        self.kp, self.kd = controller.kp, controller.kd
        self.scale = (controller.output_max - controller.output_min) / (controller.input_max - controller.input_min)
        limits = self.model.actuator_ctrlrange[self.fingers]
        self.finger_bias, self.finger_weight = limits.mean(axis=1), (limits[:, 1] - limits[:, 0]) / 2
        self.finger_speed: float = self.robot.gripper.speed
        self._keep_views()
        self.absolute = False
        self.reset()

    def _keep_views(self) -> None:
        """MuJoCo's arrays stay where they are, and asking for them anew costs more than the arithmetic."""
        data, self.site = self.data, int(self.robot.eef_site_id)
        self._site_pos, self._site_mat = data.site_xpos[self.site], data.site_xmat[self.site].reshape(3, 3)
        self._q, self._v, self._bias, self._ctrl = data.qpos, data.qvel, data.qfrc_bias, data.ctrl
        self._packed, self._first, self._parent = data.qM, self.model.dof_Madr, self.model.dof_parentid
        self._jacobian = np.zeros((6, self.model.nv))
        self._jacobian_pos, self._jacobian_rot = self._jacobian[:3], self._jacobian[3:]

    def reset(self) -> None:
        """Start from robosuite's freshly reset controller, after the state was set.

        That controller still holds the home pose: LIBERO's first substep acts on it, and without a rotation
        command the hand is kept in the home orientation. So the first substep is robosuite's own.
        """
        self.first = True
        self.initial_joint = self.robot.controller.initial_joint.copy()
        self.finger_command = np.zeros(2)

    def hold(self, opening: float) -> Array:
        """Command the fingers to an opening (0 closed, 1 open); the command [2] in robosuite's own units."""
        self.finger_command = -FINGER_SIGNS * (2.0 * opening - 1.0)
        return self.finger_command.copy()

    def step(self, action: Array) -> None:
        """One control step (50 ms) for `action` [7]: arm deltas in [-1, 1], then the gripper (+1 closes).

        While `absolute` is set, the arm's six are the grip site's goal position (m) and axis-angle (rad) instead.
        """
        model, data = self.model, self.data
        finger_step = FINGER_SIGNS * self.finger_speed * np.sign(action[6])
        for substep in range(self.substeps):
            mujoco.mj_step1(model, data)
            if substep == 0 and self.first:
                torques = self._first_torques(action)
            else:
                if substep == 0:
                    self._set_goal(action)
                torques = self._control()
            self._ctrl[self.arm] = np.minimum(np.maximum(torques, self.torque_low), self.torque_high)
            self.finger_command = np.minimum(np.maximum(self.finger_command + finger_step, -1.0), 1.0)
            self._ctrl[self.fingers] = self.finger_bias + self.finger_weight * self.finger_command
            mujoco.mj_step2(model, data)

    def _first_torques(self, action: Array) -> Array:
        controller = self.robot.controller
        controller.set_goal(action[:6])
        torques: Array = controller.run_controller()
        self.goal_pos, self.goal_mat = controller.goal_pos.copy(), controller.goal_ori.copy()
        self.first = False
        return torques

    def _set_goal(self, action: Array) -> None:
        if self.absolute:
            self.goal_pos, self.goal_mat = action[:3].copy(), np.asarray(self._to_matrix(action[3:6]))
            return
        delta = np.clip(action[:6], -1.0, 1.0) * self.scale
        self.goal_pos = self._site_pos + delta[:3]
        if np.any(delta[3:] != 0.0):  # without a rotation command the old orientation goal stays
            self.goal_mat = np.asarray(self._rotate(delta[3:], self._site_mat))

    def _control(self) -> Array:
        mujoco.mj_jacSite(self.model, self.data, self._jacobian_pos, self._jacobian_rot, self.site)
        torques: Array = _torques(
            _arm_inertia(self._packed, self._first, self._parent, self.qvel),
            self._jacobian[:, self.qvel],
            self.goal_pos - self._site_pos,
            _orientation_error(self.goal_mat, self._site_mat),
            self.initial_joint - self._q[self.qpos],
            self._v[self.qvel],
            self._bias[self.qvel],
            self.kp,
            self.kd,
        )
        return torques
