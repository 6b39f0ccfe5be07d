"""How much of a half could be had without vision or without language."""

from dataclasses import replace

import pytest

from gauge.suites import blind, capability
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.scenario import Scenario

STARTS = Starts((1,), ("aa",), ((0.0, 0.0),), (5.0, 5.0), (), (0.5, 0.5), 200)
GOOD = Certificate(
    *("", "", STARTS, Share(9, 10), 100.0, Witness(0, 9, ""), Share(1, 20), Share(0, 20), "", ""), Share(0, 10)
)


def half(n: int) -> list[Scenario]:
    """The first scenarios of the visual suite inside, whose scenes have two goals each."""
    found = capability.load("visual_perception", "visual_perception", "id").tasks[:n]
    return [one for one in found if isinstance(one, Scenario)]


def known(scenarios: list[Scenario], **changes: Share) -> dict[str, Certificate]:
    return {one.id: replace(GOOD, solution=one.name, **changes) for one in scenarios}  # type: ignore[arg-type]


def test_who_does_not_read_gets_one_goal_of_those_in_the_scene() -> None:
    four = half(4)
    found = blind.blind(four, known(four))
    assert found is not None
    assert (found.without_vision, found.without_language, found.chance, found.most) == pytest.approx(
        (0.05, 0.45, 0.5, 0.6)
    )


def test_goals_that_come_together_are_worth_more_without_language_and_a_problem_if_that_is_too_much() -> None:
    four = half(4)
    assert list(blind.problems(four, known(four))) == []
    found = blind.blind(four, known(four, both=Share(8, 10)))
    assert found is not None
    assert found.without_language == pytest.approx((0.9 + 0.8) / 2)
    assert list(blind.problems(four, known(four, both=Share(8, 10), replay=Share(14, 20)))) == [
        "visual_perception/id: 0.70 are solved without vision; at most 0.60 may be",
        "visual_perception/id: 0.85 are solved without language; at most 0.60 may be",
    ]


def test_nothing_is_said_of_a_half_that_was_not_looked_at_so() -> None:
    four = half(4)
    assert blind.blind(four, known(four[:3])) is None
    assert blind.blind(four, known(four, both=Share(0, 0))) is None
    assert list(blind.problems(four, known(four, both=Share(0, 0), replay=Share(14, 20)))) == []
