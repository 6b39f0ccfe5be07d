"""Values measured in a real scene: honest ones are kept, and each kind of dishonest one is found out."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from perturbation_options import bound, shipped

from gauge.core.seeds import episode_seed
from gauge.perturbations.base import Bound
from gauge.perturbations.camera_distance import CameraDistance
from gauge.perturbations.image_shift import ImageShift
from gauge.perturbations.light_diffuse import LightDiffuse
from gauge.perturbations.target_object_position import TargetObjectPosition
from gauge.rollout.plan import EpisodePlan
from gauge.suites import load
from gauge.validate import judge

pytestmark = pytest.mark.sim
TASK = load("anchors").tasks[2]
PLAN = EpisodePlan("", TASK, 0, episode_seed(0, TASK.id, 0), 400, 10)


@pytest.fixture(scope="module")
def probe(screen):
    from gauge.sim.scene import Scene
    from gauge.validate.bench import clean
    from gauge.validate.probe import Probe

    scene = Scene(TASK, screen)
    yield Probe(scene, clean(scene, PLAN), PLAN)
    scene.close()


def reasons(one, found):
    return list(judge.reasons(one.perturbation.category, one.item.attribute, found))


def measured(probe, one):
    found = probe.measure(probe.scene, one)
    return found, reasons(one, found)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("camera_vertical", 15, "15"),
        ("light_direction", "90/30", "off by 0 degrees"),
        ("background_surface", "kona_gotham", "off by 0 grey levels"),
        ("target_object_color", "red", "off by 0 in RGB"),
        ("placed_object_texture", "ceramic", "off by 0 grey levels"),
        ("target_object_position", "y-3", "y-3.00"),
        ("robot_initial_state", 475, "0.5"),
        ("image_rotation", 24, "24"),
        ("execution_delay", 3, "3"),
    ],
)
def test_an_honest_value_fails_nothing_and_its_amount_is_found(probe, name, value, shown):
    found, against = measured(probe, bound(name, value))
    assert against == []
    assert found.amount.measured == shown
    assert found.amount.agrees
    assert found.intruded == found.left == ()


def test_looks_and_views_leave_physics_alone_and_poses_do_not(probe):
    assert measured(probe, bound("camera_distance", 1.5))[0].same_physics
    assert measured(probe, bound("light_shadow", "on"))[0].same_physics
    assert not measured(probe, bound("target_object_position", "y-3"))[0].same_physics


def test_a_highlight_that_nobody_notices_is_dropped_with_its_difference(probe):
    found, (first,) = measured(probe, bound("light_specular", 0.5))
    assert 0.1 < found.pixel_mean < 3.0
    assert first[0] == "effect"
    assert "too small to notice" in first[1]


def test_a_hand_that_opens_as_it_does_anyway_is_no_effect(probe):
    _, (first,) = measured(probe, bound("gripper_state", 1.0))
    assert first[0] == "effect"
    assert "instead of" in first[1]


def test_an_arm_that_starts_in_the_rack_is_not_feasible(probe):
    _, (first,) = measured(probe, bound("robot_initial_state", 425))
    assert first[0] == "feasibility"
    assert "wine_rack_1_main and gripper0_right_gripper overlap" in first[1]


@dataclass(frozen=True)
class TooFar(CameraDistance):
    """Does more than it says."""

    def moved(self, pose, pivot, value):
        return super().moved(pose, pivot, 1.05 * value)


@dataclass(frozen=True)
class AlsoLights(CameraDistance):
    """Does something else besides."""

    def edit(self, edits, value):
        super().edit(edits, value)
        edits.set("light_specular", edits.original("light_specular") * 0.5)


@dataclass(frozen=True)
class AlsoPushes(LightDiffuse):
    """Moves what only should look different."""

    def edit(self, edits, value):
        super().edit(edits, value)
        edits.scene.data.qpos[edits.scene.finger_qpos] *= 0.5


@dataclass(frozen=True)
class StaysBehind(LightDiffuse):
    """Writes past the edits, so that nothing takes it back."""

    def edit(self, edits, value):
        super().edit(edits, value)
        edits.scene.model.mat_shininess[0] += 0.25


@dataclass(frozen=True)
class ShiftsTwice(ImageShift):
    def image(self, image, value, rng):
        return super().image(image, 2 * float(value), rng)


@dataclass(frozen=True)
class Slips(TargetObjectPosition):
    """Starts two centimetres off the stated place."""

    def posed(self, pose, value):
        pose[0] -= 0.02
        return super().posed(pose, value)


def pretended(cls, name, value):
    honest = bound(name, value)
    settings = {key: getattr(honest.perturbation, key) for key in ("category", "factor", "attribute", "unit")}
    return Bound(honest.item, cls(**settings, default=honest.perturbation.default, levels=honest.perturbation.levels))


@pytest.mark.parametrize(
    ("cls", "name", "value", "criterion", "said"),
    [
        (TooFar, "camera_distance", 1.5, "effect", "stated 1.5, measured 1.575"),
        (AlsoLights, "camera_distance", 1.5, "effect", "also changed: light_specular"),
        (AlsoPushes, "light_diffuse", 0.2, "effect", "positions at the start"),
        (ShiftsTwice, "image_shift", 0.1, "effect", "stated 0.1, measured 0.1992"),
        (Slips, "target_object_position", "y-3", "effect", "stated y-3"),
    ],
)
def test_a_value_that_is_not_what_it_says_is_dropped(probe, cls, name, value, criterion, said):
    found, against = measured(probe, pretended(cls, name, value))
    assert against[0][0] == criterion
    assert any(said in why for _, why in against), against
    assert found.left == ()


def test_what_is_not_undone_is_seen(probe):
    own = probe.scene.model.mat_shininess.copy()
    found, against = measured(probe, pretended(StaysBehind, "light_diffuse", 0.2))
    probe.scene.model.mat_shininess[:] = own
    assert found.left == ("mat_shininess",)
    assert ("effect", "not undone: mat_shininess") in against


def test_a_target_that_is_hidden_is_counted_by_its_pixels(probe):
    mask = probe.clean.looks.target
    assert 300 < mask.sum() < 3000
    rows, columns = np.nonzero(mask)
    assert np.ptp(rows) < 60
    assert np.ptp(columns) < 60
    seen = [measured(probe, bound("image_occlusions", area))[0].target_seen for area in (0.05, 0.2, 0.4)]
    assert 1.0 > seen[0] > seen[1] > seen[2] > 0.0
    assert measured(probe, bound("image_shift", 0.2))[0].target_seen == pytest.approx(1.0)
    half, against = measured(probe, bound("image_shift", -0.5))
    assert half.amount.measured == "-0.5"
    assert half.target_seen == pytest.approx((mask[:, 128:].sum()) / mask.sum())
    assert bool(against) == (half.target_seen < 0.4)


def test_scaled_targets_are_measured_in_the_scene_that_was_built_with_them(probe, screen):
    from gauge.perturbations.base import changes
    from gauge.sim.scene import Scene

    one = bound("target_object_scale", 1.2)
    built = Scene(TASK, screen, changes=changes([one], TASK))
    found = probe.measure(built, one)
    assert found.amount.measured == "1.2"
    assert reasons(one, found) == []
    lying = replace(one.item, values=(1.1,))
    assert not probe.measure(built, Bound(lying, shipped("target_object_scale"))).amount.agrees
    built.close()


def test_the_expert_plays_its_clean_actions_where_a_delay_throws_it_off(probe):
    from gauge.validate.expert import Expert

    expert = Expert([PLAN])
    expert.begin(probe.scene)
    assert expert.clean.solved
    assert str(expert.solves(probe.scene, bound("execution_delay", 5))) == "open loop 1/2"
    assert str(expert.solves(probe.scene, bound("action_noise", 0.1))) == "1/1"
