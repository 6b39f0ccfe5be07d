"""What each start perturbation does to a real scene, and that nothing of it is left afterwards."""

import hashlib
from contextlib import contextmanager

import numpy as np
import pytest
from perturbation_options import bound, shipped
from scipy.spatial.transform import Rotation

from gauge.config.registry import ATTRIBUTES
from gauge.perturbations.base import StartPerturbation
from gauge.perturbations.robot_initial_state import configurations
from gauge.rollout.perturbed import ActivePerturbations

pytestmark = pytest.mark.sim
SIZE = (96, 96)
PIVOT = np.array([0.0, 0.0, 0.8])
START = [name for name in ATTRIBUTES if isinstance(shipped(name), StartPerturbation)]
POSITIONS = ("target_object_position", "target_object_orientation", "robot_initial_state", "gripper_state")


def started(scene):
    scene.start(1, 0)
    return scene


@contextmanager
def perturbed(scene, name, value):
    """The freshly started scene with one value, until the block ends."""
    from gauge.sim.edits import SceneEdits

    started(scene)
    edits = SceneEdits(scene)
    try:
        shipped(name).edit(edits, shipped(name).validate(value))
        yield edits
    finally:
        edits.undo()


def frame(scene, camera="agentview"):
    scene.look()
    return scene.frame(camera, SIZE).astype(float)


def clean(scene, camera="agentview"):
    return frame(started(scene), camera)


def settled(scene):
    for _ in range(10):
        scene.step(scene.rest)


def everything(scene):
    """A hash over every number of the model, textures included."""
    digest = hashlib.sha256()
    for name in sorted(vars(type(scene.model))):
        field = getattr(scene.model, name, None)
        if isinstance(field, np.ndarray) and name[:1] != "_":
            digest.update(name.encode() + np.ascontiguousarray(field).tobytes())
    return digest.hexdigest()


def camera_pose(scene):
    camera = scene.model.camera("agentview")
    axes = Rotation.from_quat(camera.quat, scalar_first=True).as_matrix()
    return camera.pos.copy(), axes


@pytest.mark.parametrize("name", START)
def test_clean_after_perturbed_equals_clean_to_the_bit(bowl_scene, name):
    picture, model, start = clean(bowl_scene), everything(bowl_scene), bowl_scene.start_hash()
    for value in (shipped(name).levels[1 % len(shipped(name).levels)], shipped(name).levels[-1]):
        with perturbed(bowl_scene, name, value) as edits:
            settled(bowl_scene)
            assert edits.changes(), value
    assert np.array_equal(clean(bowl_scene), picture)
    assert everything(bowl_scene) == model
    assert bowl_scene.start_hash() == start


@pytest.mark.parametrize("name", [name for name in START if name not in POSITIONS])
def test_looks_change_the_picture_and_nothing_physical(bowl_scene, name):
    before, state = clean(bowl_scene), bowl_scene.data.qpos.copy()
    differences = []
    own = {"martin_novak_wood_table"} if name == "background_surface" else set()
    for value in [level for level in shipped(name).levels if level not in own]:
        with perturbed(bowl_scene, name, value):
            assert np.array_equal(bowl_scene.data.qpos, state)
            differences.append(np.abs(frame(bowl_scene) - before).mean())
    assert min(differences) > 0.0
    assert max(differences) > 0.3


@pytest.mark.parametrize("name", [name for name in START if shipped(name).mutable])
def test_a_value_set_during_the_episode_replaces_the_one_before(bowl_scene, name):
    first, last = shipped(name).levels[0], shipped(name).levels[-1]
    with perturbed(bowl_scene, name, last):
        alone = everything(bowl_scene)
    with perturbed(bowl_scene, name, first) as edits:
        shipped(name).edit(edits, last)
        assert everything(bowl_scene) == alone
        shipped(name).edit(edits, shipped(name).default)
        assert edits.changes() == {}


