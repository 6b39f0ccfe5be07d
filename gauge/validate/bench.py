"""A scene on the bench: what it is like clean, and what a value makes of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from gauge.core.policy import CAMERAS
from gauge.core.seeds import seed as derive_seed
from gauge.perturbations import materials
from gauge.perturbations.base import Bound
from gauge.perturbations.roles import roles
from gauge.rollout.perturbed import ActivePerturbations
from gauge.rollout.plan import EpisodePlan
from gauge.sim.edits import SceneEdits
from gauge.validate.pixels import Frame, Mask
from gauge.validate.snapshot import Snapshot
from gauge.validate.view import Array, Looks, State
from gauge.vbddl.catalogue import libero
from gauge.vbddl.goal import Literal

if TYPE_CHECKING:
    from gauge.sim.scene import Scene

SIZE = (256, 256)
MORE_STEPS = 10  # after settling, before speeds are looked at
MASK_DIFFERENCE = 60.0  # between the target in red and in green, summed over the channels
KEPT_FIELDS = ("cam_pos", "cam_quat", "light_diffuse", "light_dir")


@dataclass(slots=True)
class Clean:
    """What the unperturbed scene is like at the start that all values of a job are compared at."""

    state: State
    looks: Looks
    snapshot: Snapshot
    fields: dict[str, Array]
    init: dict[Literal, bool]


@contextmanager
def perturbed(
    scene: "Scene", plan: EpisodePlan, bound: Sequence[Bound]
) -> Iterator[tuple[SceneEdits, ActivePerturbations]]:
    """The freshly started scene with these items, until the block ends.

    Raises:
        SceneError: the start cannot be.
    """
    edits, active = SceneEdits(scene), ActivePerturbations(bound, plan.seed, plan.horizon)
    try:
        scene.start(derive_seed(plan.seed, "start"), plan.rollout)
        active.advance(0, edits)
        yield edits, active
    finally:
        edits.undo()


def clean(scene: "Scene", plan: EpisodePlan) -> Clean:
    """The unperturbed scene."""
    with perturbed(scene, plan, ()) as (_, active):
        state = settled(scene, plan.settle_steps, None)
        looks = looked(scene, active, None, remask=True)
        fields = {name: np.array(getattr(scene.model, name)) for name in KEPT_FIELDS}
        return Clean(state, looks, Snapshot(scene.model), fields, init_truth(scene))


def settled(scene: "Scene", steps: int, clean: State | None) -> State:
    """Let the started scene settle; `scene` is then as the policy would first see it.

    Where that is what the `clean` one is, bit for bit, it is as fast later on.
    """
    start, before = scene.data.qpos.copy(), overlap(scene)
    for _ in range(steps):
        scene.step(scene.rest)
    mujoco.mj_forward(scene.model, scene.data)
    after, solved, bodies = scene.data.qpos.copy(), scene.success(), _bodies(scene)
    same = clean is not None and np.array_equal(after, clean.settled)
    speed = clean.speed if clean is not None and same else _speed_later(scene)
    return State(start, after, bodies, *max(before, overlap(scene)), speed, solved)


def _speed_later(scene: "Scene") -> float:
    """Residual speed some steps on; the scene is put back to where it was."""
    kept, command = (scene.data.qpos.copy(), scene.data.qvel.copy()), scene.data.time
    for _ in range(MORE_STEPS):
        scene.step(scene.rest)
    speed = scene.residual_speed()
    scene.data.qpos[:], scene.data.qvel[:], scene.data.time = *kept, command
    mujoco.mj_forward(scene.model, scene.data)
    return speed


def overlap(scene: "Scene") -> tuple[float, str]:
    """How deep (m) any two geoms overlap now, and the names of their bodies."""
    mujoco.mj_forward(scene.model, scene.data)
    contact, model = scene.data.contact, scene.model
    if not scene.data.ncon:
        return 0.0, ""
    worst = int(contact.dist.argmin())
    names = [model.body(int(body)).name for body in model.geom_bodyid[contact.geom[worst]]]
    return max(0.0, float(-contact.dist[worst])), " and ".join(names)


def looked(scene: "Scene", active: ActivePerturbations, drawn: dict[str, Frame] | None, remask: bool) -> Looks:
    """Both cameras, before and after the observation stage; the target's pixels where they can have changed.

    Frames that are `drawn` already are not drawn again.
    """
    if drawn is None:
        scene.look()
        drawn = {camera: scene.frame(camera, SIZE) for camera in CAMERAS}
    seen = {camera: active.image(frame) for camera, frame in drawn.items()}
    return Looks(drawn, seen, target_mask(scene) if remask else None)


def target_mask(scene: "Scene", other: str = "") -> Mask:
    """The pixels [H, W] of the first camera in which the target, or another thing, is seen.

    They are those that follow when it is painted.
    """
    name, frames = other or roles(scene.task.bddl_path).target, []
    for rgb in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        edits = SceneEdits(scene)
        try:
            materials.paint(edits, name, rgb)
            scene.look()
            frames.append(scene.frame(CAMERAS[0], SIZE).astype(np.int16))
        finally:
            edits.undo()
    return np.asarray(np.abs(frames[0] - frames[1]).sum(axis=2) > MASK_DIFFERENCE)


def init_truth(scene: "Scene") -> dict[Literal, bool]:
    """What the task file says of the start about things on or in other things, and whether it holds now."""
    goals = scene.goals
    task = goals.task
    table = libero().problems[task.problem].name
    on_table = {table, *(region.full_name for region in task.regions if region.target == table)}
    told = [one for one in task.init if isinstance(one, Literal) and one.predicate in ("On", "In")]
    return {one: goals.judge(one) for one in told if one.arguments[1] not in on_table}


def _bodies(scene: "Scene") -> dict[str, Array]:
    model, data = scene.model, scene.data
    poses = np.hstack([data.xpos, data.xquat])
    return {model.body(body).name: poses[body].copy() for body in range(model.nbody)}
