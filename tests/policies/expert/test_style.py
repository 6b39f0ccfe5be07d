import numpy as np

from gauge.policies.expert.style import APPROACH_M, BOW_M, GRASP_COST, SPEED, Style


def style(seed):
    return Style.drawn(np.random.default_rng(seed))


def test_the_same_generator_draws_the_same_style_and_another_one_does_not():
    first, again, other = style(3), style(3), style(4)
    assert (first.speed, first.approach_m, first.lift_m, first.rise_m) == (
        again.speed,
        again.approach_m,
        again.lift_m,
        again.rise_m,
    )
    np.testing.assert_array_equal(first.bow, again.bow)
    assert first.speed != other.speed


def test_styles_stay_within_their_limits_and_use_them():
    drawn = [style(seed) for seed in range(200)]
    speeds = [one.speed for one in drawn]
    assert SPEED[0] <= min(speeds) < 0.82
    assert 0.98 < max(speeds) <= SPEED[1]
    assert all(APPROACH_M[0] <= one.approach_m <= APPROACH_M[1] for one in drawn)
    assert all(np.abs(one.bow).max() <= BOW_M and one.bow[2] >= 0.0 for one in drawn)


def test_candidates_about_as_good_change_places_and_clearly_worse_ones_do_not():
    one = style(0)
    firsts = [one.shuffled([0.0, 0.2 * GRASP_COST, 50 * GRASP_COST])[0] for _ in range(200)]
    assert set(firsts) == {0, 1}
    np.testing.assert_array_equal(np.sort(one.shuffled([3.0, 1.0, 2.0])), [0, 1, 2])
