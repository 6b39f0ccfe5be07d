"""Perturbations that need another compiled scene: the target's size, and objects that were not there."""

from itertools import combinations

import numpy as np
import pytest
from perturbation_options import bound, shipped

from gauge.errors import GaugeError, NotApplicableError
from gauge.perturbations.base import changes
from gauge.perturbations.combine import applicable
from gauge.perturbations.distraction import kinds, strangers
from gauge.perturbations.places import lowest, origins
from gauge.perturbations.roles import roles
from gauge.rollout.perturbed import ActivePerturbations
from gauge.suites import load

TASK = load("libero_goal").tasks[8]
DRAWER = load("libero_goal").tasks[0]
BOWL, PLATE = "akita_black_bowl_1", "plate_1"


def built(screen, *items):
    from gauge.sim.scene import Scene

    return Scene(TASK, screen, changes=changes(items, TASK))


def begun(scene, *items, seed=1):
    """The scene started with its items; what they wrote is recorded in the returned perturbations."""
    from gauge.sim.edits import SceneEdits

    scene.start(seed, 0)
    active = ActivePerturbations(items, episode_seed=seed, horizon=30)
    active.advance(0, SceneEdits(scene))
    return active


def settled(scene):
    for _ in range(20):
        scene.step(scene.rest)


def touching(scene):
    """Pairs of bodies that touch, without the robot's."""
    names = [scene.model.body(int(b)).name for b in range(scene.model.nbody)]
    pairs = scene.model.geom_bodyid[scene.data.contact.geom[: scene.data.ncon]]
    found = {tuple(sorted((names[a], names[b]))) for a, b in pairs}
    return {pair for pair in found if not any(name.startswith(("robot", "gripper")) for name in pair)}


@pytest.mark.sim
@pytest.mark.parametrize("factor", [0.8, 1.2])
def test_a_scaled_target_has_that_size_its_own_mass_and_rests_on_the_table(bowl_scene, screen, factor):
    item = bound("target_object_scale", factor)
    scene = built(screen, item)
    clean, model = bowl_scene.model, scene.model
    body = clean.body(f"{BOWL}_main").id
    geoms = np.flatnonzero(clean.geom_bodyid == body)
    others = np.setdiff1d(np.arange(clean.ngeom), geoms)
    assert np.allclose(model.geom_aabb[geoms, 3:], factor * clean.geom_aabb[geoms, 3:], rtol=1e-4, atol=1e-7)
    assert np.array_equal(model.geom_size[others], clean.geom_size[others])
    assert model.body_mass == pytest.approx(clean.body_mass, rel=1e-4)
    assert model.body_inertia[body] == pytest.approx(factor**2 * clean.body_inertia[body], rel=1e-3)
    bowl_scene.start(1, 0)
    bottom = lowest(bowl_scene, body)
    active = begun(scene, item)
    assert lowest(scene, body) == pytest.approx(bottom, abs=1e-5)
    settled(scene)
    assert scene.residual_speed() < 0.01
    settled(bowl_scene)
    assert lowest(scene, body) == pytest.approx(lowest(bowl_scene, body), abs=0.001)
    assert active.proof()[0]["fields"]
    assert scene.hash != bowl_scene.hash
    scene.close()


@pytest.mark.sim
def test_distractors_stand_clear_of_everything_and_leave_the_task_as_it_was(bowl_scene, screen):
    item = bound("distractor_number", 4)
    scene = built(screen, item)
    added = [scene.model.joint(j).name for j in range(scene.model.njnt)][-4:]
    assert all(name.startswith("distractor_") for name in added)
    bowl_scene.start(1, 0)
    places = []
    for seed in (1, 1, 2):
        active = begun(scene, item, seed=seed)
        places.append(np.array([scene.data.joint(name).qpos[:2] for name in added]))
        assert not any("distractor" in name for pair in touching(scene) for name in pair)
        assert len(active.proof()[0]["fields"]) == 4
        where = [place[:2] for name, place in origins(scene).items() if name in scene.env.objects_dict]
        gaps = [np.linalg.norm(a - b) for a, b in combinations([*places[-1], *where], 2)]
        own = [np.linalg.norm(a - b) for a, b in combinations(where, 2)]
        assert sorted(gaps)[0] >= min(0.1, *own) - 1e-9
        if seed == 1:
            assert np.array_equal(scene.data.qpos[:-28], bowl_scene.data.qpos)
        settled(scene)
        on = {other for pair in touching(scene) for other in pair if any("distractor" in n for n in pair)}
        assert {name for name in on if "distractor" not in name} == {"table"}
        assert scene.residual_speed() < 0.05
        assert not scene.success()
    assert np.array_equal(places[0], places[1])
    assert not np.array_equal(places[0], places[2])
    scene.close()


