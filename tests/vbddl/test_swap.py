"""What exchanges its place from start to start: read, printed, refused, and part of what a layout is."""

import pytest
from scenario_files import APPLE, write
from vbddl_tasks import SOUND

from gauge.sim.scenario import plain_file
from gauge.suites.scenario import load_folder
from gauge.vbddl import dumps, examine, parse
from gauge.vbddl.swap import alternatives, exchanged, middle, regions, turn
from gauge.vbddl.task import Region

PAIR = "(gen_apple_0001_1 akita_black_bowl_1)"


def swapped(words: str, text: str = APPLE) -> str:
    return text.replace("(:fixtures", f"(:swap {words})\n  (:fixtures", 1)


def test_single_things_and_groups_are_read_and_printed() -> None:
    task = parse(swapped(PAIR))
    assert task.swap == ((("gen_apple_0001_1",), ("akita_black_bowl_1",)),)
    assert f"(:swap {PAIR})" in dumps(task)
    assert parse(dumps(task)) == task
    pairs = "((akita_black_bowl_1 main_table_bowl_region) (a b)) (c d e)"
    read = examine(swapped(pairs, SOUND))[0]
    assert read is not None
    assert read.swap == ((("akita_black_bowl_1", "main_table_bowl_region"), ("a", "b")), (("c",), ("d",), ("e",)))
    assert f"(:swap {pairs})" in dumps(read)


def test_without_one_nothing_changes_places_and_nothing_is_printed() -> None:
    assert parse(SOUND).swap == ()
    assert ":swap" not in dumps(parse(SOUND))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("akita_black_bowl_1", "'(:swap' takes lists of what exchanges places, as in (:swap (bowl_1 plate_1))"),
        ("()", "'(:swap' takes lists of what exchanges places"),
        ("(akita_black_bowl_1 ())", "a group of '(:swap' has at least one name"),
        ("(akita_black_bowl_1)", "only (akita_black_bowl_1) is in a list of '(:swap'; at least two change places"),
        (
            "((akita_black_bowl_1 main_table_apple_region) gen_apple_0001_1)",
            "groups that exchange places have as many names each; these have not: "
            "(akita_black_bowl_1 main_table_apple_region), (gen_apple_0001_1)",
        ),
        ("(akita_black_bowl_1 bowl_2)", "unknown name in '(:swap' 'bowl_2'"),
        (
            "(akita_black_bowl_1 main_table)",
            "'main_table' is the table itself; only what starts on it, and its regions, exchange places",
        ),
        (
            f"{PAIR} (akita_black_bowl_1 main_table_apple_region)",
            "'akita_black_bowl_1' is 2 times in '(:swap'; it can go to one place only",
        ),
    ],
)
def test_what_cannot_exchange_places_is_refused_where_it_stands(words: str, sentence: str) -> None:
    text = swapped(words)
    found = [problem for problem in examine(text)[1] if sentence in problem.message]
    assert len(found) == 1
    assert found[0].severity == "error"
    assert text.split("\n")[found[0].place.line - 1].lstrip().startswith("(:swap")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "(On gen_apple_0001_1 main_table_apple_region)",
            "(On gen_apple_0001_1 akita_black_bowl_1)",
            "'gen_apple_0001_1' starts as (On gen_apple_0001_1 akita_black_bowl_1); only what has a region",
        ),
        (
            "((-0.08 0.02 -0.02 0.08))",
            "((-0.08 0.02 -0.02 0.08) (0.1 0.1 0.2 0.2))",
            "apple_region' has 2 ranges",
        ),
        (
            "main_table_bowl_region)",
            "main_table_apple_region)",
            "start in the same region; what exchanges",
        ),
    ],
)
def test_only_what_has_one_place_of_its_own_on_the_table_exchanges_it(old: str, new: str, sentence: str) -> None:
    assert old in APPLE
    assert any(sentence in problem.message for problem in examine(swapped(PAIR, APPLE.replace(old, new)))[1])


def test_each_name_goes_to_the_place_of_its_counterpart() -> None:
    swap = ((("a", "b"), ("c", "d"), ("e", "f")), (("g",), ("h",)))
    assert exchanged(swap, [(1, 2, 0), (0, 1)]) == {
        "a": "c", "b": "d", "c": "e", "d": "f", "e": "a", "f": "b", "g": "g", "h": "h",
    }  # fmt: skip
    assert alternatives(swap, "d") == ("b", "d", "f")
    assert alternatives(swap, "z") == ("z",)


def test_a_fixture_may_exchange_its_place_and_turns_as_it_is_to_stand_there() -> None:
    cabinet = APPLE.replace("main_table - table)", "main_table - table  box_1 - wooden_cabinet)").replace(
        "(:regions",
        "(:regions (box_region (:target main_table) (:ranges ((-0.1 -0.3 -0.1 -0.3))) (:yaw_rotation ((2.5 3.5))))"
        " (right (:target main_table) (:ranges ((-0.1 0.3 -0.1 0.3))) (:yaw_rotation ((0.0 0.0))))",
    )
    cabinet = cabinet.replace("(:init", "(:init (On box_1 main_table_box_region)")
    problems = examine(swapped("(box_1 main_table_right)", cabinet))[1]
    assert [one.message for one in problems if one.severity == "error"] == []
    nowhere = cabinet.replace("(On box_1 main_table_box_region)", "")
    problems = [one.message for one in examine(swapped("(box_1 main_table_right)", nowhere))[1]]
    assert len([one for one in problems if "box_1" in one]) == 1  # that it starts nowhere, once
    start, right = (Region(name, "main_table", yaw=yaw) for name, yaw in [("a", (2.5, 3.5)), ("b", (0.2, 0.4))])
    assert turn(start, right) == pytest.approx(-2.7)
    assert turn(start, Region("c", "main_table")) == 0.0
    assert turn(Region("c", "main_table"), right) == pytest.approx(0.3)


def test_a_thing_stands_for_the_region_that_it_starts_in() -> None:
    found = regions(parse(APPLE))
    assert found["gen_apple_0001_1"] == found["main_table_apple_region"]
    assert middle(found["akita_black_bowl_1"]) == pytest.approx((-0.05, -0.15))


def test_it_is_part_of_the_layout_and_libero_never_sees_it(tmp_path) -> None:
    write(tmp_path, "still")
    write(tmp_path, "swapped", old="(:fixtures", new=f"(:swap {PAIR})\n  (:fixtures")
    tasks = load_folder(tmp_path, "mine").tasks
    assert len({task.layout for task in tasks}) == 2
    for task in tasks:
        with plain_file(task) as path:
            assert ":swap" not in path.read_text()