@pytest.mark.parametrize("factor", [1.1, 1.5, 2.0])
def test_camera_distance_is_the_factor_and_the_view_keeps_its_direction(bowl_scene, factor):
    position, axes = camera_pose(bowl_scene)
    with perturbed(bowl_scene, "camera_distance", factor):
        moved, turned = camera_pose(bowl_scene)
    assert np.linalg.norm(moved - PIVOT) == pytest.approx(factor * np.linalg.norm(position - PIVOT))
    assert np.allclose(turned, axes, atol=1e-6)


def spherical(position):
    x, y, z = position - PIVOT
    return np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y))), np.linalg.norm(position - PIVOT)


@pytest.mark.parametrize(
    ("name", "value", "azimuth", "elevation"),
    [
        ("camera_horizontal", 45, 45, 50.9),
        ("camera_horizontal", -75, -75, 50.9),
        ("camera_vertical", 15, 0, 65.9),
        ("camera_vertical", -15, 0, 35.9),
    ],
)
def test_the_camera_moves_on_a_sphere_and_still_looks_at_the_scene(bowl_scene, name, value, azimuth, elevation):
    position, axes = camera_pose(bowl_scene)
    with perturbed(bowl_scene, name, value):
        moved, turned = camera_pose(bowl_scene)
    found = spherical(moved)
    assert found[:2] == pytest.approx((azimuth, elevation), abs=0.05)
    assert found[2] == pytest.approx(spherical(position)[2])
    towards = (PIVOT - moved) / found[2]
    assert -turned[:, 2] @ towards == pytest.approx(-axes[:, 2] @ (PIVOT - position) / found[2], abs=1e-6)
    assert turned[2, 0] == pytest.approx(0.0, abs=1e-5)  # the horizon stays level


@pytest.mark.parametrize(
    ("name", "axis"),
    [
        ("camera_orientation_yaw", [0, 1, 0]),
        ("camera_orientation_pitch", [1, 0, 0]),
        ("camera_orientation_roll", [0, 0, 1]),
    ],
)
def test_the_camera_turns_about_its_own_axis_where_it_stands(bowl_scene, name, axis):
    position, axes = camera_pose(bowl_scene)
    with perturbed(bowl_scene, name, 10):
        moved, turned = camera_pose(bowl_scene)
    assert np.array_equal(moved, position)
    vector = Rotation.from_matrix(axes.T @ turned).as_rotvec(degrees=True)
    assert vector == pytest.approx(10.0 * np.array(axis), abs=1e-4)


def test_only_the_outside_camera_moves(bowl_scene):
    before = clean(bowl_scene, "robot0_eye_in_hand")
    with perturbed(bowl_scene, "camera_horizontal", 30):
        assert np.array_equal(frame(bowl_scene, "robot0_eye_in_hand"), before)


@pytest.mark.parametrize("value", ["0/60", "90/30", "225/45"])
def test_light_comes_from_the_stated_side_and_is_as_strong(bowl_scene, value):
    center, model = np.array([0.0, 0.0, 0.9]), bowl_scene.model

    def seen_from_the_table(light):
        away = model.light_pos[light] - center
        return np.linalg.norm(away), -away @ model.light_dir[light] / np.linalg.norm(away)

    before = seen_from_the_table(0)
    azimuth, elevation = map(float, value.split("/"))
    with perturbed(bowl_scene, "light_direction", value):
        away = model.light_pos[0] - center
        assert np.degrees(np.arcsin(away[2] / np.linalg.norm(away))) == pytest.approx(elevation)
        assert np.degrees(np.arctan2(away[1], away[0])) == pytest.approx((azimuth + 180) % 360 - 180, abs=1e-6)
        assert seen_from_the_table(0) == pytest.approx(before)


def test_shadows_darken_a_part_of_the_picture_deeply(bowl_scene):
    before = clean(bowl_scene)
    with perturbed(bowl_scene, "light_shadow", "on"):
        change = frame(bowl_scene) - before
    assert (change < -25).any(axis=2).mean() > 0.01
    assert (change > 25).sum() == 0
    assert change.mean() < 0


