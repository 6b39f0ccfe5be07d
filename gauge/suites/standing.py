"""Which certificates hold of scenarios as they are now, and the tables of them in docs/certificates.md."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from gauge.core.seeds import seed
from gauge.errors import GaugeError
from gauge.suites import certificate
from gauge.suites.blind import blind
from gauge.suites.certificate import Certificate, Share
from gauge.suites.marks import head, rewritten, row
from gauge.suites.scenario import Scenario, solution_of

BEGIN = "<!-- tables: python -m gauge.suites table -->"
SUMS = ("suite", "scenarios", "certified", "without fault", "without vision", "without language", "at most")
ROWS = (
    *("group", "scenario", "starts", "expert", "steps", "own witness replayed", "sibling's", "both goals"),
    "verdict",
)


def standing(scenarios: Iterable[Scenario]) -> dict[str, Certificate]:
    """By scenario's id, the certificates that are of the present file, layout and goal.

    Raises:
        GaugeError: a table cannot be read.
    """
    found, stored = {}, dict[str, dict[str, Certificate]]()
    for one in scenarios:
        if one.folder not in stored:
            stored[one.folder] = certificate.read(Path(one.folder))
        known = stored[one.folder].get(one.name)
        if known is not None and known.file == one.bddl_sha256 and known.solution == solution_of(one):
            found[one.id] = known
    return found


def problems(scenarios: Sequence[Scenario]) -> Iterator[str]:
    """Scenarios that have no certificate, and those whose certificate says that they are not to be used."""
    known = standing(scenarios)
    if missing := [one.name for one in scenarios if one.id not in known]:
        some = ", ".join(missing[:3]) + ", ..." * (len(missing) > 3)
        yield f"{len(missing)} scenarios are not certified ({some}); type python -m gauge.certify suite=all"
    for name, one in known.items():
        yield from (f"{name}: {fault}" for fault in one.faults())


def sample(scenarios: Sequence[Scenario], n: int, root: int) -> list[Scenario]:
    """`n` scenarios without fault, no two with the same layout and goal, drawn from the seed `root`.

    A further certificate changes at most one of them.

    Raises:
        GaugeError: there are not so many.
    """
    known = standing(scenarios)
    good = {
        known[one.id].solution: one for one in reversed(scenarios) if one.id in known and not known[one.id].faults()
    }
    if not 0 < n <= len(good):
        raise GaugeError(f"{n} cannot be drawn: {len(good)} layouts and goals are certified and without fault")
    drawn = sorted(good, key=lambda solution: seed(root, "sample", solution))[:n]
    return sorted((good[solution] for solution in drawn), key=scenarios.index)


def rewrite(page: str, scenarios: Sequence[Scenario]) -> str:
    """The page with the tables of these scenarios between its two marks.

    Raises:
        GaugeError: it has no such marks.
    """
    known = standing(scenarios)
    return rewritten(page, BEGIN, [*_sums(scenarios, known), "", *_rows(scenarios, known)])


def _sums(scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> Iterator[str]:
    """How many scenarios of each suite are certified, and how many of those are to be used."""
    yield from head(SUMS)
    for (capability, split), part in groupby(scenarios, key=lambda one: (one.capability, one.split)):
        yield _sum(f"{capability}/{split}", list(part), known)
    yield _sum("all", scenarios, known)


def _sum(name: str, scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> str:
    certified = [known[one.id] for one in scenarios if one.id in known]
    numbers = (len(scenarios), len(certified), sum(not one.faults() for one in certified))
    found = blind(scenarios, known)
    rates = () if found is None else (found.without_vision, found.without_language, found.most)
    return row(name, *numbers, *([f"{rate:.2f}" for rate in rates] or [""] * 3))


def _rows(scenarios: Sequence[Scenario], known: Mapping[str, Certificate]) -> Iterator[str]:
    """One row for each layout and goal that is certified, under its first scenario's group and name."""
    first = {known[one.id].solution: one for one in reversed(scenarios) if one.id in known}
    yield from head(ROWS)
    for one in sorted(first.values(), key=lambda one: (one.about.group, one.name)):
        found, name = known[one.id], one.name.partition("_")[2]
        shares = map(_share, (found.replay, found.sibling, found.both))
        verdict = "dropped" if found.faults() else "kept"
        starts, steps = len(found.starts.hashes), f"{found.steps:.0f}"
        yield row(one.about.group, name, starts, _share(found.solved), steps, *shares, verdict)


def _share(share: Share) -> str:
    return f"{share.successes}/{share.n}"
