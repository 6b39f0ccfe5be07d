"""Every attribute in scenes of every kind: it applies, shows or moves something, and is undone to the bit."""

import hashlib

import numpy as np
import pytest
from perturbation_options import bound, shipped

from gauge.config.registry import ATTRIBUTES
from gauge.errors import SceneError
from gauge.perturbations.base import CompilePerturbation, StartPerturbation, changes
from gauge.perturbations.combine import applicable
from gauge.rollout.perturbed import ActivePerturbations
from gauge.suites import load

pytestmark = [pytest.mark.sim, pytest.mark.slow]
SCENES = [
    ("libero_spatial", 0),
    ("libero_object", 3),  # floor
    ("libero_goal", 2),
    ("libero_10", 4),  # living room
    ("libero_10", 5),  # study
    ("libero_10", 8),  # kitchen
]
OF_STAGE = {
    stage: [name for name in ATTRIBUTES if isinstance(shipped(name), stage)]
    for stage in (StartPerturbation, CompilePerturbation)
}


def everything(scene):
    """A hash over the model but for `site_rgba`, in which LIBERO itself blinks the marker of a burner."""
    digest = hashlib.sha256()
    for name in sorted(vars(type(scene.model))):
        field = getattr(scene.model, name, None)
        if isinstance(field, np.ndarray) and name[:1] != "_" and name != "site_rgba":
            digest.update(name.encode() + np.ascontiguousarray(field).tobytes())
    return digest.hexdigest()


def picture(scene):
    scene.look()
    return np.stack([scene.frame(camera, (96, 96)) for camera in ("agentview", "robot0_eye_in_hand")])


def begun(scene, *items):
    from gauge.sim.edits import SceneEdits

    scene.start(3, 1)
    edits, active = SceneEdits(scene), ActivePerturbations(items, episode_seed=3, horizon=30)
    active.advance(0, edits)
    return edits, active


def taken(scene, item):
    """Whether the target would stand in something there, which is an error of its own."""
    try:
        begun(scene, item)[0].undo()
    except SceneError:
        return True
    return False


@pytest.mark.parametrize(("suite", "index"), SCENES, ids=lambda part: str(part))
def test_start_attributes_apply_and_are_undone(screen, suite, index):
    from gauge.sim.scene import Scene

    task = load(suite).tasks[index]
    scene = Scene(task, screen)
    begun(scene)
    clean, model, start, applied = picture(scene), everything(scene), scene.start_hash(), 0
    for name in OF_STAGE[StartPerturbation]:
        for value in (shipped(name).levels[0], shipped(name).levels[-1]):
            item = bound(name, value)
            if applicable(task, [item]):
                continue
            if name == "target_object_position" and taken(scene, item):
                continue
            edits, active = begun(scene, item)
            assert active.proof()[0]["fields"], (name, value)
            assert np.abs(picture(scene).astype(int) - clean).max() > 0, (name, value)
            assert np.isfinite(scene.data.qpos).all()
            edits.undo()
            applied += 1
    begun(scene)
    assert np.array_equal(picture(scene), clean)
    assert everything(scene) == model
    assert scene.start_hash() == start
    assert applied >= 30
    scene.close()


@pytest.mark.parametrize(("suite", "index"), SCENES, ids=lambda part: str(part))
def test_compile_attributes_build_settle_and_leave_the_goal_open(screen, suite, index):
    from gauge.sim.scene import Scene

    task = load(suite).tasks[index]
    for name in OF_STAGE[CompilePerturbation]:
        item = bound(name, shipped(name).levels[-1])
        if applicable(task, [item]):
            continue
        scene = Scene(task, screen, changes=changes([item], task))
        _, active = begun(scene, item)
        for _ in range(10):
            scene.step(scene.rest)
        assert active.proof()[0]["fields"], name
        assert not scene.success(), name
        assert scene.residual_speed() < 0.2, name
        scene.close()
