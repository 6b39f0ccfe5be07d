"""Measure one value in one scene: everything the three criteria ask for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gauge.core.policy import CAMERAS
from gauge.perturbations.base import Bound, CompilePerturbation
from gauge.perturbations.roles import roles
from gauge.rollout.perturbed import ActivePerturbations
from gauge.rollout.plan import EpisodePlan
from gauge.validate import pixels, relations, scope
from gauge.validate.amounts import measure
from gauge.validate.bench import Clean, init_truth, looked, perturbed, settled
from gauge.validate.finding import Finding
from gauge.validate.pixels import Frame, Mask
from gauge.validate.view import Looks, State, View

if TYPE_CHECKING:
    from gauge.sim.edits import SceneEdits
    from gauge.sim.scene import Scene

DRAWS = 16  # episodes over which the target's share in view is averaged: what hides it is drawn anew for each
MOVES_M = 0.001  # what a thing may be moved by the settling of another
WATCHED = ("goal_state", "language_instruction", "objects", "fixtures", "obj_of_interest")


@dataclass(frozen=True, slots=True)
class Probe:
    """A clean scene and how it was started; `measure` says what a value makes of it."""

    scene: "Scene"
    clean: Clean
    plan: EpisodePlan

    def measure(self, scene: "Scene", bound: Bound) -> Finding:
        """What was found in `scene`, which is the clean one itself unless the value is built in.

        Raises:
            SceneError: the start cannot be with this value.
        """
        attribute = bound.item.attribute
        with perturbed(scene, self.plan, [bound]) as (edits, active):
            state = settled(scene, self.plan.settle_steps, self.clean.state)
            view = View(bound, self.plan.seed, edits, self.scene, self.clean.state, state, self.clean.fields)
            changed = self.clean.snapshot.changed(scene.model) if scene is self.scene else {}
            geometric = attribute.startswith("camera_") or not self._same_physics(state)
            untouched = scene is self.scene and not changed and not geometric  # then so are the frames, bit for bit
            looks = looked(scene, active, self.clean.looks.drawn if untouched else None, remask=geometric)
            found = Finding(
                amount=measure(view),
                intruded=tuple(self._intruded(bound, edits, state, looks, active, changed)),
                left=(),
                **self._pixels(bound, looks),
                overlap_mm=1000 * state.overlap_m,
                overlapping=state.overlapping,
                clean_overlap_mm=1000 * self.clean.state.overlap_m,
                speed=state.speed,
                clean_speed=self.clean.state.speed,
                solved_already=state.solved,
                task_differs=tuple(self._task_differs(scene)),
                relations=tuple(self._relations(scene, state)),
                same_physics=self._same_physics(state) and bound.perturbation.stage != "action",
            )
        if scene is not self.scene:
            return found
        return replace(found, left=tuple(self.clean.snapshot.changed(scene.model, large=changed)))

    def _same_physics(self, state: State) -> bool:
        """Whether start and settled positions are those of the clean scene, bit for bit."""
        clean = self.clean.state
        return np.array_equal(state.start, clean.start) and np.array_equal(state.settled, clean.settled)

    def _intruded(
        self,
        bound: Bound,
        edits: "SceneEdits",
        state: State,
        looks: Looks,
        active: ActivePerturbations,
        changed: dict[str, scope.Rows],
    ) -> Iterator[str]:
        """What changed outside the attribute's own scope, in model, positions, frames and actions."""
        scene, attribute, stage = edits.scene, bound.item.attribute, bound.perturbation.stage
        if isinstance(bound.perturbation, CompilePerturbation):
            yield from scope.others_differ(self.scene, scene)
        else:
            yield from scope.beyond(changed, scope.model_rows(attribute, edits))
        allowed = scope.positions(attribute, self.scene)
        moved = np.flatnonzero(state.start[: len(self.clean.state.start)] != self.clean.state.start)
        if len(np.setdiff1d(moved, allowed)):
            yield "positions at the start"
        yield from self._pushed(attribute, state)
        if stage != "observation" and any(looks.seen[camera] is not looks.drawn[camera] for camera in CAMERAS):
            yield "seen frames"
        if stage != "action" and not np.array_equal(active.action(np.full(7, 0.5)), np.full(7, 0.5)):
            yield "actions"

    def _pushed(self, attribute: str, state: State) -> Iterator[str]:
        """Objects other than the target that rest elsewhere."""
        own = roles(self.scene.task.bddl_path)
        exempt = {own.target} if len(scope.positions(attribute, self.scene)) else set()
        for name in own.types:
            body = f"{name}_main"
            if name not in exempt and body in self.clean.state.bodies:
                shift = state.bodies[body][:3] - self.clean.state.bodies[body][:3]
                if np.abs(shift).max() > MOVES_M:
                    yield f"{name} rests {1000 * np.abs(shift).max():.1f} mm elsewhere"

    def _pixels(self, bound: Bound, looks: Looks) -> dict[str, Any]:
        """The numbers of a finding that come from frames."""
        before, after = self.clean.looks.seen, looks.seen
        changed = {camera: pixels.noticed(before[camera], after[camera]) for camera in CAMERAS}
        outside, clean_mask = CAMERAS[0], self.clean.looks.target
        assert clean_mask is not None
        mask = clean_mask if looks.target is None else looks.target
        seen, either = float(mask.sum()), mask | clean_mask
        if bound.perturbation.stage == "observation" and bound.item.attribute != "noise":
            shown = [self._shown(bound, clean_mask, self.plan.seed + k) for k in range(DRAWS)]
            mask, seen = shown[0], float(np.mean([one.sum() for one in shown]))
        return {
            "pixel_mean": max(pixels.mean_change(before[camera], after[camera]) for camera in CAMERAS),
            "pixel_share": max(float(one.mean()) for one in changed.values()),
            "target_changed": float(changed[outside][either].mean()) if either.any() else 0.0,
            "likeness": pixels.ssim(before[outside], after[outside]),
            "luminance": pixels.luminance(after[outside]),
            "target_seen": seen / float(clean_mask.sum()) if clean_mask.any() else 1.0,
            "target_px": pixels.width(mask),
            "clean_px": pixels.width(clean_mask),
        }

    def _shown(self, bound: Bound, mask: Mask, seed: int) -> Mask:
        """The target's pixels that an observation perturbation lets through: those that tell white from black."""
        seen: list[Frame] = []
        for level in (0, 255):
            card = np.repeat((mask * np.uint8(level))[..., None], 3, axis=2)
            seen.append(ActivePerturbations([bound], seed, self.plan.horizon).image(card))
        return np.asarray((seen[1].astype(np.int16) - seen[0]).mean(axis=2) > 127)

    def _task_differs(self, scene: "Scene") -> Iterator[str]:
        mine, theirs = self.scene.env.parsed_problem, scene.env.parsed_problem
        yield from (key for key in WATCHED if mine.get(key) != theirs.get(key))

    def _relations(self, scene: "Scene", state: State) -> list[str]:
        """Relation words of the instruction, and statements of the start, that are no longer true."""
        own, task = roles(self.scene.task.bddl_path), self.scene.task
        clean, now = (
            {name: one.bodies[f"{name}_main"][:3] for name in own.types if f"{name}_main" in one.bodies}
            for one in (self.clean.state, state)
        )
        center = np.asarray(self.scene.env.workspace_offset, dtype=np.float64)
        words = relations.broken(task.instruction, own.target, own.types, clean, now, center) if own.movable else []
        return [*words, *relations.lost(self.clean.init, init_truth(scene))]
