"""What goals move can be held."""

import math
from dataclasses import replace

import pytest

from gauge.suites import grasps
from gauge.suites.rules import groups


def test_everything_that_is_moved_can_be_held() -> None:
    assert [fault for group in groups() for fault in grasps.faults(group)] == []


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("gen_apple_0016", "gen_apple_0016 is 67 mm wide; 65 are the most"),
        ("gen_brush_0000", "gen_brush_0000 is 12 mm high; 15 are the least"),
        ("gen_thermos_0016", "gen_thermos_0016 has 556 g; 500 are the most"),
    ],
)
def test_what_is_too_wide_too_flat_or_too_heavy_is_found(name: str, fault: str) -> None:
    group = next(one for one in groups() if one.layout == "V1a")
    there = {**group.objects, name: (0.0, 0.0)}
    assert list(grasps.faults(replace(group, objects=there))) == []  # it only stands there
    member = replace(group.members[0], goal=(("In", name, "basket.contain_region"),))
    assert list(grasps.faults(replace(group, objects=there, members=(member,)))) == [f"V1a: {fault}"]


def test_widths_are_the_pools() -> None:
    assert grasps.width("akita_black_bowl.a") == grasps.width("akita_black_bowl") < 0.01  # by its rim
    assert math.isnan(grasps.width("ketchup"))  # the pool's pinch did not lift it; the expert does
