"""Fixtures that LIBERO packages without using them, made usable: joints with limits and friction, feet on the table."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.vbddl.catalogue import Limit, joints

SUNK_M = 0.04  # LIBERO's scenes put fixtures so much lower than their model says, and models make up for it
METHODS = {"open": "is_open", "close": "is_close"}


@dataclass(frozen=True, slots=True)
class Mend:
    """What a model lacks.

    Attributes:
        lowest_m: its lowest point in its own frame; models that say another one stand in the table. None: it is right.
        joint: attributes of its joint. Faucet, window and slide cabinet declare them in a default class that their
            joints do not name, so that they would turn and slide for ever; the basin faucet's own damping (10) asks
            for more force than the arm has.
    """

    lowest_m: float | None
    joint: Mapping[str, float]


MENDS: Mapping[str, Mend] = {
    "faucet": Mend(0.0, {"damping": 2.0, "armature": 0.001}),
    "basin_faucet": Mend(-0.067, {"damping": 1.0}),
    "window": Mend(-0.101, {"damping": 2.0, "armature": 0.001}),
    "slide_cabinet": Mend(-0.1, {"damping": 2.0, "frictionloss": 2.0, "armature": 0.01}),
    "short_fridge": Mend(None, {}),
}


@contextmanager
def usable() -> Iterator[None]:
    """Let LIBERO, which has to be imported, build these types so that they can be used; only within the block."""
    from libero.libero.envs.base_object import OBJECTS_DICT

    before = dict(OBJECTS_DICT)
    OBJECTS_DICT.update({name: partial(_made, name, before[name]) for name in MENDS})
    try:
        yield
    finally:
        OBJECTS_DICT.update({name: before[name] for name in MENDS})


def _made(kind: str, stock: Any, **arguments: Any) -> Any:
    """The fixture with what it lacks: `stock` is LIBERO's class, `arguments` are what LIBERO makes it with."""
    made = type(stock.__name__, (stock,), _members(kind))(**arguments)
    for predicate, rule in joints()[kind].items():
        made.object_properties["articulation"][f"default_{predicate}_ranges"] = list(rule["start"])
    for joint in made._obj.iter("joint"):
        if joint.get("type") != "free":
            joint.attrib.update({name: str(value) for name, value in MENDS[kind].joint.items()})
    for geom in made._obj.iter("geom"):
        if geom.get("conaffinity") == "1":  # the slide cabinet's would let the Panda's fingers through
            geom.set("contype", "1")
    return made


def _members(kind: str) -> dict[str, Any]:
    """What the class has beside LIBERO's: tests of its joint, and where it stands."""
    members: dict[str, Any] = {}
    for predicate, rule in joints()[kind].items():
        if predicate in METHODS:
            limit = Limit(rule["q"], rule["limit"])
            members[METHODS[predicate]] = staticmethod(limit.holds)
    lowest_m = MENDS[kind].lowest_m
    if lowest_m is not None:
        bottom: NDArray[np.float64] = np.array([0.0, 0.0, lowest_m - SUNK_M])
        members["bottom_offset"] = property(lambda self: bottom)
    return members
