"""Whether the halves of a capability differ in more than what they diagnose: balance and separability of covariates.

A policy that fails outside more often than inside has a weakness in the diagnosed variable only if the halves are alike
in everything else. What is compared is read from the rules: nothing is simulated.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

from gauge.objects.pool import builtin
from gauge.suites.checks import ROBOT_X, _spot
from gauge.suites.rules import Group, Member, groups
from gauge.vbddl.pool import pool_ids

Floats = NDArray[np.float64]

COVARIATES = {
    "movables": "things that can be moved",
    "distractors": "of them, those that the goal does not name",
    "base": "distance of the target from the robot's base, m",
    "destination": "distance of the target from where it goes, m",
    "gap": "between the edges of the target and of the next thing beside it, m",
    "subgoals": "what the goal wants to hold; what it wants to hold no longer follows from that",
    "words": "of the instruction",
}
# What the capability diagnoses, or what follows from that, may differ.
DIAGNOSED = {
    "visual_perception": ("words",),  # what is unseen is named by its colour or kind
    "semantic_grounding": ("words",),
    "common_sense": ("words",),
    "spatial_reasoning": ("words",),
    "action_reasoning": ("words", "destination", "subgoals"),  # a skill and what has to be done for it
    "compositional": ("words", "subgoals", "distractors"),
}
MOST_D = 0.30  # standardised difference of means
MOST_AUC = 0.65
RIDGE = 1.0  # of the logistic classifier, on standardised covariates


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
        Row(capability, name, *_compared(column[~outside], column[outside]), name in exempt)
        for name, column in zip(COVARIATES, table.T, strict=True)
    )
    used = [place for place, name in enumerate(COVARIATES) if name not in exempt]
    where = [member.group for _, member in scenarios]
    return Verdict(capability, rows, left_out_auc(_standard(table[:, used]), outside, where))


def covariates(group: Group, member: Member, capability: str) -> dict[str, float]:
    """Values of `COVARIATES`; NaN where the goal moves nothing."""
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
        "subgoals": sum(literal[0] != "not" for literal in member.goal),
        "words": len(member.texts[capability].split()),
    }


def left_out_auc(z: Floats, outside: NDArray[np.bool_], group: Sequence[str]) -> float:
    """Area under the curve of a logistic classifier [N, K] -> [N], each group judged by what the others taught."""
    names = np.array(group)
    scores = np.zeros(len(z))
    for name in dict.fromkeys(group):
        own = names == name
        scores[own] = _with_one(z[own]) @ _logistic(z[~own], outside[~own])
    ranks = rankdata(scores)[outside].sum()
    inside, out = int((~outside).sum()), int(outside.sum())
    return float((ranks - out * (out + 1) / 2) / (inside * out))


def _logistic(z: Floats, outside: NDArray[np.bool_]) -> Floats:
    """Weights [K + 1] of ridge regression, both halves counting the same; the last is the constant."""
    design, sign = _with_one(z), np.where(outside, 1.0, -1.0)
    weight = np.where(outside, 1.0 / outside.mean(), 1.0 / (~outside).mean()) / 2

    def loss(w: Floats) -> tuple[float, Floats]:
        margin = sign * (design @ w)
        slope = -weight * sign / (1 + np.exp(np.clip(margin, -500, 500)))
        penalty = RIDGE * np.append(w[:-1], 0.0)
        return float(weight @ np.logaddexp(0.0, -margin) + penalty @ w / 2), design.T @ slope + penalty

    found: Floats = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x
    return found


def _compared(inside: Floats, outside: Floats) -> tuple[float, float, float]:
    """Means and standardised difference, without undefined values."""
    one, other = inside[~np.isnan(inside)], outside[~np.isnan(outside)]
    if not (len(one) and len(other)):
        return (math.nan, math.nan, math.nan)
    pooled = math.sqrt((one.var() + other.var()) / 2)
    gap = float(other.mean() - one.mean())
    return float(one.mean()), float(other.mean()), 0.0 if gap == 0 else gap / pooled if pooled else math.inf


def _standard(table: Floats) -> Floats:
    """Columns with mean 0 and spread 1; what is undefined is the mean."""
    mean = np.nanmean(table, axis=0)
    filled = np.where(np.isnan(table), mean, table)
    found: Floats = (filled - mean) / np.maximum(filled.std(axis=0), 1e-9)
    return found


def _with_one(z: Floats) -> Floats:
    return np.hstack([z, np.ones((len(z), 1))])


def _at(group: Group, name: str) -> tuple[float, float]:
    """Where a thing, a part of it or a place on the table is, m in the table's frame."""
    return group.zones[name][:2] if name in group.zones else _spot(group, name)  # type: ignore[return-value]


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
    kind = name.partition(".")[0]
    x, y, _ = builtin()[pool_ids().get(kind, f"libero/{kind}")].size_mm
    return x / 2000, y / 2000
