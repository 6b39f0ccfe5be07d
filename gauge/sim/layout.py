"""Where a scenario's layout stands: moved as a whole and its things exchanged by a seed, high enough over the table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.core.seeds import seed as derive_seed
from gauge.suites.scenario import Scenario
from gauge.vbddl import swap
from gauge.vbddl.task import Region

# LIBERO puts a thing's lower face 10 mm over a table's top as it has it. In the living room the box that carries
# things reaches 27 mm over that top, so what is flat would start inside it.
RAISED_M = {"libero_living_room_tabletop_manipulation": 0.027}


class Layout:
    """The places of a scenario in its compiled scene, which `env` (a LIBERO environment) draws at each reset.

    Fixtures, things and the table's regions move together, so relations, gaps and goals stay what they are. What the
    file lets exchange its place goes to the place of another one, and its region with it; a fixture also turns as it
    is to stand there.
    """

    def __init__(self, env: Any, scenario: Scenario) -> None:
        task = vbddl.load(scenario.bddl_path)
        self._most, self._swap = np.array(task.shift), task.swap
        self._model = env.sim.model._model
        self._regions = swap.regions(task)
        sites = {one.full_name: self._model.site(one.full_name).id for one in self._regions.values()}
        self._sites = [(name, site, self._model.site_pos[site].copy()) for name, site in sites.items()]
        samplers = env.placement_initializer.samplers.values()
        self._samplers = [(one, _reference(env, one, RAISED_M.get(task.problem, 0.0))) for one in samplers]
        self._yaws = {one: one.rotation for one in samplers if _fixed(env, one)}
        self._offset: NDArray[np.float64] = np.zeros(2)
        self._taken: dict[str, Region] = {}  # by the full name of each region that moves

    def move(self, seed: int) -> None:
        """Have the next reset place everything at this seed's offset and in its order.

        The offset is uniform within the file's `:shift`; of each set of its `:swap`, all orders are equally likely.
        """
        generator = np.random.default_rng(derive_seed("shift", seed))
        self._offset = generator.uniform(-self._most, self._most)
        generator = np.random.default_rng(derive_seed("swap", seed))
        orders = [list(map(int, generator.permutation(len(groups)))) for groups in self._swap]
        taken = swap.exchanged(self._swap, orders)
        self._taken = {self._regions[name].full_name: self._regions[there] for name, there in taken.items()}
        for sampler, reference in self._samplers:
            (thing,) = sampler.mujoco_objects
            sampler.reference_pos = reference + np.append(self.offset(thing.name), 0.0)
            if sampler in self._yaws:
                sampler.rotation = tuple(np.add(self._yaws[sampler], self._turn(thing.name)))
        for name, site, place in self._sites:
            self._model.site_pos[site] = place + np.append(self.offset(name), 0.0)

    def offset(self, name: str) -> NDArray[np.float64]:
        """How far (2, m) the thing or region of the table is from where the file has it, its jitter apart."""
        region = self._regions.get(name)
        if region is None:
            return self._offset
        taken = self._taken.get(region.full_name, region)
        return self._offset + np.subtract(swap.middle(taken), swap.middle(region))

    def _turn(self, name: str) -> float:
        """By how much the fixture is turned, rad."""
        region = self._regions.get(name)
        return 0.0 if region is None else swap.turn(region, self._taken.get(region.full_name, region))


def _fixed(env: Any, sampler: Any) -> bool:
    """Whether it places a fixture."""
    return all(one.name in env.fixtures_dict for one in sampler.mujoco_objects)


def _reference(env: Any, sampler: Any, raised_m: float) -> NDArray[np.float64]:
    """Where the sampler's region is measured from (3, m) in the world; only what moves freely has to come to rest."""
    reference: NDArray[np.float64] = np.array(sampler.reference_pos, dtype=np.float64)
    reference[2] += 0.0 if _fixed(env, sampler) else raised_m
    return reference
