"""Coloured regions of the table as mats that are seen: LIBERO draws them inside the table."""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gauge import vbddl
from gauge.suites.scenario import Scenario
from gauge.vbddl.catalogue import libero

HALF_M = 0.0005  # of a mat's thickness
ABOVE_M = 1.0  # that the ray to the table starts over the region
DOWN = np.array([0.0, 0.0, -1.0])


def lay(env: Any, scenario: Scenario) -> None:
    """Put the regions of the table that have a visible colour onto its surface, each as a thin mat."""
    task = vbddl.load(scenario.bddl_path)
    table = libero().problems[task.problem].name
    model, data = env.sim.model._model, env.sim.data._data
    mujoco.mj_forward(model, data)
    for region in task.regions:
        if region.target == table and region.rgba and region.rgba[3] > 0:
            site = model.site(region.full_name).id
            middle = data.site_xpos[site]
            model.site_pos[site][2] += surface(model, data, middle) + HALF_M - middle[2]
            model.site_size[site][2] = HALF_M
    mujoco.mj_forward(model, data)


def surface(model: mujoco.MjModel, data: mujoco.MjData, point: NDArray[np.float64]) -> float:
    """Height (m) of what is fixed to the world under or over `point` [3], whatever moves above it."""
    start, hit = point + ABOVE_M * np.array([0.0, 0.0, 1.0]), np.zeros(1, dtype=np.int32)
    collide = np.array([1, 0, 0, 0, 0, 0], dtype=np.uint8)
    while True:
        distance = mujoco.mj_ray(model, data, start, DOWN, collide, 1, -1, hit)
        if hit[0] < 0 or model.body_weldid[model.geom_bodyid[hit[0]]] == 0:
            return float(start[2] - distance)
        start = start + (distance + 1e-4) * DOWN
