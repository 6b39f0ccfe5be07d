"""`render`: both cameras' images of stored states, drawn after the physics, in parallel, and resumable."""

import os
from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.progress import track

from gauge.core.policy import CAMERAS
from gauge.core.seeds import seed as derive_seed
from gauge.demos.config import stored_items
from gauge.demos.crew import work
from gauge.demos.store import open_set
from gauge.errors import GaugeError, IncompleteError
from gauge.records.demo import Demo, Images
from gauge.records.demo_file import opened, read_demo, write_demos
from gauge.records.demo_shapes import STREAMS
from gauge.sim import backend
from gauge.suites import load

if TYPE_CHECKING:
    from gauge.demos.crew import Stage
    from gauge.rollout.perturbed import ActivePerturbations
    from gauge.sim.scene import Scene, Stepper


@dataclass(frozen=True, slots=True)
class Rendering:
    """Draw the images of one stored demonstration, side x side pixels, into its own file."""

    path: Path
    side: int

    def run(self, stage: "Stage") -> None:
        """Rewrite the file with images; it has none or all of them at any time."""
        demo = read_demo(self.path)
        scene = scene_of(stage, demo)
        write_demos(self.path, [replace(demo, images=frames(scene, demo, (self.side, self.side)))])


def scene_of(stage: "Stage", demo: Demo) -> "Scene":
    """The compiled scene that the demonstration was recorded in."""
    suite, _, name = demo.origin.scenario_id.partition("/")
    stepper: Stepper = "robosuite" if demo.origin.stepper == "robosuite" else "lean"
    return stage.scene(load(suite).select([name])[0], stepper, stored_items(demo.origin.items))


def render_set(folder: Path, side: int, workers: int, renderer: str, timeout_s: float) -> None:
    """Draw what is missing of a set's images.

    Raises:
        GaugeError: there is no set, or its scenes cannot be rebuilt here.
        IncompleteError: some demonstrations could not be rendered; the others are.
    """
    todo = [kept.path for kept in open_set(folder).kept() if not rendered(kept.path, side)]
    queue = deque(Rendering(path, side) for path in todo)
    lost = {}
    done = work(queue, workers, backend.choose(renderer, os.environ), timeout_s)
    for one in track(done, f"rendering {folder}", total=len(todo), disable=not todo):
        if one.lost:
            lost[one.job.path] = one.lost
    if lost:
        listed = ", ".join(f"{path.parent.name}/{path.name}: {why}" for path, why in lost.items())
        raise IncompleteError(f"{len(lost)} of {len(todo)} could not be rendered ({listed}); run the command again")


def rendered(path: Path, side: int) -> bool:
    """Whether every demonstration of the file has images of that size."""
    with opened(path) as file:
        groups = [group["obs"] for group in file["data"].values()]
        return all(
            stream in group and group[stream].shape[1:3] == (side, side)
            for group in groups
            for stream in STREAMS.values()
        )


def frames(scene: "Scene", demo: Demo, size: tuple[int, int]) -> dict[str, Images]:
    """What both cameras see before each action, upright, with the perturbations of the demonstration's own scene.

    Raises:
        GaugeError: the demonstration does not say how its scene was started, or it cannot be rebuilt here.
        SceneError: a perturbation changed nothing.
    """
    drawn: dict[str, list[Images]] = {camera: [] for camera in CAMERAS}
    for active in moments(scene, demo, range(len(demo))):
        for camera in CAMERAS:
            drawn[camera].append(active.image(scene.frame(camera, size)))
    return {camera: np.stack(images) for camera, images in drawn.items()}


def moments(scene: "Scene", demo: Demo, steps: Container[int]) -> "Iterator[ActivePerturbations]":
    """The scene as it was before each of these actions, one after the other, and what perturbs its images.

    Raises:
        GaugeError: the demonstration does not say how its scene was started, or it cannot be rebuilt here.
        SceneError: a perturbation changed nothing.
    """
    from gauge.rollout.perturbed import ActivePerturbations
    from gauge.sim.edits import SceneEdits

    origin = demo.origin
    if origin.seed is None or origin.rollout is None:
        raise GaugeError(f"{origin.scenario_id}: a file of others does not say how its scene was started")
    edits = SceneEdits(scene)
    active = ActivePerturbations(stored_items(origin.items), origin.seed, origin.horizon)
    try:
        scene.start(derive_seed(origin.seed, "start"), origin.rollout)
        active.advance(0, edits)
        _same_scene(scene, demo)
        for step, state in enumerate(demo.states):
            if step > 0:
                active.advance(step, edits)
            if step in steps:
                scene.set_state(state)
                scene.look()
                yield active
        active.proof()
    finally:
        edits.undo()


def _same_scene(scene: "Scene", demo: Demo) -> None:
    """The fixtures must stand where they stood."""
    for name, stored in demo.fixtures.items():
        here = getattr(scene.model, name)
        if here.shape != stored.shape or not np.allclose(here, stored, atol=1e-6):
            raise GaugeError(
                f"{demo.origin.scenario_id}: the scene cannot be rebuilt here, {name} differs (scene "
                f"{scene.hash} here, {demo.origin.scene_hash} recorded); use the recorded versions of LIBERO and MuJoCo"
            )
