from dataclasses import replace

import numpy as np
import pytest
from demo_samples import make_demo

from gauge.demos.gate import Limits, Measure, detours, faults, measure, path_length, spread

LIMITS = Limits(pause_steps=4, noop_steps=3, detour=1.5)


def moving(length=20):
    demo = make_demo(length)
    hand = demo.proprioception.copy()
    hand[:, 0] = 0.01 * np.arange(length)
    return replace(demo, proprioception=hand)


def test_a_moving_hand_has_no_pause():
    assert measure(moving()) == Measure(
        steps=20, path_m=pytest.approx(path_length(moving().proprioception[:, :3])), pause_steps=0, noop_steps=0
    )


@pytest.mark.parametrize("moves", ["hand", "turn", "fingers", "command"])
def test_a_pause_is_when_nothing_at_all_moves(moves):
    demo = moving()
    hand, actions = demo.proprioception.copy(), demo.actions.copy()
    hand[5:15] = hand[5]
    actions[:, 6] = -1.0
    still = replace(demo, proprioception=hand, actions=actions)
    assert measure(still).pause_steps == 9
    assert faults(measure(still), LIMITS) == ["a pause of 9 steps (limit 4)"]
    hand, actions = hand.copy(), actions.copy()
    if moves == "command":
        actions[10:, 6] = 1.0
    else:
        hand[10:15, {"hand": 0, "turn": 4, "fingers": 7}[moves]] += 0.02
    assert measure(replace(demo, proprioception=hand, actions=actions)).pause_steps == 4


def test_a_hand_that_points_down_may_flip_its_axis_angle():
    demo = moving()
    hand = demo.proprioception.copy()
    hand[5:15] = hand[5]
    hand[:, 3:6] = [3.14, 0.0, 0.0]
    hand[10:, 3] = -3.143
    actions = np.where(np.arange(7) == 6, -1.0, demo.actions)
    assert measure(replace(demo, proprioception=hand, actions=actions)).pause_steps == 9


def test_noops_are_counted_apart_from_pauses():
    demo = moving()
    actions = demo.actions.copy()
    actions[4:9, :6] = 0.0
    found = measure(replace(demo, actions=actions))
    assert (found.noop_steps, found.pause_steps) == (5, 0)
    assert faults(found, LIMITS) == ["5 no-ops in a row (limit 3)"]


def test_a_detour_is_measured_against_the_median():
    usual = {index: Measure(100 + index, 1.0, 0, 0) for index in range(6)}
    assert detours(usual, LIMITS) == {}
    found = detours({**usual, 6: Measure(160, 1.0, 0, 0), 7: Measure(100, 1.6, 0, 0)}, LIMITS)
    assert found == {
        6: "a detour: 160 steps (median 102.5, limit 1.5 times)",
        7: "a detour: path of 1.60 m (median 1.00 m, limit 1.5 times)",
    }


def test_four_episodes_make_no_median():
    assert detours({index: Measure(100 * 10**index, 1.0, 0, 0) for index in range(4)}, LIMITS) == {}


def test_spread_is_zero_for_one_path_and_its_own_copies_and_grows_with_distance():
    path = np.linspace(0, 1, 30)[:, None] * np.array([1.0, 0.0, 0.0])
    assert spread([path]) == 0.0
    assert spread([path, path, path]) == pytest.approx(0.0, abs=1e-12)
    assert spread([path, path[::2]]) == pytest.approx(0.0, abs=0.02), "speed alone is no spread"
    beside = path + np.array([0.0, 0.02, 0.0])
    assert spread([path, beside]) == pytest.approx(0.01)
