"""How episodes of a task start: from LIBERO's own states, or, for a scenario, from places drawn and settled here."""

from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge.core.seeds import seed as derive_seed
from gauge.errors import SceneError
from gauge.sim.goals import Goals
from gauge.suites.scenario import Scenario
from gauge.vbddl import Literal
from gauge.vbddl import load as load_task
from gauge.vbddl.names import Names
from gauge.vbddl.pool import catalogue_for

SETTLE_STEPS = 40  # of 50 ms
TRIES = 20  # places that are drawn for one state before the scenario is at fault
MAX_SPEED = 0.01  # of any joint after settling: m/s or rad/s
MAX_OVERLAP_M = 0.002
LEANS = np.cos(np.radians(10.0))  # of what stands on the table: beyond that it came to rest against something
TIPPED = np.cos(np.radians(30.0))  # of what stands on or in something: beyond that it fell over while it settled
SLACK_M = 0.01  # that an object may slide out of its region of the table while it settles
ROBOT = ("robot0", "gripper0", "mount0")
OPPOSITE = {"Close": "Open", "TurnOff": "TurnOn"}  # an untouched drawer is neither, so the other one has to be false


class Starting(Protocol):
    """What a start needs of a scene; `gauge.sim.scene.Scene` is one."""

    model: mujoco.MjModel
    data: mujoco.MjData
    rest: NDArray[np.float64]

    def draw(self, seed: int) -> None:
        """Place fixtures and objects from the seed, the arm at home, everything at rest."""

    def step(self, action: NDArray[np.float64]) -> None:
        """One control step."""

    def residual_speed(self) -> float:
        """Fastest joint that is not the robot's."""

    def success(self) -> bool:
        """Whether the goal holds."""

    @property
    def goals(self) -> Goals:
        """The judge of the scene's literals."""

    def state(self) -> NDArray[np.float64]:
        """Time, positions and velocities."""

    def origin(self, thing: str) -> NDArray[np.float64]:
        """Where the frame of the region that the thing starts in is, [2]."""


class DrawnStarts:
    """The initial states of a scenario: state `index` is a function of the scenario's layout and nothing else.

    Places are drawn, the scene settles, and the state is checked; if it is not valid, the next places are drawn, at
    most `TRIES` times. Siblings, whose layout is the same, start in the same states.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        task = load_task(scenario.bddl_path)
        self._facts = [fact for fact in task.init if isinstance(fact, Literal)]
        names = Names(task, catalogue_for(task.types.values()))
        self._movable = names.movable
        lying = {fact.arguments[0] for fact in self._facts if fact.predicate == "Lying"}
        kinds = {name: names.kind(name) for name in sorted(names.movable - lying)}
        self._up = {name: "xyz".index(kind.up) for name, kind in kinds.items() if kind is not None and kind.up}
        self._regions = {name: region for name, region in names.regions.items() if names.on_table(region)}
        starts = {fact.arguments[0]: fact.arguments[1] for fact in self._facts if fact.predicate == "On"}
        self._least = {name: LEANS if starts.get(name) in self._regions else TIPPED for name in self._up}
        self._found: dict[int, tuple[int, NDArray[np.float64]]] = {}

    def of(self, scene: Starting, index: int) -> tuple[int, NDArray[np.float64]]:
        """Seed that places the fixtures, and the settled state [1 + nq + nv], of the initial state `index`.

        Raises:
            SceneError: no valid state was found; the last reason is named.
        """
        if index not in self._found:
            self._found[index] = self._search(scene, index)
        return self._found[index]

    def _search(self, scene: Starting, index: int) -> tuple[int, NDArray[np.float64]]:
        reason = ""
        for attempt in range(TRIES):
            seed = derive_seed("initial state", self.scenario.layout, index, attempt)
            try:
                scene.draw(seed)
                for _ in range(SETTLE_STEPS):
                    scene.step(scene.rest)
            except SceneError as error:
                reason = str(error)
                continue
            reason = self.fault(scene)
            if not reason:
                return seed, scene.state()
        raise SceneError(f"{self.scenario.id}: initial state {index}: {TRIES} draws, none valid; the last: {reason}")

    def fault(self, scene: Starting) -> str:
        """Why the scene, as it is now, is no valid start; empty if it is one."""
        speed, (overlap, pair) = scene.residual_speed(), _overlap(scene)
        if not np.isfinite(scene.data.qpos).all() or not np.isfinite(scene.data.qvel).all():
            return "the physics diverged"
        if speed > MAX_SPEED:
            return f"after {SETTLE_STEPS} control steps something still moves with {speed:.3f} m/s or rad/s"
        if overlap > MAX_OVERLAP_M:
            return f"{pair} overlap by {overlap * 1000:.1f} mm"
        if fallen := [name for name in self._up if self._uprightness(scene, name) < self._least[name]]:
            return f"{', '.join(fallen)} fell over while settling, or leans on something"
        if scene.success():
            return "the goal holds already"
        broken = [str(fact) for fact in self._facts if not self._still(scene, fact)]
        return f"{', '.join(broken)} is no longer true after settling" if broken else ""

    def _uprightness(self, scene: Starting, name: str) -> float:
        """Cosine between the vertical and the upper end of a thing."""
        return float(scene.data.body(f"{name}_main").xmat.reshape(3, 3)[2, self._up[name]])

    def _still(self, scene: Starting, fact: Literal) -> bool:
        name = fact.arguments[0]
        if fact.predicate in OPPOSITE:
            return not scene.goals.judge(Literal(OPPOSITE[fact.predicate], fact.arguments))
        if fact.predicate not in ("On", "In"):
            return scene.goals.judge(fact)
        if name not in self._movable:
            return True  # a fixture stays where it was put
        region = self._regions.get(fact.arguments[1])
        if region is None:
            return scene.goals.judge(fact)
        x, y = scene.data.body(f"{name}_main").xpos[:2] - scene.origin(name)
        return any(
            low_x - SLACK_M <= x <= high_x + SLACK_M and low_y - SLACK_M <= y <= high_y + SLACK_M
            for low_x, low_y, high_x, high_y in region.ranges
        )


def _overlap(scene: Starting) -> tuple[float, str]:
    """The deepest overlap of two things in contact, m, and which they are; the robot's own parts do not count."""
    found = (0.0, "")
    for contact in scene.data.contact[: scene.data.ncon]:
        bodies = [scene.model.body(scene.model.geom_bodyid[geom]).name for geom in (contact.geom1, contact.geom2)]
        if not all(name.startswith(ROBOT) for name in bodies):
            found = max(found, (-float(contact.dist), " and ".join(sorted(bodies))))
    return found
