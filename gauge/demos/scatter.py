"""`scatter_cm`: every object that stands on the table starts elsewhere, so that a learner has to look where it is.

LIBERO's official states move an object by a centimetre or two; an arm that replays one path reaches it all the same.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gauge import vbddl
from gauge.core.items import Item, Value
from gauge.core.seeds import seed as derive_seed
from gauge.errors import GaugeError, SceneError
from gauge.perturbations.base import Bound, StartPerturbation
from gauge.vbddl import Literal
from gauge.vbddl.names import Names
from gauge.vbddl.pool import catalogue_for

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits

ATTRIBUTE = "scatter"
FURTHEST_CM = 20.0
TRIES = 20  # places drawn for one object; if it fits nowhere, it stays


@dataclass(frozen=True)
class Scatter(StartPerturbation):
    """How demonstrations are collected, no attribute of the perturbation space. A value is `radius@seed`."""

    def validate(self, value: object) -> Value:
        """Radius in centimetres and the seed of the places."""
        radius, _, seed = str(value).partition("@")
        try:
            found = float(radius)
        except ValueError:
            found = 0.0
        if not (0.0 < found <= FURTHEST_CM and seed.isdecimal()):
            raise GaugeError(f"scatter_cm={radius} is out of bounds: more than 0 and at most {FURTHEST_CM:g} cm")
        return f"{found:g}@{int(seed)}"

    def edit(self, edits: "SceneEdits", value: Value) -> None:
        """Move every loose object to a place drawn evenly within the radius, where it overlaps nothing."""
        radius, _, seed = str(value).partition("@")
        for name in loose(edits.scene.task.bddl_path):
            rng = np.random.default_rng(derive_seed("scatter", int(seed), name))
            joint = edits.scene.env.get_object(name).joints[-1]
            pose = edits.scene.data.joint(joint).qpos.copy()
            for _ in range(TRIES):
                angle, length = rng.uniform(0.0, 2 * np.pi), float(radius) / 100.0 * np.sqrt(rng.uniform())
                moved = pose.copy()
                moved[:2] += length * np.array([np.cos(angle), np.sin(angle)])
                try:
                    edits.place(joint, moved)
                except SceneError:
                    continue
                break


def loose(bddl: Path) -> list[str]:
    """The objects of a task that stand on the table itself and carry nothing, sorted."""
    task = vbddl.load(bddl)
    names = Names(task, catalogue_for(task.types.values()))
    stands = [fact.arguments for fact in task.init if isinstance(fact, Literal) and fact.predicate in ("On", "In")]
    on_table = {name for name, where in stands if where in names.regions and names.on_table(names.regions[where])}
    bases = {where for _, where in stands} | {names.regions[w].target for _, w in stands if w in names.regions}
    return sorted(on_table & names.movable - bases)


def scattered(radius_cm: float, seed: int) -> Bound:
    """The item of one episode with its code.

    Raises:
        GaugeError: a radius that is not possible.
    """
    return _bound(f"{radius_cm:g}@{seed % 2**32}")


def stored_scatter(value: Value) -> Bound:
    """The item as a demonstration's origin holds it.

    Raises:
        GaugeError: it is damaged.
    """
    return _bound(str(value))


def _bound(value: str) -> Bound:
    code = Scatter("spatial", "layout", ATTRIBUTE, "cm@seed", "0@0", ())
    item = code.item((value,))
    assert item is not None
    return Bound(item, code)


def is_scatter(item: Item) -> bool:
    """Whether an item of a demonstration is one of these."""
    return item.attribute == ATTRIBUTE
