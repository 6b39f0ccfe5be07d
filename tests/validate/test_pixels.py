"""Measures of what a person would see, on frames whose answers are known."""

import numpy as np
import pytest

from gauge.validate import pixels


def grey(level):
    return np.full((64, 64, 3), level, dtype=np.uint8)


def test_a_change_below_the_threshold_of_sight_is_not_noticed_and_a_spot_is_counted():
    assert not pixels.noticed(grey(120), grey(123)).any()
    spot = grey(120)
    spot[10:18, 20:28] = (200, 120, 120)
    assert pixels.noticed(grey(120), spot).sum() == 64
    assert pixels.mean_change(grey(120), spot) == pytest.approx(80 * 64 / (64 * 64 * 3))


def test_equal_frames_are_alike_and_noise_is_not():
    photo = np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    assert pixels.ssim(photo, photo) == pytest.approx(1.0)
    other = np.random.default_rng(1).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    assert pixels.ssim(photo, other) < 0.1
    assert pixels.ssim(grey(100), grey(101)) > 0.99


def test_luminance_weighs_green_most():
    red, green = grey(0), grey(0)
    red[..., 0], green[..., 1] = 255, 255
    assert pixels.luminance(green) > pixels.luminance(red) > 0
    assert pixels.luminance(grey(77)) == pytest.approx(77)


def test_width_is_from_the_first_column_to_the_last():
    mask = np.zeros((5, 9), dtype=bool)
    assert pixels.width(mask) == 0
    mask[2, 3] = mask[4, 6] = True
    assert pixels.width(mask) == 4
