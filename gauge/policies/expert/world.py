"""What the expert reads from the simulator: poses, boxes, joints, contacts and LIBERO's predicates. Read only."""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.policies.expert.geometry import Array, Boxes, Pose
from gauge.suites.scenario import Scenario
from gauge.vbddl.goal import Literal, Not, wants

State = tuple[str, ...]
Ids = NDArray[np.intp]
OWN = ("turnleft", "turnright", "upright")  # that LIBERO cannot evaluate
ARM_ROOT = "robot0_link1"
STRAIGHT_RAD = -0.467  # the Panda's elbow is offset: here, not at zero, is the wrist farthest away
FINGERS = tuple((f"gripper0_finger{i}_collision", f"gripper0_finger{i}_pad_collision") for i in (1, 2))


class World:
    """A read-only view of one scene; positions follow the simulation as it is stepped."""

    def __init__(self, scene: Any) -> None:
        self.scene, self.env = scene, scene.env
        self._subtrees: dict[int, Ids] = {}
        self._own = dict(map(_spelled, wants(scene.goals.goal))) if isinstance(scene.task, Scenario) else {}
        self.model: mujoco.MjModel = scene.model
        self.data: mujoco.MjData = scene.data
        robot = self.env.robots[0]
        self.site = int(robot.eef_site_id)
        self.arm = np.array(robot._ref_joint_pos_indexes)
        self.arm_dof = np.array(robot._ref_joint_vel_indexes)
        self.fingers = np.array(robot._ref_gripper_joint_pos_indexes)
        self.posture = np.array(robot.controller.initial_joint, dtype=np.float64)
        self.shoulder, self.wrist = self.model.body("robot0_link2").id, self.model.body("robot0_link6").id
        self.finger_geoms = [np.array([self.model.geom(name).id for name in names]) for names in FINGERS]
        self.robot_geoms = self.subtree_geoms(self.model.body(ARM_ROOT).id)

    @property
    def goal(self) -> list[State]:
        """The task's goal predicates in LIBERO's spelling; of a scenario also those that LIBERO does not know.

        What must not hold is spelled `("not", predicate, names...)`.
        """
        if self._own:
            return list(self._own)
        return [tuple(state) for state in self.env.parsed_problem["goal_state"]]

    def reached(self) -> bool:
        """Whether the scene says that the task's goal holds now: for scenarios gauge's rules, which know more."""
        return bool(self.scene.success())

    def predicates(self) -> list[str]:
        """The predicates of the task file's own goal, in LIBERO's spelling, each once."""
        return list(dict.fromkeys(literal.predicate.lower() for literal in self.scene.goals.literals))

    def holds(self, state: State) -> bool:
        """Whether this predicate holds now: LIBERO's evaluator says it where it knows the predicate, else gauge's."""
        if state[0] == "not":
            return not self.scene.goals.judge(self._own[state])
        if state[0] in OWN:
            return bool(self.scene.goals.judge(self._own[state]))
        return bool(self.env._eval_predicate(list(state)))

    def upper_end(self, name: str) -> Array:
        """Where the upper end of an object points, [3]."""
        return np.asarray(self.scene.goals.upper_end(name), dtype=np.float64)

    def knows(self, name: str) -> bool:
        """Whether the scene has an object, fixture or region of that name."""
        return name in self.env.object_sites_dict or name in self.env.obj_body_id

    def place_of(self, name: str) -> Array:
        """Where an object, fixture or region is, [3]."""
        return (self.site_pose(name) if name in self.env.object_sites_dict else self.pose(name)).position

    def articulated(self, kind: str, name: str) -> bool:
        """Whether a region or fixture has a joint with a range for `open`, `close`, `turnon` or `turnoff`."""
        site = self.env.object_sites_dict.get(name)
        owner = self.env.get_object(name if site is None else site.parent_name)
        ranges = getattr(owner, "object_properties", {}).get("articulation", {})
        return bool(len(ranges.get(f"default_{kind}_ranges", ())))

    def hand(self) -> Pose:
        """The grip site: x is the way the fingers move, z the way they point."""
        return Pose(self.data.site_xpos[self.site].copy(), self.data.site_xmat[self.site].reshape(3, 3).copy())

    def reach_left(self) -> tuple[Array, float]:
        """Direction [3] from the shoulder to the wrist, and how far the elbow is from straight (rad)."""
        line = self.data.xpos[self.wrist] - self.data.xpos[self.shoulder]
        return line / np.linalg.norm(line), float(STRAIGHT_RAD - self.data.qpos[self.arm[3]])

    def elbow_speed(self) -> float:
        """How fast the elbow straightens, rad/s."""
        return float(self.data.qvel[self.arm_dof[3]])

    def finger_gap(self) -> float:
        """Distance between the fingers, metres: 0.08 fully open."""
        return float(np.abs(self.data.qpos[self.fingers]).sum())

    def root(self, name: str) -> int:
        """Body id of an object or fixture."""
        return int(self.env.obj_body_id[name])

    def pose(self, name: str) -> Pose:
        """Where an object's root body is: what LIBERO's predicates look at."""
        body = self.root(name)
        return Pose(self.data.xpos[body].copy(), self.data.xmat[body].reshape(3, 3).copy())

    def site_pose(self, name: str) -> Pose:
        """Where a region is."""
        site = self.model.site(name).id
        return Pose(self.data.site_xpos[site].copy(), self.data.site_xmat[site].reshape(3, 3).copy())

    def subtree_geoms(self, body: int) -> Ids:
        """Ids of the colliding geometry of a body and everything attached to it."""
        if body not in self._subtrees:
            self._subtrees[body] = self._subtree_geoms(body)
        return self._subtrees[body]

    def _subtree_geoms(self, body: int) -> Ids:
        inside = np.zeros(self.model.nbody, dtype=bool)
        inside[body] = True
        for child in range(body + 1, self.model.nbody):  # parents come before children
            inside[child] |= inside[self.model.body_parentid[child]]
        return self._colliding(inside[self.model.geom_bodyid])

    def body_geoms(self, body: int) -> Ids:
        """Ids of the colliding geometry of one body alone."""
        return self._colliding(self.model.geom_bodyid == body)

    def _colliding(self, mask: NDArray[np.bool_]) -> Ids:
        solid = (self.model.geom_contype != 0) | (self.model.geom_conaffinity != 0)
        return np.flatnonzero(mask & solid)

    def boards(self, thickness_m: float) -> Ids:
        """Ids of colliding boxes that are at most so thick and no part of the robot."""
        thin = 2 * self.model.geom_size.min(axis=1) < thickness_m
        thin &= self.model.geom_type == mujoco.mjtGeom.mjGEOM_BOX
        return np.setdiff1d(self._colliding(thin), self.robot_geoms)

    def boxes(self, geoms: Ids, data: mujoco.MjData | None = None) -> Boxes:
        """Bounding boxes of geometry, now or in another state; exact for boxes, which is nearly all there is."""
        data = self.data if data is None else data
        rotations = data.geom_xmat[geoms].reshape(-1, 3, 3)
        local = self.model.geom_aabb[geoms]
        centres = data.geom_xpos[geoms] + np.einsum("nij,nj->ni", rotations, local[:, :3])
        return Boxes(centres, rotations.copy(), local[:, 3:].copy())

    def object_boxes(self, name: str) -> Boxes:
        """All boxes of an object or fixture."""
        return self.boxes(self.subtree_geoms(self.root(name)))

    def touches(self, first: Ids, second: Ids | None = None) -> bool:
        """Whether geometry of `first` touches `second`, or anything but itself and the robot for None."""
        pairs = self.data.contact.geom
        if not len(pairs):
            return False
        a, b = np.isin(pairs, first).T
        other = np.isin(pairs, second) if second is not None else ~np.isin(pairs, [*first, *self.robot_geoms])
        return bool(((a & other[:, 1]) | (b & other[:, 0])).any())

    def gripped(self, geoms: Ids) -> bool:
        """Whether both fingers touch this geometry."""
        return all(self.touches(finger, geoms) for finger in self.finger_geoms)


def _spelled(wanted: Literal | Not) -> tuple[State, Literal]:
    """A wanted literal as the expert spells it, and the literal."""
    literal = wanted.part if isinstance(wanted, Not) else wanted
    assert isinstance(literal, Literal)
    state = (literal.predicate.lower(), *literal.arguments)
    return (state if literal is wanted else ("not", *state)), literal
