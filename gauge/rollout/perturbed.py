"""The perturbations of one episode: what was drawn when, and the proof that it arrived."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gauge.core.draws import draws
from gauge.core.items import Item, Value, resample_steps
from gauge.core.seeds import stream
from gauge.errors import GaugeError, SceneError
from gauge.perturbations.base import (
    ActionFilter,
    ActionPerturbation,
    Bound,
    CompilePerturbation,
    ImageFilter,
    ObservationPerturbation,
    Perturbation,
    StartPerturbation,
)
from gauge.sim.edits import SceneEdits


@dataclass(slots=True)
class Evidence:
    """What an item really changed, added up over the episode."""

    fields: dict[str, float] = field(default_factory=dict)
    samples: int = 0
    changed: int = 0
    mean_sum: float = 0.0
    largest: float = 0.0

    def add(self, difference: NDArray[np.float64]) -> None:
        """Count one action or frame by its absolute difference to the unperturbed one."""
        peak = float(difference.max())
        self.samples += 1
        self.changed += peak > 0.0
        self.mean_sum += float(difference.mean())
        self.largest = max(self.largest, peak)


@dataclass(slots=True)
class _Active:
    item: Item
    perturbation: Perturbation
    draws: tuple[Value, ...]
    rng: np.random.Generator
    evidence: Evidence
    value: Value
    act: ActionFilter | None = None
    show: ImageFilter | None = None


class ActivePerturbations:
    """Applies an episode's items. Draws depend on (item, scenario, rollout) alone, never on the model."""

    def __init__(self, bound: Sequence[Bound], episode_seed: int, horizon: int) -> None:
        self._schedule = resample_steps(horizon)
        self._active = [self._activate(item, perturbation, episode_seed) for item, perturbation in bound]
        self._policy_looks = True

    def _activate(self, item: Item, perturbation: Perturbation, seed: int) -> _Active:
        drawn = draws(item, seed)
        noise = stream(seed, "perturbation", str(item), "noise")
        active = _Active(item, perturbation, drawn, noise, Evidence(), drawn[0])
        if isinstance(perturbation, ActionPerturbation):
            active.act = perturbation.filter()
        elif isinstance(perturbation, ObservationPerturbation):
            active.show = perturbation.filter()
        return active

    @property
    def needs_probe(self) -> bool:
        """Whether a frame must be rendered to prove an image perturbation that the policy never looks at."""
        return any(active.show is not None for active in self._active)

    def advance(self, step: int, edits: SceneEdits) -> None:
        """Called before control step `step`: draw the values that are due and write scene edits."""
        for phase, due in enumerate(self._schedule):
            if step == due:
                self._enter(phase, edits)

    def _enter(self, phase: int, edits: SceneEdits) -> None:
        for active in self._active:
            if phase > 0 and active.item.mode == "static":
                continue
            active.value = active.draws[phase]
            if active.perturbation.stage in ("compile", "start"):
                before = edits.changes()
                self._write(active, edits)
                after = edits.changes()
                changed = {name: size for name, size in after.items() if before.get(name) != size}
                for name, size in changed.items():
                    active.evidence.fields[name] = max(size, active.evidence.fields.get(name, 0.0))

    def _write(self, active: _Active, edits: SceneEdits) -> None:
        if isinstance(active.perturbation, StartPerturbation):
            active.perturbation.edit(edits, active.value)
        elif isinstance(active.perturbation, CompilePerturbation) and not edits.looks_only:
            if not edits.scene.changes:
                raise GaugeError(f"{active.item.attribute} needs a scene that was compiled with it; this one was not")
            active.perturbation.settle(edits, active.value, active.rng)

    def action(self, action: NDArray[np.float64]) -> NDArray[np.float64]:
        """The executed action [7] for the policy's `action` [7]."""
        for active in self._active:
            if active.act is not None:
                changed = active.act(action, active.value, active.rng)
                active.evidence.add(np.abs(changed - action))
                action = changed
        return action

    def image(self, image: NDArray[np.uint8], seen: bool = True) -> NDArray[np.uint8]:
        """The frame that is shown, uint8 [H, W, 3], for the rendered one; `seen` is False for a probe."""
        self._policy_looks &= seen
        for active in self._active:
            if active.show is not None:
                changed = active.show(image, active.value, active.rng)
                active.evidence.add(np.abs(changed.astype(np.float64) - image))
                image = changed
        return image

    def proof(self) -> list[dict[str, Any]]:
        """Per item its drawn values and what changed by how much (field units, action units, grey levels).

        Raises:
            SceneError: an item changed nothing, so the episode says nothing about it. One that every action went
                through is no such item: that none got lost is one of the things that can happen to a lossy line.
        """
        rows = [self._row(active) for active in self._active]
        idle = [row["label"] for row in rows if not row["fields"] and not row["changed"] and not _passed(row)]
        if idle:
            raise SceneError(f"{', '.join(idle)} changed nothing in this episode; the result would not be about it")
        return rows

    def _row(self, active: _Active) -> dict[str, Any]:
        evidence = active.evidence
        return {
            "attribute": active.item.attribute,
            "label": active.item.label,
            "mode": active.item.mode,
            "values": list(active.draws),
            "stage": active.perturbation.stage,
            "fields": evidence.fields,
            "samples": evidence.samples,
            "changed": evidence.changed,
            "mean_change": evidence.mean_sum / evidence.samples if evidence.samples else 0.0,
            "largest_change": evidence.largest,
            "seen_by_policy": self._policy_looks or active.perturbation.stage != "observation",
        }


def _passed(row: dict[str, Any]) -> bool:
    """Whether it is an item that actions went through."""
    return bool(row["stage"] == "action" and row["samples"])
