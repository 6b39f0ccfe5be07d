"""Certify every wanted scenario that has no valid certificate yet, layout by layout, or check those that have one."""

import os
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from omegaconf import DictConfig

from gauge.bar import Bar
from gauge.certify.compare import Difference
from gauge.certify.config import check, extent, scenarios
from gauge.certify.job import Certification, Check, Continuation, Made
from gauge.certify.solution import Solution, read_actions, write_actions
from gauge.certify.todo import Job, checks, missing
from gauge.demos.crew import watched, work
from gauge.records.turn import turn
from gauge.sim import backend
from gauge.suites import certificate
from gauge.suites.certificate import TABLE, WITNESSES, Certificate
from gauge.suites.scenario import Scenario, solution_of
from gauge.suites.standing import standing


@dataclass(slots=True)
class Campaign:
    """What is wanted, and what is known of it so far.

    Attributes:
        scenarios: what is wanted.
        known: valid certificates by scenario's id.
        lost: per job that did not end well what happened.
        differences: per checked scenario what is not as its certificate says.
    """

    scenarios: tuple[Scenario, ...]
    known: dict[str, Certificate] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    differences: dict[str, list[Difference]] = field(default_factory=dict)

    def add(self, solution: str, found: Certificate, actions: Solution | None) -> None:
        """Store a certificate for every wanted scenario with this layout and goal; the actions first."""
        for folder, own in _by_folder(one for one in self.scenarios if solution_of(one) == solution).items():
            self.known |= {one.id: replace(found, file=one.bddl_sha256) for one in own}
            with turn(folder / TABLE):
                if actions is not None:
                    write_actions(folder / WITNESSES / f"{solution}.npz", actions)
                certificate.write(folder, certificate.read(folder) | {one.name: self.known[one.id] for one in own})


def run(cfg: DictConfig) -> Campaign:
    """Do it, and return what is known at the end; every certificate is on the disk as soon as its layout is done.

    Raises:
        GaugeError: the config or the set-up cannot work.
        IncompleteError: too many jobs in a row were lost; what was certified is stored.
    """
    check(cfg)
    found, wanted = Campaign(scenarios(cfg)), extent(cfg)
    if cfg.check:
        found.known = standing(found.scenarios)
        queue: deque[Job] = deque(checks(found.scenarios, found.known, cfg.check_states, wanted))
    else:
        _revise(found.scenarios)
        held = {} if cfg.fresh else standing(found.scenarios)
        found.known = {name: known for name, known in held.items() if wanted.within(known)}
        _share(found)
        queue = deque(missing(found.scenarios, held | found.known, wanted))
    renderer = backend.choose(cfg.renderer, os.environ)
    with Bar("check" if cfg.check else "certify", sum(len(_scenarios(one)) for one in queue), cfg.progress) as bar:
        done_so_far = 0
        for done in watched(
            work(queue, cfg.workers, renderer, cfg.timeout_s), found.lost, _name, cfg.stop_after_errors
        ):
            done_so_far += len(_scenarios(done.job))
            bar.update(done_so_far, "scenarios")
            if isinstance(done.job, Check):
                if not done.lost:
                    found.differences[done.job.scenario.id] = done.result
                for one in done.result or ():
                    bar.say(f"{done.job.scenario.id}: {one.what}")  # at once: a check of everything takes long
            elif not done.lost:
                _store(found, done.job, done.result)
    return found


def _share(found: Campaign) -> None:
    """Give a scenario without certificate the one that another wording of the same layout and goal has."""
    having = {found.known[one.id].solution: one for one in found.scenarios if one.id in found.known}
    lacking = {solution_of(one) for one in found.scenarios if one.id not in found.known}
    for solution in sorted(lacking & set(having)):
        one = having[solution]
        found.add(solution, found.known[one.id], read_actions(one, found.known[one.id]))


def _revise(scenarios: Iterable[Scenario]) -> None:
    """Drop the certificates of another layout or goal, and store those whose text alone has changed under the new hash.

    Until then the scenario cannot be built: its file is not the one that was certified.
    """
    for folder, own in _by_folder(scenarios).items():
        if not (folder / TABLE).is_file():
            continue
        with turn(folder / TABLE):
            stored = certificate.read(folder)
            kept = _current(stored, own)
            if kept != stored:
                certificate.write(folder, kept)
            for name in _actions_of(stored.values()) - _actions_of(kept.values()):
                (folder / WITNESSES / name).unlink(missing_ok=True)


def _current(stored: Mapping[str, Certificate], own: Iterable[Scenario]) -> dict[str, Certificate]:
    """The stored certificates without those of a scenario that has another layout or goal now."""
    found = dict(stored)
    for one in own:
        known = found.pop(one.name, None)
        if known is not None and known.solution == solution_of(one):
            found[one.name] = replace(known, file=one.bddl_sha256)
    return found


def _actions_of(found: Iterable[Certificate]) -> set[str]:
    """Files of their witnesses."""
    return {one.witness.actions for one in found if one.witness is not None}


def _by_folder(scenarios: Iterable[Scenario]) -> dict[Path, list[Scenario]]:
    folders: dict[Path, list[Scenario]] = {}
    for one in scenarios:
        folders.setdefault(Path(one.folder), []).append(one)
    return folders


def _store(found: Campaign, job: Certification | Continuation, made: list[Made]) -> None:
    for one, result in zip(_scenarios(job), made, strict=True):
        found.add(solution_of(one), result.certificate, result.solution)


def _scenarios(job: Job) -> tuple[Scenario, ...]:
    return (job.scenario,) if isinstance(job, Check) else job.scenarios


def _name(job: Job) -> str:
    return ", ".join(one.id for one in _scenarios(job))
