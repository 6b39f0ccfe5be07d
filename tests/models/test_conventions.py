"""The probe's decisions, from made-up behaviour: each fault alone is suspected, and no other."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gauge.models.conventions import SEEN, Behaviour, Suspicion, judge

MOMENTS, STEPS = 6, 10


def good() -> Behaviour:
    """A policy that means what the expert means, looks and listens."""
    rng = np.random.default_rng(0)
    expert = rng.uniform(-0.6, 0.6, (MOMENTS, 1, 7)) + rng.normal(0, 0.05, (MOMENTS, STEPS, 7))
    expert[:, :, 6] = np.where(np.arange(MOMENTS) % 2, 1.0, -1.0)[:, None]

    def wrong() -> Any:
        return np.concatenate([rng.uniform(-0.6, 0.6, (MOMENTS, 1, 6)).repeat(STEPS, 1), expert[:, :, 6:]], axis=2)

    usual = expert + np.concatenate([rng.normal(0, 0.1, (MOMENTS, STEPS, 6)), np.zeros((MOMENTS, STEPS, 1))], axis=2)
    before = np.roll(usual, 1, axis=0)
    hands = rng.uniform(-0.3, 0.3, (MOMENTS, 3)) + np.array([0, 0, 1.1])
    changed = {name: wrong() for name in SEEN}
    return Behaviour(expert, hands, usual, usual, changed, wrong(), wrong(), usual, before)


def suspected(found: list[Suspicion]) -> list[str]:
    return [one.fault for one in found if one.found == "suspected"]


def test_a_good_policy_is_suspected_of_nothing() -> None:
    found = judge(good())
    assert {one.found for one in found} == {"not seen"}
    assert len(found) == 11
    assert all(any(letter.isdigit() for letter in one.evidence) for one in found)


@pytest.mark.parametrize("name", SEEN)
def test_pictures_that_agree_more_once_changed(name: str) -> None:
    fine = good()
    broken = replace(
        fine, usual=fine.changed[name], again=fine.changed[name], changed={**fine.changed, name: fine.usual}
    )
    assert suspected(judge(replace(broken, sequel=broken.usual))) == [SEEN[name]]


def test_a_gripper_that_closes_where_the_expert_opens() -> None:
    fine = good()
    turned = fine.usual * [1, 1, 1, 1, 1, 1, -1]
    assert suspected(judge(replace(fine, usual=turned, again=turned, sequel=turned))) == ["inverted gripper"]


def test_motions_that_are_too_small_or_too_large() -> None:
    fine = good()
    for times in (0.05, 10.0):
        scaled = fine.usual * [*[times] * 6, 1]
        found = judge(replace(fine, usual=scaled, again=scaled, sequel=scaled))
        assert suspected(found) == ["wrong scale of actions"]
    assert "of the numbers beyond [-1, 1]" in next(one for one in found if "scale" in one.fault).evidence


def test_numbers_that_are_positions() -> None:
    fine = good()
    poses = fine.usual.copy()
    poses[:, :, :3] = fine.hands[:, None] + 0.02 * fine.usual[:, :, :3]
    assert "deltas and poses mixed up" in suspected(judge(replace(fine, usual=poses, again=poses, sequel=poses)))
    right = judge(replace(fine, usual=poses, again=poses, sequel=poses, absolute=True))
    assert "deltas and poses mixed up" not in suspected(right)
    assert "deltas and poses mixed up" in suspected(judge(replace(fine, absolute=True)))


def test_an_answer_to_the_question_before() -> None:
    fine = good()
    assert suspected(judge(replace(fine, sequel=fine.before))) == ["stale chunk"]


def test_an_answer_that_does_not_depend_on_what_is_said_or_shown() -> None:
    fine = good()
    assert suspected(judge(replace(fine, other=fine.usual))) == ["ignored instruction"]
    assert suspected(judge(replace(fine, black=fine.usual))) == ["ignored image"]
    noisy = replace(fine, again=fine.usual * 1.2, other=fine.usual * 0.9)  # no more than a repetition changes it
    assert "ignored instruction" in suspected(judge(noisy))


def test_a_policy_that_agrees_with_nobody_cannot_be_told() -> None:
    fine, rng = good(), np.random.default_rng(1)
    nonsense = np.concatenate([rng.normal(0, 0.4, (MOMENTS, STEPS, 6)), fine.usual[:, :, 6:]], axis=2)
    wild = {name: np.concatenate([rng.normal(0, 0.4, (MOMENTS, STEPS, 6)), fine.usual[:, :, 6:]], 2) for name in SEEN}
    found = judge(replace(fine, usual=nonsense, again=nonsense, sequel=nonsense, changed=wild))
    assert {one.found for one in found if one.fault in SEEN.values()} == {"cannot tell"}


def test_what_was_not_asked_cannot_be_told() -> None:
    found = {one.fault: one.found for one in judge(replace(good(), changed={}, black=None, other=None, sequel=None))}
    assert [fault for fault, what in found.items() if what == "cannot tell"] == [
        *SEEN.values(),
        "stale chunk",
        "ignored instruction",
        "ignored image",
    ]
