"""Where a scenario's layout stands: moved as a whole by an offset of its seed, and high enough over the table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.core.seeds import seed as derive_seed
from gauge.suites.scenario import Scenario
from gauge.vbddl.catalogue import libero

# LIBERO puts a thing's lower face 10 mm over a table's top as it has it. In the living room the box that carries
# things reaches 27 mm over that top, so what is flat would start inside it.
RAISED_M = {"libero_living_room_tabletop_manipulation": 0.027}


class Layout:
    """The places of a scenario in its compiled scene, which `env` (a LIBERO environment) draws at each reset.

    Fixtures, things and the table's regions move together, so relations, gaps and goals stay what they are.
    """

    def __init__(self, env: Any, scenario: Scenario) -> None:
        task = vbddl.load(scenario.bddl_path)
        self._most = np.array(task.shift)
        self._model = env.sim.model._model
        table = libero().problems[task.problem].name
        names = [region.full_name for region in task.regions if region.target == table]
        self._sites = [self._model.site(name).id for name in names]
        self._site_pos = self._model.site_pos[self._sites].copy()
        samplers = env.placement_initializer.samplers.values()
        self._samplers = [(one, _reference(env, one, RAISED_M.get(task.problem, 0.0))) for one in samplers]
        self.offset: NDArray[np.float64] = np.zeros(2)

    def move(self, seed: int) -> None:
        """Have the next reset place everything at this seed's offset: uniform within the file's `:shift`."""
        generator = np.random.default_rng(derive_seed("shift", seed))
        self.offset = generator.uniform(-self._most, self._most)
        moved = np.append(self.offset, 0.0)
        for sampler, reference in self._samplers:
            sampler.reference_pos = reference + moved
        self._model.site_pos[self._sites] = self._site_pos + moved


def _reference(env: Any, sampler: Any, raised_m: float) -> NDArray[np.float64]:
    """Where the sampler's region is measured from (3, m) in the world; only what moves freely has to come to rest."""
    fixed = all(one.name in env.fixtures_dict for one in sampler.mujoco_objects)
    reference: NDArray[np.float64] = np.array(sampler.reference_pos, dtype=np.float64)
    reference[2] += 0.0 if fixed else raised_m
    return reference
