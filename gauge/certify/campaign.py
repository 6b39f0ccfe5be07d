"""Certify every wanted scenario that has no valid certificate yet, layout by layout, or check those that have one."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from omegaconf import DictConfig

from gauge.bar import Bar
from gauge.certify.compare import Difference
from gauge.certify.config import check, extent, scenarios
from gauge.certify.job import Certification, Check, Continuation, Extent, Made
from gauge.certify.solution import End, Solution
from gauge.demos.crew import watched, work
from gauge.errors import GaugeError
from gauge.perturbations.provenance import environment
from gauge.records.turn import turn
from gauge.sim import backend
from gauge.suites import certificate
from gauge.suites.certificate import TABLE, WITNESSES, Certificate
from gauge.suites.scenario import Scenario, solution_of
from gauge.suites.standing import standing

Job = Certification | Continuation | Check


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
                    _write_actions(folder / WITNESSES / f"{solution}.npz", actions)
                certificate.write(folder, certificate.read(folder) | {one.name: self.known[one.id] for one in own})


def run(cfg: DictConfig) -> Campaign:
    """Do it, and return what is known at the end; every certificate is on the disk as soon as its layout is done.

    Raises:
        GaugeError: the config or the set-up cannot work.
        IncompleteError: too many jobs in a row were lost; what was certified is stored.
    """
    check(cfg)
    found = Campaign(scenarios(cfg))
    if cfg.check:
        found.known = standing(found.scenarios)
    else:
        _revise(found.scenarios)
        if not cfg.fresh:
            _recall(found, extent(cfg))
    queue: deque[Job] = deque(_checks(cfg, found) if cfg.check else _missing(cfg, found))
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


def _recall(found: Campaign, wanted: Extent) -> None:
    """Take the certificates on the disk that hold and are of at least that extent."""
    found.known = {name: known for name, known in standing(found.scenarios).items() if wanted.within(known)}


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


def _missing(cfg: DictConfig, found: Campaign) -> Iterator[Certification | Continuation]:
    """A job for each layout with a scenario without certificate; scenarios with the same goal are done once.

    Where the expert has tried often enough already, only the missing starts and replays are done.
    """
    wanted = extent(cfg)
    layouts: dict[str, dict[str, Scenario]] = {}
    for one in found.scenarios:
        layouts.setdefault(one.layout, {}).setdefault(solution_of(one), one)
    certified = {solution_of(one) for one in found.scenarios if one.id in found.known}
    standing_ = {} if cfg.fresh else {known.solution: known for known in standing(found.scenarios).values()}
    for goals in layouts.values():
        scenarios = tuple(goals.values())
        known = tuple(standing_[goal] for goal in goals if goal in standing_)
        if set(goals) <= certified:
            continue
        if len(known) == len(goals) and all(_may_go_on(one, wanted) for one in known):
            yield Continuation(scenarios, known, tuple(map(actions_of, scenarios, known)), wanted)
        else:
            yield Certification(scenarios, wanted)


def _may_go_on(known: Certificate, wanted: Extent) -> bool:
    """Whether what a certificate lacks can be added to what it has."""
    return known.solved.n >= wanted.tries and known.environment == environment()


def _checks(cfg: DictConfig, found: Campaign) -> Iterator[Check]:
    """A job for each layout and goal that has a certificate, with its starts, or some spread over all of them.

    A start that siblings share is looked at once.
    """
    done, looked_at = set[str](), set[tuple[str, int, str]]()
    for one in found.scenarios:
        known = found.known.get(one.id)
        if known is not None and known.solution not in done:
            done.add(known.solution)
            hashes = known.starts.hashes
            spread = dict.fromkeys(np.linspace(0, len(hashes) - 1, cfg.check_states).round().astype(int).tolist())
            states = tuple(k for k in spread if (one.layout, k, hashes[k]) not in looked_at)
            looked_at |= {(one.layout, k, hashes[k]) for k in states}
            yield Check(one, known, actions_of(one, known), states, extent(cfg))


def _store(found: Campaign, job: Certification | Continuation, made: list[Made]) -> None:
    for one, result in zip(_scenarios(job), made, strict=True):
        found.add(solution_of(one), result.certificate, result.solution)


def _scenarios(job: Job) -> tuple[Scenario, ...]:
    return (job.scenario,) if isinstance(job, Check) else job.scenarios


def _name(job: Job) -> str:
    return ", ".join(one.id for one in _scenarios(job))


def _write_actions(path: Path, solution: Solution) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        np.savez_compressed(file, actions=solution.actions)
    temporary.replace(path)


def actions_of(one: Scenario, known: Certificate) -> Solution | None:
    """The witness's actions.

    Raises:
        GaugeError: their file is missing or damaged.
    """
    if known.witness is None:
        return None
    path = Path(one.folder) / WITNESSES / known.witness.actions
    try:
        with np.load(path, allow_pickle=False) as stored:
            end = End(known.witness.step, known.witness.end, known.witness.rest_m)
            return Solution(known.witness.state, stored["actions"], end)
    except (OSError, ValueError, KeyError) as error:
        raise GaugeError(f"{path} is no witness ({error}); type python -m gauge.certify fresh=true") from error
