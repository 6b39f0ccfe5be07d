"""One attribute in one scenario, in a worker process: every value measured, judged and certified."""

import gc
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from gauge.core.items import Value
from gauge.errors import GaugeError, NotApplicableError, SceneError
from gauge.perturbations.base import Bound, CompilePerturbation, Perturbation
from gauge.perturbations.certificate import Certificate
from gauge.perturbations.combine import applicable
from gauge.perturbations.provenance import code_of, environment, task_of
from gauge.rollout.plan import EpisodePlan
from gauge.validate import judge
from gauge.validate.finding import Finding

if TYPE_CHECKING:
    from gauge.demos.crew import Stage
    from gauge.sim.scene import Scene
    from gauge.validate.bench import Clean
    from gauge.validate.expert import Expert


class Prepared(NamedTuple):
    """What the values of a task are compared with, for these episodes."""

    plans: tuple[EpisodePlan, ...]
    clean: "Clean"
    expert: "Expert"


@dataclass(frozen=True, slots=True)
class SceneHash:
    """Which scene the task has here."""

    plan: EpisodePlan

    def run(self, stage: "Stage") -> str:
        """The hash of the compiled clean scene."""
        return stage.scene(self.plan.task).hash


@dataclass(frozen=True, slots=True)
class Validation:
    """Some values of an attribute in a scenario; `plans` are the episodes that the expert tries, in order."""

    perturbation: Perturbation
    values: tuple[Value, ...]
    plans: tuple[EpisodePlan, ...]

    def run(self, stage: "Stage") -> list[Certificate]:
        """A certificate for each value."""
        _, base, expert = prepared(stage.scene(self.plans[0].task), self.plans)
        return [self._certify(stage, base, value, expert) for value in self.values]

    def _asks_the_expert(self) -> bool:
        return self.perturbation.category in judge.SOLVED_BY_EXPERT

    def _certify(self, stage: "Stage", base: "Clean", value: Value, expert: "Expert") -> Certificate:
        task = self.plans[0].task
        item = self.perturbation.item((value,))
        if item is None:
            raise GaugeError(f"{self.perturbation.attribute}={value} is the default, so there is nothing to certify")
        bound = Bound(item, self.perturbation)
        empty = Certificate(
            task.id,
            self.perturbation.attribute,
            str(item.values[0]),
            "dropped",
            code=code_of(self.perturbation),
            task=task_of(task),
            scene=stage.scene(task).hash,
            environment=environment(),
        )
        if reason := applicable(task, [bound]):
            return replace(empty, criterion="applicability", reason=reason)
        try:
            found = self._measure(stage, base, bound, expert)
        except (SceneError, NotApplicableError) as fault:
            return replace(empty, criterion="feasibility", reason=str(fault))
        return _judged(empty, self.perturbation, found)

    def _measure(self, stage: "Stage", base: "Clean", bound: Bound, known: "Expert") -> Finding:
        from gauge.validate.probe import Probe

        task = self.plans[0].task
        scene = built = stage.scene(task)
        if isinstance(self.perturbation, CompilePerturbation):
            built = stage.scene(task, bound=[bound])
            gc.collect()  # the scene that it took the place of is a cycle that Python is in no hurry to free
        found = Probe(scene, base, self.plans[0]).measure(built, bound)
        if not self._asks_the_expert():
            return found
        result = known.clean if found.same_physics else known.solves(built, bound)
        return replace(found, expert=result, clean_expert=known.clean)


_prepared: "WeakKeyDictionary[Scene, Prepared]" = WeakKeyDictionary()  # of the scenes that this process holds


def prepared(scene: "Scene", plans: tuple[EpisodePlan, ...]) -> "Prepared":
    """The clean scene and how the expert solves it: the same for all attributes, and hundreds of megabytes."""
    from gauge.validate.bench import clean
    from gauge.validate.expert import Expert

    if scene not in _prepared or _prepared[scene].plans != plans:
        expert = Expert(plans)
        expert.begin(scene)
        _prepared[scene] = Prepared(plans, clean(scene, plans[0]), expert)
    return _prepared[scene]


def _judged(empty: Certificate, perturbation: Perturbation, found: Finding) -> Certificate:
    """The certificate of what was found."""
    shown = _with_numbers(empty, found)
    for criterion, reason in judge.reasons(perturbation.category, perturbation.attribute, found):
        return replace(shown, criterion=criterion, reason=reason)
    question = judge.open_question(perturbation.category, found)
    if question:
        return replace(shown, verdict="open", criterion="feasibility", reason=question)
    return replace(shown, verdict="kept")


def _with_numbers(empty: Certificate, found: Finding) -> Certificate:
    return replace(
        empty,
        stated=found.amount.stated,
        measured=found.amount.measured,
        pixel_mean=f"{found.pixel_mean:.2f}",
        pixel_share=f"{100 * found.pixel_share:.2f}",
        likeness=f"{found.likeness:.3f}",
        luminance=f"{found.luminance:.1f}",
        target_seen=f"{100 * found.target_seen:.0f}",
        target_px=str(found.target_px),
        overlap_mm=f"{found.overlap_mm:.2f}",
        speed=f"{found.speed:.3f}",
        expert="" if found.expert is None else f"{'clean ' * found.same_physics}{found.expert}",
    )
