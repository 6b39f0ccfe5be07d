import numpy as np
import pytest

from gauge.objects.skins import COLORS, PATTERNS, SIZE_PX, Paint, picture, rectangles


@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_pattern_paints_and_is_the_same_for_the_same_seed(pattern: str) -> None:
    paints = {"main": Paint("red", pattern, "white"), "cap": Paint("blue")}
    one, two = (picture(("main", "cap"), paints, np.random.default_rng(5)) for _ in range(2))
    assert one.shape == (SIZE_PX, SIZE_PX, 3)
    assert one.dtype == np.uint8
    assert (one == two).all()
    upper = one[: SIZE_PX // 2].reshape(-1, 3).astype(float)
    assert np.abs(upper.mean(axis=0) - np.mean([COLORS["red"], COLORS["white"]], axis=0)).max() < 130
    lower = one[SIZE_PX // 2 :].reshape(-1, 3)
    assert np.abs(lower.mean(axis=0) - COLORS["blue"]).max() < 3


def test_islands_share_the_picture_without_overlap() -> None:
    seen = np.zeros((SIZE_PX, SIZE_PX), int)
    for left, top, right, bottom in rectangles(("a", "b", "c", "d")).values():
        seen[top:bottom, left:right] += 1
    assert (seen == 1).all()