def test_highlights_grow_with_the_specular_level(bowl_scene):
    frames = []
    for level in (0.0, 1.0):
        with perturbed(bowl_scene, "light_specular", level):
            frames.append(frame(bowl_scene))
    change = frames[1] - frames[0]
    assert change.max() > 20.0
    assert (change > 0).mean() > 20 * (change < 0).mean()


@pytest.mark.parametrize(("role", "thing"), [("target", "akita_black_bowl_1"), ("placed", "plate_1")])
@pytest.mark.parametrize(("color", "strong"), [("red", 0), ("green", 1), ("blue", 2)])
def test_a_colour_paints_one_thing_only(bowl_scene, role, thing, color, strong):
    before = clean(bowl_scene)
    from gauge.perturbations.materials import visual_geoms

    with perturbed(bowl_scene, f"{role}_object_color", color) as edits:
        geoms = visual_geoms(edits, thing)
        assert {bowl_scene.model.body(b).name for b in bowl_scene.model.geom_bodyid[geoms]} == {f"{thing}_main"}
        painted = frame(bowl_scene)
        others = np.setdiff1d(np.arange(bowl_scene.model.ngeom), geoms)
        for field in ("geom_rgba", "geom_matid"):
            assert np.array_equal(getattr(bowl_scene.model, field)[others], edits.original(field)[others])
    where = (np.abs(painted - before) > 8).any(axis=2)
    assert 10 < where.sum() < 400
    assert painted[where].mean(axis=0).argmax() == strong
    assert painted[where].mean(axis=0)[strong] > 3 * np.delete(painted[where].mean(axis=0), strong).max()


def test_a_texture_replaces_the_pixels_of_one_thing_only(bowl_scene):
    before = clean(bowl_scene)
    with perturbed(bowl_scene, "placed_object_texture", "brown_ceramic_tile") as edits:
        assert list(edits.changes()) == ["texture plate_1_tex-model"]
        changed = (np.abs(frame(bowl_scene) - before) > 8).any(axis=2)
    assert 10 < changed.sum() < 400


def test_a_surface_changes_the_table_and_a_background_floor_and_walls(bowl_scene):
    with perturbed(bowl_scene, "background_surface", "kona_gotham") as edits:
        assert list(edits.changes()) == ["texture tex-table"]
        low = frame(bowl_scene)[60:, 40:].mean(axis=(0, 1))
        assert low[2] > low[0] + 40  # a blue cloth
    with perturbed(bowl_scene, "background", "rustic+dark-blue") as edits:
        assert sorted(edits.changes()) == ["texture tex-wall", "texture texplane"]


def target(scene):
    return scene.data.body("akita_black_bowl_1_main")


@pytest.mark.parametrize(("value", "offset"), [("x+3", [0.03, 0]), ("x-5", [-0.05, 0]), ("y+1", [0, 0.01])])
def test_the_target_starts_by_that_much_elsewhere_and_rests_there(bowl_scene, value, offset):
    started(bowl_scene)
    settled(bowl_scene)
    before, others = target(bowl_scene).xpos.copy(), bowl_scene.data.body("plate_1_main").xpos.copy()
    with perturbed(bowl_scene, "target_object_position", value):
        settled(bowl_scene)
        assert target(bowl_scene).xpos[:2] - before[:2] == pytest.approx(offset, abs=0.002)
        assert target(bowl_scene).xpos[2] == pytest.approx(before[2], abs=0.002)
        assert bowl_scene.data.body("plate_1_main").xpos == pytest.approx(others, abs=1e-4)
        assert bowl_scene.residual_speed() < 0.05


def test_the_target_starts_turned_about_the_vertical(bowl_scene):
    before = Rotation.from_quat(target(started(bowl_scene)).xquat, scalar_first=True)
    with perturbed(bowl_scene, "target_object_orientation", 30):
        after = Rotation.from_quat(target(bowl_scene).xquat, scalar_first=True)
    assert (after * before.inv()).as_rotvec(degrees=True) == pytest.approx([0, 0, 30], abs=1e-6)


