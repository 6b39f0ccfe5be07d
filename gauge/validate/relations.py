"""Whether what an instruction says about where the target is still singles it out, after it was moved.

An instruction that calls the target "the middle bowl" or "the bowl between the plate and the ramekin" stays true as
long as the target keeps its qualitative relations: on which side of its likes it is (left, right, front, back), which
of them is nearest to what is named (next to, from, center), whether it lies between, and what it stands on or in.
"""

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gauge.vbddl.goal import Literal

Array = NDArray[np.float64]
ALONG_Y, ALONG_X = {"left", "right", "middle"}, {"front", "back", "rear", "behind", "middle"}
NEAR = {"next", "near", "beside", "from", "center"}
BETWEEN = {"between"}
APART_M = 0.01  # things that are level to the centimetre have no order
WITHIN = (0.1, 0.9)  # of the way between two things


def broken(
    instruction: str,
    target: str,
    types: Mapping[str, str],
    clean: Mapping[str, Array],
    now: Mapping[str, Array],
    center: Array,
) -> list[str]:
    """The relation words of the instruction that were true of the target in the clean scene and are no longer.

    Args:
        instruction: what the policy is told.
        target: name of the object to be handled.
        types: type of every object.
        clean: position (3, m) of every object without the value.
        now: the same with it.
        center: the middle of the workspace (3, m).
    """
    words = set(re.findall(r"[a-z]+", instruction.lower()))
    rivals = [name for name, kind in types.items() if kind == types[target] and name != target and name in now]
    named = [name for name in now if name != target and name not in rivals and _is_named(types[name], words)]
    found = []
    for telling, axis in ((words & ALONG_Y, 1), (words & ALONG_X, 0)):
        if telling and _order(target, rivals, clean, axis) != _order(target, rivals, now, axis):
            found += sorted(telling)
    marks = [*(clean[name] for name in named), *([center] if "center" in words else [])] if words & NEAR else []
    for mark in marks:
        if _nearest(target, rivals, clean, mark) and not _nearest(target, rivals, now, mark):
            found += sorted(words & NEAR)
    if words & BETWEEN and len(named) >= 2:
        pair = [clean[name] for name in named[:2]]
        if _between(clean[target], pair) and not _between(now[target], pair):
            found += sorted(words & BETWEEN)
    return list(dict.fromkeys(found))


def lost(before: Mapping[Literal, bool], now: Mapping[Literal, bool]) -> list[str]:
    """The statements of a task's start that held in the clean scene and no longer do."""
    return [f"{one.predicate} {' '.join(one.arguments)}" for one, held in before.items() if held and not now[one]]


def _is_named(kind: str, words: set[str]) -> bool:
    """Whether the instruction names a type: all words of it that are no colours, e.g. plate, cookie box."""
    return bool(set(kind.split("_")) & words)


def _order(target: str, rivals: list[str], where: Mapping[str, Array], axis: int) -> list[int]:
    """On which side of each of its likes the target is along an axis: -1, 0 or 1."""
    offsets = [where[target][axis] - where[name][axis] for name in rivals]
    return [0 if abs(offset) < APART_M else int(np.sign(offset)) for offset in offsets]


def _nearest(target: str, rivals: list[str], where: Mapping[str, Array], mark: Array) -> bool:
    """Whether the target is nearer to the mark than any of its likes."""
    distances = {name: float(np.linalg.norm((where[name] - mark)[:2])) for name in (target, *rivals)}
    return min(distances, key=distances.__getitem__) == target


def _between(point: Array, ends: list[Array]) -> bool:
    """Whether a point's foot on the line through two things lies between them."""
    line = (ends[1] - ends[0])[:2]
    share = float((point - ends[0])[:2] @ line / (line @ line))
    return WITHIN[0] < share < WITHIN[1]
