import random

import pytest

from gauge.demos.gate import Limits, Measure
from gauge.demos.selection import Outcome, missing, select

LIMITS = Limits(pause_steps=4, noop_steps=3, detour=1.5)
GOOD = Outcome(Measure(100, 1.0, 0, 0))
FAILED = Outcome(None, "the goal was not reached within 280 steps")


def test_the_first_n_good_ones_make_the_set_and_reasons_are_kept():
    paused = Outcome(Measure(100, 1.0, 9, 5))
    found = select({0: GOOD, 1: FAILED, 2: GOOD, 3: paused, 4: GOOD}, 2, LIMITS)
    assert found.kept == (0, 2)
    assert found.dropped == {
        1: FAILED.reason,
        3: "a pause of 9 steps (limit 4); 5 no-ops in a row (limit 3)",
        4: "more than were asked for",
    }


def test_detours_are_judged_among_the_good_ones_only():
    long = Outcome(Measure(200, 1.0, 0, 0))
    found = select({**dict.fromkeys(range(5), GOOD), 5: long, 6: GOOD}, 6, LIMITS)
    assert found.kept == (0, 1, 2, 3, 4, 6)
    assert found.dropped[5].startswith("a detour")


def test_waves_try_as_many_as_are_missing():
    assert missing({}, 3, LIMITS, 9) == [0, 1, 2]
    assert missing({0: GOOD, 1: FAILED, 2: GOOD}, 3, LIMITS, 9) == [3]
    assert missing({0: GOOD, 1: FAILED, 2: GOOD, 3: GOOD}, 3, LIMITS, 9) == []


def test_a_wave_that_was_interrupted_is_finished_first():
    assert missing({0: GOOD, 2: GOOD}, 3, LIMITS, 9) == [1]
    assert missing({0: GOOD, 2: FAILED}, 3, LIMITS, 9) == [1]


def test_tries_end():
    assert missing(dict.fromkeys(range(4), FAILED), 3, LIMITS, 4) == []
    assert missing(dict.fromkeys(range(3), FAILED), 3, LIMITS, 4) == [3]


@pytest.mark.parametrize("seed", range(5))
def test_the_set_does_not_depend_on_the_order_or_on_interruptions(seed):
    rng = random.Random(seed)
    world = {index: rng.choice([GOOD, GOOD, FAILED, Outcome(Measure(180, 1.0, 0, 0))]) for index in range(60)}

    def run(batch):
        known = {}
        while todo := missing(known, 10, LIMITS, 60):
            rng.shuffle(todo)
            known |= {index: world[index] for index in todo[:batch]}
        return known

    alone, crowd = run(1), run(60)
    assert alone.keys() == crowd.keys()
    assert select(alone, 10, LIMITS) == select(crowd, 10, LIMITS)
