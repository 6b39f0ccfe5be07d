from dataclasses import replace

from gauge.suites import knowledge
from gauge.suites.rules import groups

SHARED = {group.layout: group for group in groups() if "common_sense" in group.prefixes}


def with_thing(layout, name):
    group = SHARED[layout]
    return list(knowledge.faults(replace(group, objects={**group.objects, name: (0.0, 0.0)})))


def test_every_name_and_every_fact_singles_out_its_target():
    assert [fault for layout in SHARED for fault in with_thing(layout, "gen_solid_0027")] == []


def test_a_second_thing_of_the_name_or_with_the_property_is_found():
    (pear,) = (one for one in SHARED["W2b"].objects if "pear" in one)
    fact = f"'category: a pear is a fruit' is true of {pear} and gen_banana_0000"
    assert with_thing("W2b", "gen_banana_0000") == [f"L32: {fact}; the goal moves {pear}"]
    assert with_thing("W2b", "gen_pear_0003")[0].startswith(f"L32: 'pear' names {pear} and gen_pear_0003")


def test_a_fact_of_no_table_and_a_text_without_a_plain_name_are_found():
    group = SHARED["V1a"]
    member = replace(
        group.members[0],
        values={**group.members[0].values, "common_sense": "category: soup is wet"},
        texts={**group.members[0].texts, "visual_perception": "soup, please"},
    )
    assert list(knowledge.faults(replace(group, members=(member,)))) == [
        "L01: no plain name is found in 'soup, please'",
        "L01: gauge/suites/knowledge.yaml does not say what 'category: soup is wet' is true of",
    ]


def test_generated_things_are_called_after_their_family():
    assert knowledge.kind("gen_vase_bottle_0003") == "vase_bottle"
    assert knowledge.kind("akita_black_bowl.a") == "akita_black_bowl"
