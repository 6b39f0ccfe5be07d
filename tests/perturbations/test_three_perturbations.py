import numpy as np
import pytest

from gauge.core.items import Combination
from gauge.errors import GaugeError
from gauge.perturbations.action_noise import ActionNoise
from gauge.perturbations.image_shift import ImageShift
from gauge.perturbations.light_diffuse import LightDiffuse

SHIFT = ImageShift("spatial", "image", "image_shift", "fraction of width", 0.0, (0.1, 0.2))
LIGHT = LightDiffuse("visual", "light", "light_diffuse", "factor", 1.0, (0.05, 2.0, "red"))
NOISE = ActionNoise("control", "action", "action_noise", "sigma", 0.0, (0.1, 0.3))
RNG = np.random.default_rng(0)


def gradient() -> np.ndarray:
    columns = np.arange(100, dtype=np.uint8) + 1
    return np.broadcast_to(columns[None, :, None], (40, 100, 3)).copy()


@pytest.mark.parametrize(("value", "shift"), [(0.1, 10), (-0.2, -20), (0.004, 0)])
def test_image_shift_moves_every_column_and_fills_with_black(value, shift):
    frame = gradient()
    shifted = SHIFT.image(frame, value, RNG)
    for column in range(100):
        source = column - shift
        expected = source + 1 if 0 <= source < 100 else 0
        assert (shifted[:, column] == expected).all()
    assert np.array_equal(frame, gradient())


def test_action_noise_has_the_stated_deviation_and_spares_the_gripper():
    rng = np.random.default_rng(5)
    command = np.array([0.1, -0.2, 0.0, 0.3, 0.0, 0.1, 1.0])
    noisy = np.array([NOISE.action(command, 0.1, rng) for _ in range(20_000)])
    assert noisy[:, 6].tolist() == [1.0] * 20_000
    assert np.allclose((noisy - command)[:, :6].std(axis=0), 0.1, atol=0.002)
    assert np.allclose((noisy - command)[:, :6].mean(axis=0), 0.0, atol=0.003)


def test_action_noise_stays_within_the_action_range():
    rng = np.random.default_rng(5)
    noisy = np.array([NOISE.action(np.ones(7), 1.0, rng) for _ in range(200)])
    assert noisy.max() == 1.0
    assert noisy.min() >= -1.0


@pytest.mark.parametrize("value", [0.51, -0.6, float("nan"), float("inf"), "far", True, None])
def test_a_bad_value_is_one_sentence_with_an_example(value):
    with pytest.raises(GaugeError, match=r"image_shift.*allowed: -0.5 to 0.5 fraction of width, e.g. value.at=0.1"):
        SHIFT.validate(value)


def test_an_unknown_tint_lists_the_known_ones():
    with pytest.raises(GaugeError, match="unknown tint 'pink'; tints are red, green, blue"):
        LIGHT.validate("pink")


def test_the_default_is_the_clean_cell():
    assert SHIFT.item((0.0,)) is None
    assert SHIFT.item((0,)) is None
    assert LIGHT.item((1,)) is None


def test_a_level_out_of_bounds_or_at_the_default_is_refused_when_it_is_loaded():
    with pytest.raises(GaugeError, match="out of bounds"):
        ImageShift("spatial", "image", "image_shift", "", 0.0, (0.1, 0.9))
    with pytest.raises(GaugeError, match=r"default 0.0 cannot be one of its levels"):
        ImageShift("spatial", "image", "image_shift", "", 0.0, (0.0, 0.1))


def test_an_attribute_twice_is_a_conflict():
    items = [SHIFT.item((0.1,)), SHIFT.item((0.2,))]
    with pytest.raises(GaugeError, match="two items change image_shift"):
        Combination.of(item for item in items if item)


def test_an_item_prints_as_v_bddl():
    item = LIGHT.item(LIGHT.levels, "dynamic")
    assert str(item) == (
        "(:item (:category visual) (:factor light) (:attribute light_diffuse) (:values 0.05 2.0 red) (:mode dynamic))"
    )


@pytest.mark.sim
def test_light_diffuse_scales_every_light_and_the_picture_follows(screen):
    from gauge.sim.edits import SceneEdits
    from gauge.sim.scene import Scene
    from gauge.suites import load

    scene = Scene(load("libero_goal").tasks[0], screen)

    scene.start(1, 0)
    scene.look()
    clean = scene.frame("agentview", (128, 128))
    lights = scene.model.light_diffuse.copy()
    edits = SceneEdits(scene)
    LIGHT.edit(edits, 0.05)
    assert np.allclose(scene.model.light_diffuse, lights * 0.05)
    dark = scene.frame("agentview", (128, 128))
    LIGHT.edit(edits, "red")
    assert np.allclose(scene.model.light_diffuse, lights * [1.0, 0.4, 0.4])
    red = scene.frame("agentview", (128, 128)).astype(float)
    edits.undo()
    assert dark.mean() < 0.8 * clean.mean()
    assert (red[..., 0] - red[..., 2]).mean() > (clean[..., 0].astype(float) - clean[..., 2]).mean() + 10
    assert np.array_equal(scene.frame("agentview", (128, 128)), clean)
    scene.close()