def test_a_place_that_is_taken_is_an_error_of_the_episode(bowl_scene):
    from gauge.errors import SceneError
    from gauge.sim.edits import SceneEdits

    started(bowl_scene)
    pose = bowl_scene.data.joint("akita_black_bowl_1_joint0").qpos.copy()
    pose[:2] = bowl_scene.data.body("wooden_cabinet_1_main").xpos[:2]
    with pytest.raises(SceneError, match=r"akita_black_bowl_1 would overlap wooden_cabinet_1\w* by .* mm"):
        SceneEdits(bowl_scene).place("akita_black_bowl_1_joint0", pose)


def test_index_475_is_half_a_radian_from_the_base_and_the_arm_stays_there(bowl_scene):
    base = np.array([0, -0.16103739, 0, -2.44459747, 0, 2.2267522, np.pi / 4])
    for index, norm in [(25, 0.1), (125, 0.2), (225, 0.3), (325, 0.4), (475, 0.5)]:
        assert np.linalg.norm(configurations()[index] - base) == pytest.approx(norm, abs=1e-4)
    with perturbed(bowl_scene, "robot_initial_state", 475):
        assert np.array_equal(bowl_scene.data.qpos[bowl_scene.arm_qpos], configurations()[475])
        settled(bowl_scene)
        assert np.abs(bowl_scene.data.qpos[bowl_scene.arm_qpos] - configurations()[475]).max() < 0.05


@pytest.mark.parametrize("opening", [0.0, 0.25, 0.75, 1.0])
def test_the_hand_starts_with_the_opening_and_keeps_it_until_the_policy_acts(bowl_scene, opening):
    with perturbed(bowl_scene, "gripper_state", opening):
        settled(bowl_scene)
        fingers = bowl_scene.data.qpos[bowl_scene.finger_qpos]
        assert np.abs(fingers) == pytest.approx([0.04 * opening] * 2, abs=0.003)
    started(bowl_scene)
    settled(bowl_scene)
    assert np.abs(bowl_scene.data.qpos[bowl_scene.finger_qpos]).min() > 0.037


def test_arm_and_hand_can_both_start_elsewhere(bowl_scene):
    from gauge.sim.edits import SceneEdits

    edits = SceneEdits(started(bowl_scene))
    items = [bound("gripper_state", 0.25), bound("robot_initial_state", 325)]
    active = ActivePerturbations(items, episode_seed=1, horizon=30)
    active.advance(0, edits)
    settled(bowl_scene)
    assert np.abs(bowl_scene.data.qpos[bowl_scene.finger_qpos]) == pytest.approx([0.01] * 2, abs=0.003)
    assert np.abs(bowl_scene.data.qpos[bowl_scene.arm_qpos] - configurations()[325]).max() < 0.05
    assert all(row["fields"] for row in active.proof())
    edits.undo()


def test_two_looks_at_once_leave_each_other_alone(bowl_scene):
    from gauge.sim.edits import SceneEdits

    edits = SceneEdits(started(bowl_scene))
    for name, value in (("placed_object_color", "red"), ("target_object_color", "blue")):
        shipped(name).edit(edits, value)
    model = bowl_scene.model
    plate, bowl = (model.geom(name).rgba for name in ("plate_1_g0", "akita_black_bowl_1_g0"))
    assert (plate.tolist(), bowl.tolist()) == ([1, 0, 0, 1], [0, 0, 1, 1])
    edits.undo()


def test_a_video_shows_looks_but_moves_nothing(bowl_scene):
    from gauge.sim.edits import SceneEdits

    before = started(bowl_scene).data.qpos.copy()
    edits = SceneEdits(bowl_scene, looks_only=True)
    for name in POSITIONS:
        shipped(name).edit(edits, shipped(name).levels[0])
    assert np.array_equal(bowl_scene.data.qpos, before)
    assert edits.changes() == {}
