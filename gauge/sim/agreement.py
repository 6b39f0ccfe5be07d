"""Our verdicts beside LIBERO's own, literal by literal, so that a disagreement is seen and never averaged away."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gauge.sim.goals import Goals
from gauge.vbddl.goal import Literal

EXACT = 1e-3


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One literal in the present state: ours, LIBERO's, and whether LIBERO's rule is the right one here."""

    literal: Literal
    ours: bool
    theirs: bool
    rule_is_right: bool


def verdicts(goals: Goals, env: Any, wanted: Iterable[Literal] | None = None) -> list[Verdicts]:
    """Both verdicts on `wanted` (the goal's literals by default) in the present state of LIBERO's `env`."""
    found = []
    for literal in goals.literals if wanted is None else wanted:
        theirs = bool(env._eval_predicate([literal.predicate.lower(), *literal.arguments]))
        found.append(Verdicts(literal, goals.judge(literal), theirs, rule_is_right(literal, env)))
    return found


def rule_is_right(literal: Literal, env: Any) -> bool:
    """Whether LIBERO's rule is geometrically right for the literal in the present state.

    It is but for regions that are turned: In takes |R s| for the half-sizes of the turned box, which is right if
    every axis of the region lies along an axis of the world; On turns offsets by R instead of its transpose, which
    is right if both give the same offsets but for signs in the plane.
    """
    if literal.predicate not in ("On", "In") or literal.arguments[1] not in env.object_sites_dict:
        return True
    rotation = np.asarray(env.sim.data.get_site_xmat(literal.arguments[1]))
    if literal.predicate == "In":
        return bool(np.all(np.abs(rotation).max(axis=0) > 1 - EXACT))
    turned = rotation.T
    plane = [min(np.abs(turned[row] - sign * rotation[row]).max() for sign in (1, -1)) < EXACT for row in (0, 1)]
    return all(plane) and bool(np.abs(turned[2] - rotation[2]).max() < EXACT)
