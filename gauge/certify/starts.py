"""The initial states of a scenario as they come out here: where the target is in each, and whether it is seen."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from gauge import vbddl
from gauge.certify import compare
from gauge.certify.compare import Difference
from gauge.perturbations.roles import roles
from gauge.suites.certificate import Starts
from gauge.suites.scenario import Scenario
from gauge.validate.bench import target_mask
from gauge.vbddl import swap

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gauge.sim.scene import Scene

SEED = 0  # a scenario's state does not depend on it
BASE = "robot0_base"


def measure(scene: "Scene", states: Iterable[int]) -> Starts:
    """These initial states of the scene's scenario.

    Raises:
        SceneError: one of them has no valid draw.
    """
    task = scene.task
    assert isinstance(task, Scenario)
    table = np.array(scene.env.workspace_offset[:2])
    seeds, hashes, places, reach, pixels = [], [], [], [], []
    for index in states:
        seeds.append(scene.start_seed(index))
        scene.start(SEED, index)
        hashes.append(scene.start_hash())
        where = target(scene)
        places.append(tuple(np.round(where[:2] - table, 4).tolist()))
        reach.append(float(np.linalg.norm(where[:2] - scene.data.body(BASE).xpos[:2])))
        pixels.append(int(target_mask(scene).sum()))
    return Starts(
        seeds=tuple(seeds),
        hashes=tuple(hashes),
        places=tuple(places),
        spread_mm=_rounded(1000 * np.std(places, axis=0)),
        region_mm=region_mm(task),
        reach_m=(round(min(reach), 3), round(max(reach), 3)),
        pixels=min(pixels),
    )


def continued(known: Starts, more: Starts) -> Starts:
    """The starts on record and those that follow them, as if they had been measured in one go."""
    places = known.places + more.places
    reach = known.reach_m + more.reach_m
    return Starts(
        seeds=known.seeds + more.seeds,
        hashes=known.hashes + more.hashes,
        places=places,
        spread_mm=_rounded(1000 * np.std(places, axis=0)),
        region_mm=more.region_mm,
        reach_m=(min(reach), max(reach)),
        pixels=min(known.pixels, more.pixels),
    )


def compared(scene: "Scene", known: Starts, index: int) -> Iterator[Difference]:
    """What is not as on record in a start."""
    scene.start(SEED, index)
    place = target(scene)[:2] - scene.env.workspace_offset[:2]
    yield from compare.start(known, index, scene.start_hash(), place.tolist())


def region_mm(task: Scenario) -> tuple[float, ...]:
    """Standard deviation (x, y) of a place drawn uniformly from where the target may start on the table.

    That is its region, moved by the layout's shift, and as often where it starts as where it may be exchanged to.
    """
    parsed, target = vbddl.load(task.bddl_path), roles(task.bddl_path).target
    regions = swap.regions(parsed)
    if target not in regions or len(regions[target].ranges) != 1:
        return ()
    low_x, low_y, high_x, high_y = regions[target].ranges[0]
    sizes = np.array([[high_x - low_x, high_y - low_y], 2 * np.array(parsed.shift)])
    middles = [swap.middle(regions[name]) for name in swap.alternatives(parsed.swap, target)]
    return _rounded(1000 * np.sqrt((sizes**2).sum(axis=0) / 12 + np.var(middles, axis=0)))


def target(scene: "Scene") -> "NDArray[np.float64]":
    """Where the target is in the world, [3]."""
    return np.array(scene.data.body(f"{roles(scene.task.bddl_path).target}_main").xpos)


def _rounded(numbers: "NDArray[np.float64]") -> tuple[float, float]:
    x, y = numbers
    return round(float(x), 2), round(float(y), 2)
