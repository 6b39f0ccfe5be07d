"""What each image perturbation does to a frame, at any size and on every camera."""

import numpy as np
import pytest
from perturbation_options import bound, shipped

from gauge.errors import GaugeError
from gauge.rollout.perturbed import ActivePerturbations

SIZES = [(64, 64), (224, 224), (256, 256), (120, 160)]
NOISES = shipped("noise").levels


def photo(size=(256, 256), seed=0):
    """A frame with large shapes and fine detail."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[: size[0], : size[1]]
    base = 120 + 60 * np.sin(rows / size[0] * 9)[..., None] + 40 * np.cos(columns / size[1] * 14)[..., None]
    return np.clip(base + rng.integers(-30, 30, (*size, 3)), 1, 255).astype(np.uint8)


def seen(name, value, frame, seed=7):
    return shipped(name).filter()(frame, value, np.random.default_rng(seed))


def test_a_rotation_by_90_degrees_is_numpys_own_counter_clockwise():
    frame = photo((65, 65))
    assert np.abs(seen("image_rotation", 90, frame).astype(int) - np.rot90(frame)).max() <= 1


def test_a_rotation_keeps_the_centre_and_blackens_the_corners():
    frame = photo((257, 257))
    turned = seen("image_rotation", 24, frame)
    assert np.array_equal(turned[128, 128], frame[128, 128])
    for corner in (turned[0, 0], turned[0, -1], turned[-1, 0], turned[-1, -1]):
        assert not corner.any()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("area", [0.05, 0.2, 0.4, 0.9])
def test_an_occlusion_blackens_one_rectangle_of_the_stated_area(size, area):
    frame = photo(size)
    for seed in range(8):
        black = (seen("image_occlusions", area, frame, seed) == 0).all(axis=2)
        assert black.mean() == pytest.approx(area, abs=0.02)
        rows, columns = np.flatnonzero(black.any(axis=1)), np.flatnonzero(black.any(axis=0))
        assert black.sum() == (np.ptp(rows) + 1) * (np.ptp(columns) + 1)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("area", [0.02, 0.25])
def test_erasing_replaces_three_patches_of_the_stated_area_by_noise(size, area):
    from scipy.ndimage import label

    frame = np.full((*size, 3), 7, dtype=np.uint8)
    for seed in range(8):
        changed = (seen("image_erasing", area, frame, seed) != 7).any(axis=2)
        assert changed.mean() == pytest.approx(area, abs=0.012)
        assert label(changed, np.ones((3, 3)))[1] <= 3
    patch = seen("image_erasing", area, frame)[changed]
    assert 20 < patch.std() < 90


def test_places_hold_for_the_episode_and_differ_between_episodes():
    hide, rng = shipped("image_occlusions").filter(), np.random.default_rng(1)
    first = hide(photo(), 0.2, rng)
    assert np.array_equal(hide(photo(), 0.2, rng), first)
    smaller = hide(photo(), 0.05, rng)
    assert not np.array_equal(smaller, first)
    assert not np.array_equal(seen("image_occlusions", 0.2, photo(), 2), first)


@pytest.mark.parametrize("value", NOISES)
def test_every_noise_changes_the_frame_and_keeps_its_kind(value):
    frame = photo((128, 128))
    out = seen("noise", value, frame)
    assert out.shape == frame.shape
    assert out.dtype == np.uint8
    assert np.abs(out.astype(float) - frame).mean() > 2.0


@pytest.mark.parametrize("kind", ["motion_blur", "gaussian_blur", "glass_blur"])
def test_blur_takes_away_detail_and_keeps_brightness_the_more_the_severer(kind):
    frame = photo()
    detail = [np.abs(np.diff(seen("noise", f"{kind}:{s}", frame).astype(float), axis=0)).mean() for s in (2, 6, 10)]
    original = np.abs(np.diff(frame.astype(float), axis=0)).mean()
    assert original > detail[0] > detail[1] * 0.99
    assert detail[1] * 1.01 > detail[2]
    assert seen("noise", f"{kind}:10", frame).mean() == pytest.approx(frame.mean(), abs=3.0)


def test_gaussian_blur_has_the_stated_width():
    frame = np.zeros((256, 256, 3), dtype=np.uint8)
    frame[:, 128:] = 255
    profile = np.diff(seen("noise", "gaussian_blur:4", frame)[128, :, 0].astype(float))
    columns = np.arange(255) - (profile @ np.arange(255)) / profile.sum()
    assert np.sqrt(profile @ columns**2 / profile.sum()) == pytest.approx(4.0, abs=0.15)


def test_strength_follows_the_size_of_the_frame():
    def width(size):
        frame = np.zeros((size, size, 3), dtype=np.uint8)
        frame[:, size // 2 :] = 255
        profile = np.diff(seen("noise", "gaussian_blur:8", frame)[size // 2, :, 0].astype(float))
        columns = np.arange(size - 1) - (profile @ np.arange(size - 1)) / profile.sum()
        return np.sqrt(profile @ columns**2 / profile.sum()) / size

    assert width(128) == pytest.approx(width(256), rel=0.05)


def test_zoom_blur_keeps_the_centre_sharper_than_the_rim():
    frame = photo()
    change = np.abs(seen("noise", "zoom_blur:6", frame).astype(float) - frame).mean(axis=2)
    assert change[118:138, 118:138].mean() < 0.8 * change[:20].mean()


def test_fog_hides_the_frame_the_more_the_severer_and_drifts():
    frame = photo()
    likeness = [np.corrcoef(seen("noise", f"fog:{s}", frame).ravel(), frame.ravel())[0, 1] for s in (2, 6, 10)]
    assert 0.9 > likeness[0] > likeness[1] > likeness[2]
    drift, rng = shipped("noise").filter(), np.random.default_rng(1)
    assert not np.array_equal(drift(frame, "fog:6", rng), drift(frame, "fog:6", rng))


@pytest.mark.parametrize("size", SIZES)
def test_noise_takes_frames_of_any_size(size):
    for kind in ("motion_blur", "gaussian_blur", "zoom_blur", "fog", "glass_blur"):
        assert seen("noise", f"{kind}:6", photo(size)).shape == (*size, 3)


def test_a_severity_between_two_stated_ones_is_allowed():
    assert shipped("noise").validate("fog:3") == "fog:3"
    assert shipped("noise").validate("glass_blur:2.5") == "glass_blur:2.5"


@pytest.mark.parametrize("value", ["fog", "fog:", "fog:1", "fog:11", "snow:4", 3, "fog:nan"])
def test_a_noise_that_is_none_says_which_there_are(value):
    with pytest.raises(GaugeError, match="noise"):
        shipped("noise").validate(value)


@pytest.mark.parametrize("name", ["image_erasing", "image_occlusions", "image_rotation", "noise"])
def test_both_cameras_are_changed_the_given_frame_is_not_and_the_episode_repeats(name):
    frames = [photo(seed=seed) for seed in (1, 2)]
    copies = [frame.copy() for frame in frames]
    runs = []
    for _ in range(2):
        active = ActivePerturbations([bound(name, shipped(name).levels[-1])], episode_seed=5, horizon=30)
        runs.append([active.image(frame) for frame in frames])
        (row,) = active.proof()
        assert row["changed"] == row["samples"] == 2
    assert all(np.array_equal(a, b) for a, b in zip(frames, copies, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
