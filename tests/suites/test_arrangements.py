"""The layouts of a group whose things exchange places, and the checks that hold in all of them."""

from dataclasses import replace

import pytest

from gauge.suites import balance, checks, relations
from gauge.suites.arrangements import arrangements
from gauge.suites.rules import Group, groups


def group(layout: str) -> Group:
    return next(one for one in groups() if one.layout == layout)


def test_every_order_comes_once_and_the_written_one_first() -> None:
    found = list(arrangements(group("V2b")))
    assert len(found) == 120
    assert found[0] == group("V2b")
    places = {tuple(sorted(one.objects.items())) for one in found}
    assert len(places) == 120
    assert {one.objects["plate"] for one in found} == {group("V2b").objects["plate"]}


def test_a_group_without_exchange_has_one_layout() -> None:
    assert list(arrangements(group("V1a"))) == [group("V1a")]


def test_groups_go_together_and_a_region_keeps_its_size() -> None:
    cookies, bowl, plate = "cookies", "akita_black_bowl.a", "plate"
    written = group("S1b")
    for one in arrangements(written):
        at = {name: one.objects[name] for name in (cookies, bowl, plate)}
        if at[cookies] == written.objects[plate][:2]:
            assert at[bowl] == written.zones["beside_plate"][:2]
        assert at[plate][2:] == written.objects[plate][2:]


def test_a_fixture_stands_in_the_other_place_as_that_says() -> None:
    written = group("A2b")
    as_written, exchanged = arrangements(written)
    assert as_written == written
    assert exchanged.fixtures["wooden_cabinet"] == (*written.zones["right"][:2], 0.0, 0.35)
    assert exchanged.objects["wine_bottle"] == written.zones["left"][:2]
    assert exchanged.zones["right"] == (*written.fixtures["wooden_cabinet"][:2], *written.zones["right"][2:])


def test_what_is_wrong_in_one_order_alone_is_found() -> None:
    written = group("S1b")
    far = replace(written, zones=written.zones | {"beside_plate": (0.3, 0.3, 0.01)})
    assert not list(checks._far(far))
    assert any("akita_black_bowl.a starts" in fault for one in arrangements(far) for fault in checks._far(one))
    assert any("S1b_box" in fault for fault in relations.faults(far))
    assert not list(relations.faults(written))


def test_covariates_are_means_over_the_orders() -> None:
    written = group("W1c")
    member = written.members[0]
    each = [balance._covariates(one, member, "visual_perception")["base"] for one in arrangements(written)]
    assert balance.covariates(written, member, "visual_perception")["base"] == pytest.approx(sum(each) / len(each))
    assert len(set(each)) == 5
