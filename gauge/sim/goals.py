"""The goal of a task judged on a scene, by our own rules and without LIBERO's evaluator."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError
from gauge.sim import predicates as rules
from gauge.vbddl.catalogue import Catalogue, Limit
from gauge.vbddl.goal import Literal, ground, literals, truth
from gauge.vbddl.names import Names
from gauge.vbddl.pool import catalogue_for
from gauge.vbddl.task import Task

GRIPPER = "gripper0_"
TARGETS = ("On", "In", "Stack", "InContact", "Up", "Upright")


@dataclass(frozen=True, slots=True)
class Part:
    """What a name stands for in the model: a body or a site, what it touches with, and its joints."""

    site: int
    body: int
    root: int
    joints: tuple[int, ...]
    on_table: bool


class Goals:
    """Judges literals and the whole goal of a task on one model; reads `data`, never writes it.

    `data` must be up to date (`mj_forward` or a step) as it is after `Scene.start` and `Scene.step`.
    """

    def __init__(
        self,
        task: Task,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        catalogue: Catalogue | None = None,
        goal_only: bool = False,
    ) -> None:
        """Find in the model what the task names, or with `goal_only`, for another task's model, what its goal names.

        Raises:
            GaugeError: something of it is missing.
        """
        self.task, self._model, self._data = task, model, data
        self._names = Names(task, catalogue or catalogue_for(task.types.values()))
        self._root_of_geom = model.body_rootid[model.geom_bodyid]
        self.goal = ground(task.goal, task.members)
        self.literals = tuple(dict.fromkeys(literals(self.goal)))
        everything = (*task.types, *self._names.regions)
        named = {name for literal in self.literals for name in literal.arguments} if goal_only else set(everything)
        self._parts = {name: self._part(name) for name in everything if name in named and self._present(name)}
        self._gripper = self._bodies_under(GRIPPER)
        self._robot = {int(root) for root in model.body_rootid[self._gripper]}

    def holds(self) -> bool:
        """Whether the goal holds now."""
        return bool(truth(self.goal, self.states()))

    def states(self) -> dict[Literal, bool]:
        """The truth of every literal of the goal now."""
        touching = self._touching()
        return {literal: self._judge(literal, touching) for literal in self.literals}

    def judge(self, literal: Literal) -> bool:
        """The truth of one literal now.

        Raises:
            GaugeError: it is not well formed for this task; an unknown name is never simply false.
        """
        for fault in self._names.literal_faults(literal):
            raise GaugeError(fault)
        return self._judge(literal, self._touching())

    def touched(self) -> bool:
        """Whether the gripper touches an object that the goal places or lifts (for `Held`)."""
        wanted = {self._parts[literal.arguments[0]].root for literal in self.literals if literal.predicate in TARGETS}
        pairs = self._data.contact.geom[: self._data.ncon]
        bodies = self._model.geom_bodyid[pairs]
        gripping = np.isin(bodies, self._gripper)
        other = np.isin(self._root_of_geom[pairs], list(wanted))
        return bool(np.any(gripping & other[:, ::-1]))

    def _judge(self, literal: Literal, touching: set[tuple[int, int]]) -> bool:
        first = self._parts[literal.arguments[0]]
        match literal.predicate:
            case "Open" | "TurnOn":
                return rules.opened(self._positions(first), self._limit(literal))
            case "Close" | "TurnOff":
                return rules.closed(self._positions(first), self._limit(literal))
            case "TurnLeft" | "TurnRight":
                return rules.turned(self._positions(first), self._limit(literal))
            case "Up":
                return rules.up(self._data.xpos[first.body])
            case "Lying":
                return rules.lying(self.upper_end(literal.arguments[0]))
            case "Upright":
                others = {other for root, other in touching if root == first.root} - self._robot
                return rules.upright(self.upper_end(literal.arguments[0]), bool(others), self._speed(first))
        second = self._parts[literal.arguments[1]]
        touch = second.on_table or (first.root, second.root) in touching
        origin = self._data.xpos[first.body]
        if literal.predicate == "InContact":
            return touch
        if second.site < 0:
            rule: Callable[..., bool] = rules.stacked if literal.predicate == "Stack" else rules.on_object
            return rule(origin, self._data.xpos[second.body], touch)
        box = self._box(second.site)
        return rules.in_region(origin, *box) if literal.predicate == "In" else rules.on_region(origin, *box, touch)

    def _box(self, site: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        rotation = self._data.site_xmat[site].reshape(3, 3)
        return self._data.site_xpos[site], rotation, self._model.site_size[site]

    def upper_end(self, name: str) -> NDArray[np.float64]:
        """Where the upper end of an object points in the world, [3]."""
        kind = self._names.kind(name)
        assert kind is not None
        rotation: NDArray[np.float64] = self._data.xmat[self._parts[name].body].reshape(3, 3)
        return rotation[:, "xyz".index(kind.up)]

    def _speed(self, part: Part) -> float:
        """The fastest velocity of a free object, m/s or rad/s."""
        first = self._model.body_dofadr[part.root]
        return float(np.abs(self._data.qvel[first : first + 6]).max())

    def _positions(self, part: Part) -> list[float]:
        return [float(self._data.qpos[self._model.jnt_qposadr[joint]]) for joint in part.joints]

    def _limit(self, literal: Literal) -> Limit:
        name = literal.arguments[0]
        region = self._names.regions.get(name)
        kind = self._names.kind(region.target if region else name)
        assert kind is not None
        return kind.states[literal.predicate.lower()]

    def _touching(self) -> set[tuple[int, int]]:
        """Pairs of kinematic trees in contact, both ways round."""
        pairs = self._root_of_geom[self._data.contact.geom[: self._data.ncon]]
        return {(int(a), int(b)) for a, b in pairs} | {(int(b), int(a)) for a, b in pairs}

    def _present(self, name: str) -> bool:
        """Whether the name is in the model; the table itself and unused regions of absent models are not."""
        region = self._names.regions.get(name)
        return not self._names.region_fault(region) if region else name != self._names.table

    def _part(self, name: str) -> Part:
        region = self._names.regions.get(name)
        if region is None:
            body = self._id(mujoco.mjtObj.mjOBJ_BODY, f"{name}_main")
            root = int(self._model.body_rootid[body])
            return Part(-1, body, root, self._hinges(np.flatnonzero(self._model.body_rootid == root)), False)
        site = self._id(mujoco.mjtObj.mjOBJ_SITE, name)
        body = int(self._model.site_bodyid[site])
        on_table = self._names.on_table(region)
        return Part(site, body, int(self._model.body_rootid[body]), self._hinges([body]), on_table)

    def _hinges(self, bodies: Iterable[int]) -> tuple[int, ...]:
        """The hinges and slides of the bodies."""
        wanted = set(map(int, bodies))
        free = mujoco.mjtJoint.mjJNT_FREE
        return tuple(
            joint
            for joint in range(self._model.njnt)
            if int(self._model.jnt_bodyid[joint]) in wanted and self._model.jnt_type[joint] != free
        )

    def _id(self, kind: mujoco.mjtObj, name: str) -> int:
        found = mujoco.mj_name2id(self._model, kind, name)
        if found < 0:
            raise GaugeError(f"the scene has no {name!r}; it was built from another task")
        return int(found)

    def _bodies_under(self, prefix: str) -> list[int]:
        names = [mujoco.mj_id2name(self._model, mujoco.mjtObj.mjOBJ_BODY, body) for body in range(self._model.nbody)]
        return [body for body, name in enumerate(names) if name and name.startswith(prefix)]
