"""What the expert can be asked for: goals it cannot even begin with are named before it moves."""

from collections.abc import Sequence

import numpy as np

from gauge.policies.expert.world import World

MOVES = ("in", "on")
TURNS = ("turnon", "turnoff", "turnleft", "turnright")
ARTICULATED = ("open", "close", *TURNS)
UPRIGHT = "upright"
LOOSE = (*MOVES, UPRIGHT)
REACH_M = 1.1  # no farther do the fingers of a Panda get from its shoulder
State = tuple[str, ...]


def fault(world: World) -> str:
    """Why the goal is beyond this expert; empty if it may try."""
    return next((reason for reason in (_fault(world, state) for state in world.goal) if reason), "")


def _fault(world: World, state: State) -> str:
    if state[0] == "not":
        return _fault(world, state[1:])
    kind, names = state[0], state[1:]
    if kind not in LOOSE + ARTICULATED:
        return _unknown(kind)
    if len(names) != (2 if kind in MOVES else 1):
        return f"{kind} with {len(names)} names"
    missing = _missing(world, names)
    if missing:
        return f"{missing} is not in the scene"
    if kind in LOOSE and names[0] not in world.env.objects_dict:
        return f"no grasp of {names[0]}: it cannot be moved"
    if kind in ARTICULATED and not world.articulated(kind, names[0]):
        return f"{names[0]} has nothing to {kind}"
    return next((reason for reason in (_too_far(world, name) for name in names) if reason), "")


def _too_far(world: World, name: str) -> str:
    distance = float(np.linalg.norm(world.place_of(name) - world.data.xpos[world.shoulder]))
    return f"{name} is out of reach, {distance:.2f} m away" if distance > REACH_M else ""


def left_undone(world: World) -> str:
    """Why the goal does not hold although nothing is left that this expert could make true."""
    unknown = next((kind for kind in world.predicates() if kind not in LOOSE + ARTICULATED), "")
    return _unknown(unknown) if unknown else "the goal does not hold, and it knows nothing more to make true"


def _unknown(kind: str) -> str:
    return f"unknown predicate {kind!r}; it knows {', '.join((*MOVES, *ARTICULATED, UPRIGHT))}"


def _missing(world: World, names: Sequence[str]) -> str:
    """The first name that the scene does not have."""
    return next((name for name in names if not world.knows(name)), "")
