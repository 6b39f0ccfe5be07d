"""Certify every wanted value in every wanted scenario that has no valid certificate yet."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from omegaconf import DictConfig

from gauge.core.items import Value
from gauge.core.seeds import episode_seed
from gauge.demos.crew import Done, watched, work
from gauge.perturbations import certificate
from gauge.perturbations.base import CompilePerturbation, Perturbation
from gauge.perturbations.certificate import Certificate, Key
from gauge.rollout.plan import EpisodePlan
from gauge.sim import backend
from gauge.suites import Task, horizon
from gauge.validate.config import check, perturbations, tasks
from gauge.validate.job import SceneHash, Validation
from gauge.validate.progress import Tally


@dataclass(slots=True)
class Campaign:
    """What is wanted, and what is known of it so far.

    Attributes:
        scenarios, attributes: what is wanted: all values of these in all of those.
        table: where certificates are kept.
        known: every certificate of the package and of the table.
        scenes: hash of the compiled scene of each task, as found here.
        lost: per job that did not end well what happened.
    """

    scenarios: tuple[Task, ...]
    attributes: list[Perturbation]
    table: Path
    known: dict[Key, Certificate]
    scenes: dict[str, str] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)

    def keys(self) -> list[Key]:
        """Everything that is wanted, in order."""
        return [
            Key(task.id, one.attribute, str(one.validate(value)))
            for task in self.scenarios
            for one in self.attributes
            for value in one.levels
        ]

    def missing(self, task: Task, one: Perturbation) -> tuple[Value, ...]:
        """The values without a certificate that still holds in this task's scene."""
        return tuple(value for value in one.levels if not self._valid(task, one, value))

    def _valid(self, task: Task, one: Perturbation, value: Value) -> bool:
        found = self.known.get(Key(task.id, one.attribute, str(one.validate(value))))
        return found is not None and found.holds(one, task) and found.scene == self.scenes.get(task.id)

    def add(self, found: Iterable[Certificate]) -> None:
        """Keep certificates, on the disk first."""
        found = list(found)
        certificate.append(self.table, found)
        self.known.update({one.key: one for one in found})

    def certified(self) -> list[Certificate]:
        """The wanted certificates that there are, in order."""
        return [self.known[key] for key in self.keys() if key in self.known]


def run(cfg: DictConfig) -> Campaign:
    """Do it, and return what is known at the end; every certificate is on the disk as soon as it is made.

    Raises:
        GaugeError: the config or the set-up cannot work.
        IncompleteError: too many jobs in a row were lost; what was certified is stored.
    """
    check(cfg)
    found = Campaign(tasks(cfg), perturbations(cfg), Path(cfg.table), {})
    if not cfg.fresh:
        found.known = {**certificate.read(certificate.packaged()), **certificate.read(found.table)}
    else:
        certificate.write(found.table, ())
    certificate.tidy(found.table)  # also ends a line that was cut short
    renderer = backend.choose(cfg.renderer, os.environ)
    ahead = deque(SceneHash(plans(cfg, task)[0]) for task in found.scenarios)
    queue: deque[SceneHash | Validation] = deque([ahead.popleft()])
    ended = work(queue, cfg.workers, renderer, cfg.timeout_s)
    with Tally(len(found.keys()), cfg.progress) as bar:
        for done in watched(ended, found.lost, name_of, cfg.stop_after_errors):
            if isinstance(done.job, SceneHash):  # one task after the other, so that each scene is compiled once
                queue.extend(_begin(cfg, found, done, bar))
                queue.extend([ahead.popleft()] if ahead else [])
            elif not done.lost:
                found.add(done.result)
                bar.add(done.result)
    certificate.tidy(found.table)
    return found


def _begin(cfg: DictConfig, found: Campaign, done: Done, bar: Tally) -> Iterator[Validation]:
    """The jobs of a task whose scene is known now; what is built in comes last, since it takes the scene's place."""
    if done.lost:
        return
    task = done.job.plan.task
    found.scenes[task.id] = done.result
    for one in sorted(found.attributes, key=lambda one: isinstance(one, CompilePerturbation)):
        values = found.missing(task, one)
        bar.skip(len(one.levels) - len(values))
        if values:
            yield Validation(one, values, plans(cfg, task))


def plans(cfg: DictConfig, task: Task) -> tuple[EpisodePlan, ...]:
    """The episodes that the expert may try: the first official initial states of the task, as `gauge.run` has them."""
    steps = horizon.of(task, cfg.suite.horizon)
    return tuple(
        EpisodePlan("", task, k, episode_seed(cfg.seed, task.id, k), steps, cfg.suite.settle_steps)
        for k in range(cfg.tries)
    )


def name_of(job: SceneHash | Validation) -> str:
    """What a job is about, for people."""
    if isinstance(job, SceneHash):
        return f"the scene of {job.plan.task.id}"
    return f"{job.perturbation.attribute} in {job.plans[0].task.id}"
