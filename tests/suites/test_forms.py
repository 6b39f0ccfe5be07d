"""Texts of the semantic suite single out their target, and those that do not are found."""

from dataclasses import replace

import pytest

from gauge.suites import forms
from gauge.suites.rules import Group, groups

SHARED = {group.layout: group for group in groups() if forms.CAPABILITY in group.prefixes}


def with_thing(layout: str, name: str, at: tuple[float, float] = (0.0, 0.0)) -> list[str]:
    group = SHARED[layout]
    return list(forms.faults(replace(group, objects={**group.objects, name: at})))


def with_text(layout: str, name: str, text: str) -> list[str]:
    """What is wrong with a member's text if it is this."""
    group: Group = SHARED[layout]
    member = next(one for one in group.members if one.name == name)
    changed = replace(member, texts={**member.texts, forms.CAPABILITY: text})
    return list(forms.faults(replace(group, members=(changed,))))


def test_every_text_singles_out_its_target() -> None:
    read = {member.values[forms.CAPABILITY] for group in SHARED.values() for member in group.members}
    assert {"exclusion", "context", forms.RELATIONAL, *forms.NOUN_PHRASES} < read
    assert [fault for layout in SHARED for fault in with_thing(layout, "gen_solid_0027")] == []


def test_a_second_thing_that_fits_is_found() -> None:
    assert with_thing("V4a", "bbq_sauce") == [
        "L20: 'sauce' names tomato_sauce and bbq_sauce; the goal moves tomato_sauce"
    ]
    (jar,) = (one for one in SHARED["W3a"].objects if "jar" in one)
    text = "the jar is meant to be set down on the plate"
    assert with_thing("W3a", "gen_jar_0001") == [f"L37: {text!r} names {jar} and gen_jar_0001; the goal moves {jar}"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("take neither the black nor the yellow one but a bowl", ""),
        ("take a bowl, not the black one", "names red_akita_black_bowl and yellow_bowl"),
        ("take neither the black nor the green one but a bowl", "rules out 'green', which names nothing in the scene"),
        ("only yellow ones count today, and a bowl", "names yellow_bowl; the goal moves red_akita_black_bowl"),
        ("take neither the black nor the red one but a bowl", "names yellow_bowl; the goal moves red_akita_black_bowl"),
    ],
)
def test_what_a_text_rules_out_is_not_meant(text: str, fault: str) -> None:
    found = with_text("W1a", "L24", text)
    assert all(repr(text) in one for one in found)  # what was written, not what is left of it
    assert (fault in " ".join(found)) if fault else found == []


def test_a_relation_that_two_things_satisfy_or_nearly_satisfy_is_found() -> None:
    def moved(name: str, at: tuple[float, float]) -> list[str]:
        group = SHARED["V1c"]
        return list(forms.faults(replace(group, objects={**group.objects, name: at})))

    assert moved("orange_juice", (0.04, -0.31)) == [
        "L05: 'pick up the box next to the bbq sauce and place it in the basket' does not single out milk: "
        "milk satisfies it too, orange_juice satisfies it too"
    ]
    assert moved("orange_juice", (0.04, -0.38))[0].endswith("orange_juice is too close to call")
    assert moved("milk", (-0.26, 0.1))[0].endswith("milk does not satisfy it, orange_juice does not satisfy it")
    assert with_text("V1c", "L05", "pick up the box next to the moon and place it in the basket") == [
        "L05: 'pick up the box next to the moon and place it in the basket' relates milk and orange_juice to nothing "
        "in the scene; needed are two things and one"
    ]
