"""One layout in a worker process: its scenarios measured, solved, and attacked with blind replay."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from gauge.core.seeds import episode_seed
from gauge.perturbations.provenance import environment
from gauge.rollout.plan import EpisodePlan
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.scenario import Scenario, solution_of

if TYPE_CHECKING:
    from gauge.certify.compare import Difference
    from gauge.certify.solution import Solution
    from gauge.certify.solve import Tried
    from gauge.demos.crew import Stage

SETTLE_STEPS = 10


class Extent(NamedTuple):
    """How much is done: initial states, starts that the expert tries, starts in which a witness is replayed."""

    states: int
    tries: int
    replays: int
    horizon: int
    seed: int

    def within(self, known: Certificate) -> bool:
        """Whether a certificate was made with at least as much."""
        replays = min(self.replays, self.states - 1) if known.witness is not None else 0
        has = (len(known.starts.hashes), known.solved.n, known.replay.n)
        enough = all(have >= want for have, want in zip(has, (self.states, self.tries, replays), strict=True))
        return enough and self.judged_sibling(known)

    def judged_sibling(self, known: Certificate) -> bool:
        """Whether the sibling's goal was judged in as many tries, if there is a sibling."""
        return not known.sibling.n or known.both.n >= self.tries

    def own(self, solution: "Solution", done: int = 0) -> list[int]:
        """The starts in which a witness is played blindly, without its own; the first are done."""
        return [state for state in range(self.states) if state != solution.state][done : self.replays]

    def siblings(self, done: int = 0) -> range:
        """Those in which a sibling's witness is played."""
        return range(done, min(self.replays, self.states))


class Made(NamedTuple):
    """A certificate, whose file is still to be named, with its witness's actions."""

    certificate: Certificate
    solution: "Solution | None"


@dataclass(frozen=True, slots=True)
class Certification:
    """Scenarios in one layout, each with another goal; the next one is a scenario's sibling."""

    scenarios: tuple[Scenario, ...]
    extent: Extent

    def run(self, stage: "Stage") -> list[Made]:
        """A certificate for each of them."""
        firsts = [self._first(stage, index) for index in range(len(self.scenarios))]
        return [self._second(stage, index, firsts) for index in range(len(firsts))]

    def _first(self, stage: "Stage", index: int) -> "tuple[Starts, Tried, Share]":
        from gauge.certify import solve, starts

        task, extent = self.scenarios[index], self.extent
        scene = stage.scene(task)
        measured = starts.measure(scene, range(extent.states))
        found = solve.tried(scene, tries(self.scenarios, index, extent))
        if found.first is None:
            return measured, found, Share(0, 0)
        return measured, found, solve.replayed(scene, found.first, plans(task, extent.own(found.first), extent))

    def _second(self, stage: "Stage", index: int, firsts: "Sequence[tuple[Starts, Tried, Share]]") -> Made:
        from gauge.certify import solve
        from gauge.policies.expert import ExpertPolicy

        task, (measured, found, replay) = self.scenarios[index], firsts[index]
        solution, theirs = found.first, firsts[(index + 1) % len(firsts)][1].first if firsts[1:] else None
        sibling = Share(0, 0)
        if theirs is not None:
            sibling = solve.replayed(stage.scene(task), theirs, plans(task, self.extent.siblings(), self.extent))
        key = solution_of(task)
        witness = None
        if solution is not None:
            end = solution.end
            witness = Witness(solution.state, end.step, f"{key}.npz", end.hash, end.place)
        who = (ExpertPolicy().identity, environment())
        known = Certificate("", key, measured, found.solved, found.steps, witness, replay, sibling, *who, found.both)
        return Made(known, solution)


@dataclass(frozen=True, slots=True)
class Continuation:
    """Certified siblings that the expert tried often enough, but with too little else."""

    scenarios: tuple[Scenario, ...]
    known: tuple[Certificate, ...]
    solutions: "tuple[Solution | None, ...]"
    extent: Extent

    def run(self, stage: "Stage") -> list[Made]:
        """The certificates with what they lacked; their witnesses stay as they are."""
        return [Made(self._continued(stage, index), None) for index in range(len(self.scenarios))]

    def _continued(self, stage: "Stage", index: int) -> Certificate:
        from gauge.certify import solve, starts
        from gauge.policies.expert import ExpertPolicy

        task, known, extent = self.scenarios[index], self.known[index], self.extent
        scene, own, theirs = stage.scene(task), self.solutions[index], self.solutions[(index + 1) % len(self.solutions)]
        if missing := range(len(known.starts.hashes), extent.states):
            known = replace(known, starts=starts.continued(known.starts, starts.measure(scene, missing)))
        if own is not None:
            more = solve.replayed(scene, own, plans(task, extent.own(own, known.replay.n), extent))
            known = replace(known, replay=known.replay.plus(more))
        if theirs is not None and self.solutions[1:]:
            more = solve.replayed(scene, theirs, plans(task, extent.siblings(known.sibling.n), extent))
            known = replace(known, sibling=known.sibling.plus(more))
        if not extent.judged_sibling(known):
            as_often = extent._replace(tries=known.solved.n)
            again = solve.tried(scene, tries(self.scenarios, index, as_often), verify=False)
            known = replace(known, solved=again.solved, steps=again.steps, both=again.both)
            known = replace(known, expert=ExpertPolicy().identity, environment=environment())
        return known


@dataclass(frozen=True, slots=True)
class Check:
    """A certificate held against what comes out here: some of its starts, and its witness."""

    scenario: Scenario
    known: Certificate
    solution: "Solution | None"
    states: tuple[int, ...]
    extent: Extent

    def run(self, stage: "Stage") -> "list[Difference]":
        """What differs; empty if nothing does."""
        from gauge.certify import compare, solve, starts

        scene = stage.scene(self.scenario)
        found = [one for index in self.states for one in starts.compared(scene, self.known.starts, index)]
        if self.solution is not None and self.known.witness is not None:
            (plan,) = plans(self.scenario, [self.solution.state], self.extent)
            found += compare.end(self.known.witness, solve.play(scene, self.solution, plan))
        return found


def tries(siblings: Sequence[Scenario], index: int, extent: Extent) -> list[EpisodePlan]:
    """The expert's episodes in one of the siblings, in which the next one's goal is judged as well."""
    other = siblings[(index + 1) % len(siblings)] if siblings[1:] else None
    return [replace(plan, other=other) for plan in plans(siblings[index], range(extent.tries), extent)]


def plans(task: Scenario, states: Sequence[int], extent: Extent) -> list[EpisodePlan]:
    """Episodes from these initial states, as `gauge.run` has them."""
    return [
        EpisodePlan("", task, k, episode_seed(extent.seed, task.id, k), extent.horizon, SETTLE_STEPS) for k in states
    ]
