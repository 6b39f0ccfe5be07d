"""Whether the halves of a capability differ in more than what they diagnose."""

import math

import numpy as np
import pytest

from gauge.protocol.separability import compared, left_out_auc
from gauge.suites import balance
from gauge.suites.rules import groups


def test_a_covariate_that_tells_the_halves_apart_is_found_in_groups_that_were_left_out() -> None:
    outside = np.repeat([False, True], 40)
    group = [f"g{k // 10}" for k in range(80)]
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(80, 3))
    apart = noise + np.column_stack([4.0 * outside, np.zeros(80), np.zeros(80)])
    assert left_out_auc(apart, outside, group) > 0.95
    assert left_out_auc(noise, outside, group) < balance.MOST_AUC


def test_what_only_a_group_has_in_common_does_not_tell_its_half() -> None:
    outside = np.repeat([False, True], 40)
    group = [f"g{k // 10}" for k in range(80)]
    own = np.random.default_rng(1).normal(size=8).repeat(10)[:, None]
    assert left_out_auc(own, outside, group) <= 0.75


@pytest.mark.parametrize(
    ("inside", "outside", "d"),
    [([1.0, 3.0], [1.0, 3.0], 0.0), ([1.0, 3.0], [2.0, 4.0], 1.0), ([2.0, 2.0], [3.0, 3.0], math.inf)],
)
def test_differences_are_in_pooled_standard_deviations(inside: list[float], outside: list[float], d: float) -> None:
    assert compared(np.array(inside), np.array([*outside, math.nan]))[2] == pytest.approx(d)


def test_covariates_of_a_scenario() -> None:
    group = next(one for one in groups() if one.layout == "V1a")
    member = group.members[0]
    found = balance.covariates(group, member, "visual_perception")
    assert list(found) == list(balance.COVARIATES)
    assert found["movables"] == 7.0  # six goods and the basket
    assert found["distractors"] == 5.0
    assert found["words"] == len(member.texts["visual_perception"].split())
    assert 0.3 < found["base"] < 0.8


def test_every_scenario_has_its_covariates() -> None:
    for capability in balance.DIAGNOSED:
        one = balance.verdict(capability)
        assert 0.0 <= one.auc <= 1.0
        assert not any(math.isnan(row.inside) for row in one.rows)
