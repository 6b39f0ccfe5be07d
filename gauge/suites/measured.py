"""What certificates add to the balance of a capability's halves: how well the target is seen, how long it takes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gauge.protocol.separability import compared
from gauge.suites import capability
from gauge.suites.balance import COVARIATES, DIAGNOSED, Row, verdicts
from gauge.suites.marks import head, rewritten, row
from gauge.suites.rules import groups
from gauge.suites.scenario import Scenario
from gauge.suites.standing import standing

BEGIN = "<!-- tables: python -m gauge.suites balance docs/scenarios.md -->"
MOST_RATIO = 1.1  # of the halves' mean steps, where neither skill nor number of subgoals is what is diagnosed
ANY_LENGTH = ("action_reasoning", "compositional")


@dataclass(frozen=True, slots=True)
class Measured:
    """One quantity of one capability.

    Attributes:
        capability: whose halves are compared.
        name: `pixels`, the fewest of the target in the agent view of 256 x 256, or `steps`, of the expert; in
            compositional per subgoal.
        inside, outside: means.
        d: their difference in pooled standard deviations.
        bounded: whether they have to be alike. Pixels have not: most of what is unseen is smaller.
    """

    capability: str
    name: str
    inside: float
    outside: float
    d: float
    bounded: bool

    @property
    def ratio(self) -> float:
        """How many times the larger mean is the smaller one."""
        return max(self.inside, self.outside) / min(self.inside, self.outside)


def rows() -> list[Measured]:
    """Of each capability whose scenarios are all certified, in order."""
    tasks = [one for one in capability.load("all", capability.ALL, None).tasks if isinstance(one, Scenario)]
    known, subgoals, found = standing(tasks), _subgoals(), list[Measured]()
    for name in DIAGNOSED:
        own = [one for one in tasks if one.about.capability == name]
        if all(one.id in known for one in own):
            outside = np.array([one.about.split == "ood" for one in own])
            pixels = np.array([known[one.id].starts.pixels for one in own], dtype=np.float64)
            parts = [subgoals[one.id] if name == "compositional" else 1 for one in own]
            steps = np.array([known[one.id].steps for one in own]) / parts
            found.append(Measured(name, "pixels", *compared(pixels[~outside], pixels[outside]), False))
            found.append(Measured(name, "steps", *compared(steps[~outside], steps[outside]), name not in ANY_LENGTH))
    return found


def problems() -> Iterator[str]:
    """Halves that take the expert unequally long although they should not."""
    for one in rows():
        if one.bounded and one.ratio > MOST_RATIO:
            means = f"{one.inside:.0f} steps inside and {one.outside:.0f} outside"
            yield f"{one.capability}: the expert takes {means}, {one.ratio:.2f} times as long"


def rewrite(page: str) -> str:
    """The page with the table of what is balanced between its two marks.

    Raises:
        GaugeError: it has no such marks.
    """
    return rewritten(page, BEGIN, _table())


def _table() -> Iterator[str]:
    """A column for each capability; what may differ, or is not held to a bound, has a star."""
    found = verdicts()
    certified = {(one.name, one.capability): one for one in rows()}
    yield from head(("inside / outside (d)", *(one.capability for one in found)))
    for index, name in enumerate(COVARIATES):
        yield row(name, *(_cell(one.rows[index], 3, one.rows[index].diagnosed) for one in found))
    for name in ("pixels", "steps"):
        measured = [certified.get((name, one.capability)) for one in found]
        yield row(name, *("" if one is None else _cell(one, 0, not one.bounded) for one in measured))
    yield row("area under the curve", *(f"{one.auc:.2f}" for one in found))


def _cell(one: Row | Measured, digits: int, free: bool) -> str:
    return f"{one.inside:.{digits}f} / {one.outside:.{digits}f} ({one.d:+.2f}{'*' * free})"


def _subgoals() -> dict[str, int]:
    """How many things each scenario's goal wants to hold, by id."""
    return {
        f"{name}/{prefix}_{member.name}": sum(literal[0] != "not" for literal in member.goal)
        for group in groups()
        for name, prefix in group.prefixes.items()
        for member in group.members
    }
