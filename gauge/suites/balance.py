"""Whether the halves of a capability differ in more than what they diagnose: balance and separability of covariates.

A policy that fails outside more often than inside has a weakness in the diagnosed variable only if the halves are alike
in everything else. What is compared is read from the rules: nothing is simulated.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gauge.protocol.separability import compared, left_out_auc, standard
from gauge.suites.arrangements import arrangements
from gauge.suites.checks import ROBOT_X, spot
from gauge.suites.grasps import entry, width
from gauge.suites.rules import Group, Member, groups

COVARIATES = {
    "movables": "things that can be moved",
    "distractors": "of them, those that the goal does not name",
    "base": "distance of the target from the robot's base, m",
    "destination": "distance of the target from where it goes, m",
    "gap": "between the edges of the target and of the next thing beside it, m",
    "width": "of the target between the gripper's fingers, m",
    "subgoals": "what the goal wants to hold; what it wants to hold no longer follows from that",
    "words": "of the instruction",
}
# What the capability diagnoses, or what follows from that, may differ.
DIAGNOSED = {
    "visual_perception": ("words",),  # what is unseen is named by its colour or kind
    "semantic_grounding": ("words",),
    "common_sense": ("words",),
    "spatial_reasoning": ("words", "width"),  # outside only bowls are moved, inside a few boxes as well
    "action_reasoning": ("words", "destination", "subgoals"),  # a skill and what has to be done for it
    "compositional": ("words", "subgoals", "distractors"),
}
MOST_D = 0.30  # standardised difference of means
MOST_AUC = 0.65


@dataclass(frozen=True, slots=True)
class Row:
    """One covariate of one capability.

    Attributes:
        capability, name: of `COVARIATES`.
        inside, outside: means.
        d: their difference in pooled standard deviations.
        diagnosed: whether they may differ.
    """

    capability: str
    name: str
    inside: float
    outside: float
    d: float
    diagnosed: bool

    @property
    def balanced(self) -> bool:
        """Whether the halves are as alike in it as they should be."""
        return self.diagnosed or abs(self.d) <= MOST_D


@dataclass(frozen=True, slots=True)
class Verdict:
    """All rows of a capability and how well its half can be told from what should be alike, 0.5 being not at all."""

    capability: str
    rows: tuple[Row, ...]
    auc: float


def verdicts() -> list[Verdict]:
    """Of all capabilities, in order."""
    return [verdict(name) for name in DIAGNOSED]


def problems() -> Iterator[str]:
    """What differs between the halves of a capability and should not, one sentence each."""
    for one in verdicts():
        for row in one.rows:
            if not row.balanced:
                means = f"{row.inside:.3f} inside and {row.outside:.3f} outside"
                yield f"{one.capability}: {row.name} ({COVARIATES[row.name]}) is {means}, {row.d:+.2f} deviations apart"
        if one.auc > MOST_AUC:
            yield f"{one.capability}: what should be alike tells the halves apart (area under the curve {one.auc:.2f})"


def verdict(capability: str) -> Verdict:
    """Compare the halves of a capability."""
    scenarios = [(group, member) for group in groups() if capability in group.prefixes for member in group.members]
    table = np.array([list(covariates(group, member, capability).values()) for group, member in scenarios])
    outside = np.array([group.split == "ood" for group, _ in scenarios])
    exempt = DIAGNOSED[capability]
    rows = tuple(
        Row(capability, name, *compared(column[~outside], column[outside]), name in exempt)
        for name, column in zip(COVARIATES, table.T, strict=True)
    )
    used = [place for place, name in enumerate(COVARIATES) if name not in exempt]
    where = [member.group for _, member in scenarios]
    return Verdict(capability, rows, left_out_auc(standard(table[:, used]), outside, where))


def covariates(group: Group, member: Member, capability: str) -> dict[str, float]:
    """Values of `COVARIATES`, means over the orders of what exchanges places; NaN where the goal moves nothing."""
    found = [_covariates(order, member, capability) for order in arrangements(group)]
    return {name: sum(one[name] for one in found) / len(found) for name in COVARIATES}


def _covariates(group: Group, member: Member, capability: str) -> dict[str, float]:
    words = {word for literal in member.goal for word in literal}
    named = words | {word.rpartition(".")[0] for word in words}
    target, *place = [word for word in member.goal[0] if word != "not"][1:]
    at = _at(group, target)
    return {
        "movables": len(group.objects),
        "distractors": sum(name not in named for name in group.objects),
        "base": math.dist(at, (ROBOT_X[group.arena], 0.0)),
        "destination": math.dist(at, _at(group, place[0])) if place else math.nan,
        "gap": _gap(group, target),
        "width": width(target) if target in group.objects else math.nan,
        "subgoals": member.subgoals,
        "words": len(member.texts[capability].split()),
    }


def _at(group: Group, name: str) -> tuple[float, float]:
    """Where a thing, a part of it or a place on the table is, m in the table's frame."""
    return group.zones[name][:2] if name in group.zones else spot(group, name)  # type: ignore[return-value]


def _gap(group: Group, target: str) -> float:
    """Between the target's box and the nearest other one that it neither stands on nor carries, m, seen from above."""
    if target not in group.objects:
        return math.nan
    found = [math.hypot(*_between(group, target, other)) for other in group.objects if other != target]
    return min((gap for gap in found if gap > 0), default=math.nan)


def _between(group: Group, one: str, other: str) -> list[float]:
    """Free space between two things along x and y, m; 0 where their boxes share a part of the axis."""
    centres = zip(_at(group, one), _at(group, other), _half(one), _half(other), strict=True)
    return [max(0.0, abs(a - b) - half - their) for a, b, half, their in centres]


def _half(name: str) -> tuple[float, float]:
    """Half the extent of a thing along x and y, m, standing as the pool measured it."""
    x, y, _ = entry(name).size_mm
    return x / 2000, y / 2000
