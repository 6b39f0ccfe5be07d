"""Objects that start lying on their side, where LIBERO's samplers stand everything up."""

from collections.abc import Callable, Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.suites.scenario import Scenario
from gauge.vbddl.goal import Literal

ANYWHERE = (0.0, 2 * np.pi)
TOPPLED = np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])  # what pointed up points along x


def directions(scenario: Scenario) -> dict[str, tuple[float, float]]:
    """For each object that starts lying, where its upper end may point: lowest and highest yaw, rad.

    It is the yaw of its region; a region without one lets it point anywhere.
    """
    task = vbddl.load(scenario.bddl_path)
    facts = [fact for fact in task.init if isinstance(fact, Literal)]
    yaws = {region.full_name: region.yaw for region in task.regions}
    place = {fact.arguments[0]: fact.arguments[1] for fact in facts if fact.predicate == "On"}
    return {name: yaws[place[name]] or ANYWHERE for name in place if Literal("Lying", (name,)) in facts}


def sampler(stock: Any, lying: Mapping[str, tuple[float, float]]) -> Callable[..., Any]:
    """LIBERO's sampler class `stock` for regions of the table, laying down the objects named in `lying`."""

    class Lying(stock):  # type: ignore[misc]
        """The sampler whose objects are turned onto their side."""

        def _sample_quat(self) -> NDArray[np.float64]:
            """Orientation (wxyz): as LIBERO stands it, toppled, its upper end in the direction drawn."""
            standing = np.asarray(super()._sample_quat(), dtype=np.float64)
            half = np.random.uniform(*self.direction) / 2  # noqa: NPY002 (LIBERO seeds the global generator)
            toppled, turned = np.zeros(4), np.zeros(4)
            mujoco.mju_mulQuat(toppled, TOPPLED, standing)
            mujoco.mju_mulQuat(turned, np.array([np.cos(half), 0.0, 0.0, np.sin(half)]), toppled)
            return turned

    def make(name: str, *arguments: Any, **named: Any) -> Any:
        if name not in lying:
            return stock(name, *arguments, **named)
        made = Lying(name, *arguments, **named)
        made.direction = lying[name]
        return made

    return make
