"""What certificates add to the balance of a capability's halves: how well the target is seen, how long it takes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gauge.protocol.separability import compared
from gauge.suites.balance import COVARIATES, DIAGNOSED, MOST_D, Row, verdicts
from gauge.suites.generate import scenario_name
from gauge.suites.marks import head, rewritten, row
from gauge.suites.rules import groups
from gauge.suites.scenario import Scenario
from gauge.suites.standing import standing

BEGIN = "<!-- tables: python -m gauge.suites balance docs/scenarios.md -->"
MOST_RATIO = 1.1  # of the halves' mean steps
FREE = ("action_reasoning", "compositional")  # skill and number of subgoals decide what is moved, and how long it takes


@dataclass(frozen=True, slots=True)
class Measured(Row):
    """`pixels`, the fewest of the target in the agent view of 256 x 256, or `steps` of the expert, of one capability.

    In compositional steps are per subgoal.
    """

    @property
    def ratio(self) -> float:
        """How many times the larger mean is the smaller one."""
        return max(self.inside, self.outside) / min(self.inside, self.outside)

    @property
    def balanced(self) -> bool:
        """Whether the halves are as alike in it as they should be."""
        within = self.ratio <= MOST_RATIO if self.name == "steps" else abs(self.d) <= MOST_D
        return self.diagnosed or within


def rows(scenarios: Sequence[Scenario]) -> list[Measured]:
    """Of each capability whose scenarios are all certified, in order."""
    known, found = standing(scenarios), list[Measured]()
    subgoals = {
        scenario_name(group, part, member): member.subgoals
        for group in groups()
        for part in group.prefixes
        for member in group.members
    }
    for part in DIAGNOSED:
        own = [one for one in scenarios if one.about.capability == part]
        if own and all(one.id in known for one in own):
            outside = np.array([one.about.split == "ood" for one in own])
            pixels = np.array([known[one.id].starts.pixels for one in own], dtype=np.float64)
            parts = [subgoals[one.name] if part == "compositional" else 1 for one in own]
            steps = np.array([known[one.id].steps for one in own]) / parts
            found.append(Measured(part, "pixels", *compared(pixels[~outside], pixels[outside]), part in FREE))
            found.append(Measured(part, "steps", *compared(steps[~outside], steps[outside]), part in FREE))
    return found


def problems(found: Iterable[Measured]) -> Iterator[str]:
    """Halves that take the expert unequally long, or show targets unequally well, although they should not."""
    for one in found:
        means = f"{one.inside:.0f} {one.name} inside and {one.outside:.0f} outside"
        if one.name == "steps" and not one.balanced:
            yield f"{one.capability}: the expert takes {means}, {one.ratio:.2f} times as long"
        elif not one.balanced:
            yield f"{one.capability}: targets have {means}, {one.d:+.2f} deviations apart"


def rewrite(page: str, scenarios: Sequence[Scenario]) -> str:
    """The page with the table of what is balanced between its two marks.

    Raises:
        GaugeError: it has no such marks.
    """
    return rewritten(page, BEGIN, _table({(one.name, one.capability): one for one in rows(scenarios)}))


def _table(certified: Mapping[tuple[str, str], Measured]) -> Iterator[str]:
    """A column for each capability; what may differ has a star."""
    found = verdicts()
    yield from head(("inside / outside (d)", *(one.capability for one in found)))
    for index, covariate in enumerate(COVARIATES):
        yield row(covariate, *(_cell(one.rows[index], 3) for one in found))
    for quantity in ("pixels", "steps"):
        measured = [certified.get((quantity, one.capability)) for one in found]
        yield row(quantity, *("" if one is None else _cell(one, 0) for one in measured))
    yield row("area under the curve", *(f"{one.auc:.2f}" for one in found))


def _cell(one: Row, digits: int) -> str:
    return f"{one.inside:.{digits}f} / {one.outside:.{digits}f} ({one.d:+.2f}{'*' * one.diagnosed})"
