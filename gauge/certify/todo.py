"""What is left to certify, and what a check looks at, as jobs for the workers."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from gauge.certify.job import Certification, Check, Continuation, Extent
from gauge.certify.solution import read_actions
from gauge.perturbations.provenance import environment
from gauge.suites.certificate import Certificate
from gauge.suites.scenario import Scenario, solution_of

Job = Certification | Continuation | Check


def missing(
    scenarios: Iterable[Scenario], held: Mapping[str, Certificate], wanted: Extent
) -> Iterator[Certification | Continuation]:
    """A job for each layout with a goal that has no certificate of that extent; what differs in its text is one goal.

    Where the expert has tried often enough already, only the missing starts and replays are done.
    """
    layouts: dict[str, dict[str, Scenario]] = {}
    for one in scenarios:
        layouts.setdefault(one.layout, {}).setdefault(solution_of(one), one)
    by_goal = {known.solution: known for known in held.values()}
    for goals in layouts.values():
        siblings = tuple(goals.values())
        known = tuple(by_goal[goal] for goal in goals if goal in by_goal)
        if len(known) < len(goals) or not all(_may_go_on(one, wanted) for one in known):
            yield Certification(siblings, wanted)
        elif not all(wanted.within(one) for one in known):
            yield Continuation(siblings, known, tuple(map(read_actions, siblings, known)), wanted)


def _may_go_on(known: Certificate, wanted: Extent) -> bool:
    """Whether what a certificate lacks can be added to what it has."""
    return known.solved.n >= wanted.tries and (wanted.within(known) or known.environment == environment())


def checks(
    scenarios: Iterable[Scenario], known: Mapping[str, Certificate], states: int, wanted: Extent
) -> Iterator[Check]:
    """A job for each layout and goal that has a certificate, with its starts, or so many spread over all of them.

    A start that siblings share is looked at once.
    """
    done, looked_at = set[str](), set[tuple[str, int, str]]()
    for one in scenarios:
        found = known.get(one.id)
        if found is not None and found.solution not in done:
            done.add(found.solution)
            hashes = found.starts.hashes
            spread = dict.fromkeys(np.linspace(0, len(hashes) - 1, states).round().astype(int).tolist())
            chosen = tuple(k for k in spread if (one.layout, k, hashes[k]) not in looked_at)
            looked_at |= {(one.layout, k, hashes[k]) for k in chosen}
            yield Check(one, found, read_actions(one, found), chosen, wanted)