@pytest.mark.sim
@pytest.mark.parametrize("distance", [0.15, 0.3])
def test_distractors_stand_at_the_stated_distance(screen, distance):
    item = bound("distractor_distance", distance)
    scene = built(screen, item)
    for seed in (1, 2):
        begun(scene, item, seed=seed)
        target = origins(scene)[BOWL][:2]
        names = [scene.model.joint(j).name for j in range(scene.model.njnt)][-2:]
        found = [np.linalg.norm(scene.data.joint(name).qpos[:2] - target) for name in names]
        assert found == pytest.approx([distance] * 2)
    scene.close()


@pytest.mark.sim
def test_a_scene_that_was_compiled_without_it_says_so(bowl_scene):
    with pytest.raises(GaugeError, match="needs a scene that was compiled with it"):
        begun(bowl_scene, bound("target_object_scale", 1.2))


@pytest.mark.sim
def test_a_worker_rebuilds_the_scene_for_another_size_and_keeps_it_for_the_same(screen):
    from pathlib import Path

    from gauge.rollout.worker import Worker, WorkerSetup
    from gauge.sim import backend

    worker = Worker(backend.choose("auto", {"MUJOCO_GL": __import__("os").environ["MUJOCO_GL"]}), 8.0)
    worker._screen = screen
    setups = [WorkerSetup(dict, "", items, Path(), {}) for items in ((), (bound("target_object_scale", 1.2),))]
    scenes = [worker._scene_of(setups[k], TASK) for k in (0, 1, 1)]
    assert scenes[1] is scenes[2]
    assert scenes[0] is not scenes[1]
    assert len({scene.hash for scene in scenes}) == 2
    scenes[2].close()


TYPES = ["unrelated-small", "unrelated-large", "same-colour", "same-shape", "unseen-category"]


@pytest.mark.parametrize("value", TYPES)
def test_distractors_are_of_the_stated_class_and_never_what_the_instruction_means(value):
    chosen = shipped("distractor_type").chosen(roles(TASK.bddl_path), TASK.instruction, value)
    bowl, rows = kinds()["akita_black_bowl"], [kinds()[kind] for kind in chosen]
    assert len(chosen) == 2
    assert "akita_black_bowl" not in chosen
    assert not any("bowl" in kind or "plate" in kind for kind in chosen)
    if value.startswith("unrelated"):
        assert {row["size"] for row in rows} == {value.removeprefix("unrelated-")}
    if value == "same-colour":
        assert {row["color"] for row in rows} == {bowl["color"]}
    if value == "same-shape":
        assert {row["shape"] for row in rows} == {bowl["shape"]}


def test_unseen_categories_occur_in_no_task():
    from gauge.perturbations.distractor_type import seen_types

    chosen = shipped("distractor_type").chosen(roles(TASK.bddl_path), TASK.instruction, "unseen-category")
    assert not set(chosen) & seen_types()
    assert {"akita_black_bowl", "wooden_cabinet", "milk"} <= seen_types()


def test_more_distractors_add_to_fewer():
    lists = [shipped("distractor_number").chosen(roles(TASK.bddl_path), TASK.instruction, n) for n in (1, 2, 3, 4)]
    assert all(longer[: len(shorter)] == shorter for shorter, longer in combinations(lists, 2))
    assert len(set(lists[-1])) == 4


@pytest.mark.parametrize("suite", ["libero_spatial", "libero_object", "libero_goal", "libero_10", "libero_90"])
def test_every_task_of_libero_has_room_for_strangers_of_its_own(suite):
    for task in load(suite).tasks:
        found = strangers(roles(task.bddl_path), task.instruction)
        assert len(found) >= 6, task.id
        assert not set(found) & set(roles(task.bddl_path).types.values())


def test_a_fixed_target_is_not_scaled_and_nothing_is_near_it():
    assert "not scaled" in applicable(DRAWER, [bound("target_object_scale", 1.2)])
    assert "fixed in the scene" in applicable(DRAWER, [bound("distractor_distance", 0.2)])
    with pytest.raises(NotApplicableError, match="are not on record"):
        shipped("distractor_type").fit(roles(DRAWER.bddl_path), DRAWER.instruction, ("same-shape",))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("target_object_scale", 2.0, "out of bounds; allowed: 0.5 to 1.5"),
        ("distractor_number", 2.5, "takes whole numbers"),
        ("distractor_number", 7, "out of bounds"),
        ("distractor_type", "same-color", "unknown value 'same-color'; allowed: unrelated-small"),
        ("distractor_distance", 0.05, "out of bounds"),
    ],
)
def test_a_bad_value_is_one_sentence(name, value, words):
    with pytest.raises(GaugeError, match=words):
        shipped(name).validate(value)


@pytest.mark.parametrize("name", ["target_object_scale", "distractor_number", "distractor_type", "distractor_distance"])
def test_what_is_compiled_holds_for_whole_episodes(name):
    with pytest.raises(GaugeError, match="cannot change during an episode"):
        shipped(name).item(shipped(name).levels, "dynamic")
