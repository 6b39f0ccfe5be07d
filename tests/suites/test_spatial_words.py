from dataclasses import replace

import pytest

from gauge.suites import relations
from gauge.suites.rules import groups

SPATIAL = {group.layout: group for group in groups() if "spatial_reasoning" in group.prefixes}
BOWL = "akita_black_bowl"


def faults(layout, **moved):
    group = SPATIAL[layout]
    return list(relations.faults(replace(group, objects={**group.objects, **moved})))


def test_every_bowl_that_a_text_asks_for_is_the_only_one_in_all_draws():
    checked = [
        m for g in SPATIAL.values() for m in g.members if relations.SENTENCE.fullmatch(m.texts["spatial_reasoning"])
    ]
    assert len(checked) == 33  # all but destinations and the left or right plate
    assert [fault for layout in SPATIAL for fault in faults(layout)] == []


@pytest.mark.parametrize(
    ("layout", "bowl", "place", "fault"),
    [
        ("T1a", "c", (-0.05, -0.05), "'farthest from the ramekin' does not single out akita_black_bowl.c"),
        ("T2a", "b", (-0.05, 0.08), "'on the left' does not single out akita_black_bowl.a"),
        ("T3a", "c", (-0.02, 0.12), "'from the left' does not single out akita_black_bowl.b"),
        ("T3b", "b", (-0.02, 0.17), '"two hands\' widths to the right of the plate" does not single out'),
        ("T4a", "b", (-0.05, 0.1), "'to the right of the plate and next to the cookie box' does not single out"),
        ("S1c", "a", (0.12, 0.2), "'between the plate and the ramekin' does not single out akita_black_bowl.a"),
        ("S1d", "a", (-0.2, 0.0), "'next to the cookie box' does not single out akita_black_bowl.a"),
    ],
)
def test_a_bowl_in_another_place_is_found(layout, bowl, place, fault):
    assert fault in "\n".join(faults(layout, **{f"{BOWL}.{bowl}": place}))


def test_a_part_that_need_not_be_joined_is_found():
    alone = faults("T4a", **{f"{BOWL}.c": (-0.25, -0.25)})
    assert alone == [
        "T4a_box: 'next to the cookie box' alone singles out a bowl",
        "T4a_ramekin: 'next to the ramekin' alone singles out a bowl",  # in the other order the ramekin stands there
    ]


def test_a_reference_that_is_not_there_is_found():
    group = SPATIAL["T1a"]
    objects = {name: at for name, at in group.objects.items() if "ramekin" not in name}
    assert "the text speaks of 'glazed_rim_porcelain_ramekin'" in next(
        relations.faults(replace(group, objects=objects))
    )
