import pytest

from gauge.errors import GaugeError
from gauge.vbddl import Held


def runs(held: Held, steps: list[tuple[bool, bool]]) -> list[bool]:
    return [held.update(holds, touched) for holds, touched in steps]


def test_liberos_rule_is_the_first_step_even_in_the_gripper() -> None:
    assert runs(Held(), [(False, False), (True, True), (False, False)]) == [False, True, True]


def test_held_counts_steps_in_a_row() -> None:
    assert runs(Held(steps=3), [(True, False)] * 2 + [(False, False)] + [(True, False)] * 3) == [False] * 5 + [True]


def test_released_waits_for_the_gripper() -> None:
    steps = [(True, True)] * 5 + [(True, False), (True, True), (True, False), (True, False)]
    assert runs(Held(steps=2, released=True), steps) == [False] * 8 + [True]


def test_success_stays_until_the_reset() -> None:
    held = Held(steps=1)
    assert held.update(True, False)
    assert held.update(False, False)
    held.reset()
    assert not held.update(False, False)


def test_zero_steps_are_refused() -> None:
    with pytest.raises(GaugeError, match="at least 1 step, not 0"):
        Held(steps=0)
