# ruff: noqa: E501  (a table reads best with one case a line)
"""Every problem of a file is found, named and placed; the closest known name is offered."""

import pytest
from vbddl_tasks import SOUND

from gauge.vbddl import TaskFileError, examine, parse

LITERAL = "(In akita_black_bowl_1 wooden_cabinet_1_top_region)"
GOAL = f"(And {LITERAL})"


def found(text: str) -> list[str]:
    return [f"{problem.place} {problem.severity} {problem.message}" for problem in examine(text)[1]]


def changed(old: str, new: str, at: str) -> tuple[list[str], str]:
    """The problems of the sound task with a change, and the place of `at`, or of the mark @ in the change."""
    assert old in SOUND
    text = SOUND.replace(old, new, 1)
    offset = text.index("@") if "@" in new else text.index(at)
    text = text.replace("@", "")
    before = text[:offset].split("\n")
    return found(text), f"{len(before)}:{len(before[-1]) + 1}"


def test_the_sound_task_has_no_problem() -> None:
    assert found(SOUND) == []


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("LIBERO_Tabletop", "LIBERO_Tabeltop", "(problem", "did you mean libero_tabletop_manipulation"),
        ("robosuite", "igibson", "(:domain", "domain 'igibson' cannot be simulated here"),
        ("(:domain robosuite)", "", "(define", "the task has no (:domain ...)"),
        ("(:obj_of_interest", "(:init", "(:init\n    (On", "section '(:init' is given twice (first at 16:3)"),
        ("(:goal", "@(:goals", "", "unknown section ':goals'; did you mean :goal"),
        ("(:fixtures", "@(:scene_properties (floor (:floor wood)))\n(:fixtures", "", "(:scene_properties' is refused"),
        ("- akita_black_bowl", "- akita_blak_bowl", "akita_black_bowl_1 - ", "did you mean akita_black_bowl"),
        ("- akita_black_bowl\n", "\n", "akita_black_bowl_1 \n", "'akita_black_bowl_1' has no type"),
        ("- akita_black_bowl\n", "@-\n", "", "'-' is followed by a type"),
        ("- akita_black_bowl", "- red_box", "akita_black_bowl_1 - ", "custom_objects/red_box/red_box.xml is not in the installed"),
        ("- wooden_cabinet", "- basket", "wooden_cabinet_1 - ", "a basket cannot be fixed"),
        ("main_table - table", "@my_table - table", "", "is called main_table, not my_table"),
        ("main_table - table", "", "(:fixtures", "needs its table among the fixtures"),
        ("akita_black_bowl_1 -", "akita_black_bowl_1 @akita_black_bowl_1 -", "", "is declared twice (first at 14:5)"),
        ("(top_region", "@(bowl_region (:target main_table) (:ranges ((0 0 1 1))))(top_region", "", "declared twice"),
        ("- akita_black_bowl\n", "- akita_black_bowl plate_1 - plate plate_2 - @plate\n", "", "LIBERO keeps only the last"),
        ("(:target main_table) (:ranges", "(:ranges", "(bowl_region", "region 'bowl_region' has no (:target ...)"),
        ("(:target main_table)", "@(:targte main_table)", "", "unknown attribute of a region ':targte'; did you mean"),
        ("(top_region", "(topp_region", "(Open", "region 'wooden_cabinet_1_top_region' is not declared"),
        ("-0.1 -0.01 -0.08", "-0.1 -0.01 -0.18", "(-0.1", "its minimum is above its maximum"),
        ("-0.1 -0.01 -0.08 0.01", "-0.1 -0.01 -0.08", "(-0.1", "is a list of 4 numbers"),
        ("-0.1 -0.01", "@nan -0.01", "", "is a number, not 'nan'"),
        ("-0.1 -0.01", "@1e999 -0.01", "", "is a number, not '1e999'"),
        ("3.14 3.14", "pi/2 @pi/2", "", "nothing is evaluated"),
        ("3.14 3.14", '__import__("os").getcwd() 0', "(__import", "list of 2 numbers"),
        ("(On akita_black_bowl_1 main_table_bowl_region)", "", "akita_black_bowl_1 - ", "'akita_black_bowl_1' is placed nowhere"),
        ("(Open w", "@(On akita_black_bowl_1 main_table_bowl_region) (Open w", "", "is stated twice; LIBERO fails on it"),
        ("(Open w", "@(On akita_black_bowl_1 main_table_cabinet_region) (Open w", "", "is placed twice"),
        ("(Open w", "(Close wooden_cabinet_1_top_region) @(Open w", "", "contradicts (Close"),
        ("(Open w", "@(Up akita_black_bowl_1) (Open w", "", "'Up' cannot be set up at the start"),
        ("(Open wooden_cabinet_1_top_region)", "@(not (Open wooden_cabinet_1_top_region))", "", "cannot state that something does not"),
        ("(On akita_black_bowl_1 main_table_bowl_region)", "@(On akita_black_bowl_1 wooden_cabinet_1)", "", "name a region of it: wooden_cabinet_1_top_side"),
        (LITERAL, "@(Onn akita_black_bowl_1 main_table)", "", "unknown predicate 'onn'"),
        (LITERAL, "@(On akita_black_bowl_1)", "", "On takes 2 names, not 1; write (On OBJECT PLACE)"),
        (LITERAL, "@(In akita_black_bowl_1 wooden_cabinet_1)", "", "In needs a region, not the object"),
        (LITERAL, "@(On akita_black_bowl_1 main_table)", "", "needs a region of the table"),
        (LITERAL, "@(In akita_black_bowl_2 wooden_cabinet_1_top_region)", "", "did you mean akita_black_bowl_1"),
        (LITERAL, "@(Open akita_black_bowl_1)", "", "Open says nothing about a akita_black_bowl"),
        (LITERAL, "@(Open main_table_bowl_region)", "", "Open says nothing about a table"),
        (LITERAL, "@(Up main_table_bowl_region)", "", "is a region; (Up OBJECT) wants an object"),
        (LITERAL, "@(InContact akita_black_bowl_1 akita_black_bowl_1)", "", "to itself"),
        (LITERAL, "@(True akita_black_bowl_1)", "", "'true' is refused"),
        (LITERAL, "@(imply (Up a) (Up b))", "", "'imply' cannot be evaluated"),
        (LITERAL, "@(forn (2) (?x - plate) (Up ?x))", "", "'forn' cannot be evaluated"),
        (LITERAL, "@(forall (?x - plate) (Up ?x))", "", "nothing of the type is declared"),
        (LITERAL, "(forall @(x - plate) (Up x))", "", "a variable starts with '?'"),
        (LITERAL, "@(exists (?x) (Up ?x))", "", "takes one variable with its type"),
        (LITERAL, "@(not)", "", "'not' takes one formula"),
        (LITERAL, "", "(And", "'(and)' is empty: it always holds"),
        (GOAL, "", "(:goal", "the goal is empty"),
        (GOAL, "(Up akita_black_bowl_1) @(Up akita_black_bowl_1)", "", "the goal is one formula"),
        (GOAL, "(Open wooden_cabinet_1_top_region)", "(:goal", "the goal holds at the start"),
        (GOAL, "(Not (Close wooden_cabinet_1_top_region))", "(:goal", "the goal holds at the start"),
        ("(:init", "(:variant (:item (:category a) (:factor b) @(:attribut c) (:value 1)))\n(:init", "", "did you mean :attribute"),
        ("(:init", "(:variant (:item (:category a) (:factor b) (:attribute c) @(:value 1 2)))\n(:init", "", "takes one value"),
        ("(:init", "(:variant (:item (:category a) (:factor b) (:attribute c) (:value 1) (:mode @often)))\n(:init", "", "static or dynamic"),
        ("(:init", "(:variant @(:item (:category a) (:factor b) (:attribute c) (:values 1 1)(:mode dynamic)))\n(:init", "", "2 different values"),
        ("(:init", "(:variant (:item (:category a) (:factor b) (:attribute @../c) (:value 1)))\n(:init", "", "is not a name"),
    ],
)  # fmt: skip
def test_an_error_is_named_and_placed(old: str, new: str, at: str, words: str) -> None:
    problems, place = changed(old, new, at)
    assert any(problem.startswith(f"{place} error ") and words in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("akita_black_bowl_1\n  )\n  (:init", "bowl_1\n  )\n  (:init", "(:obj_", "unknown name 'bowl_1'; did you mean akita_black_bowl_1"),
        ("(top_region", "@(middel_region (:target wooden_cabinet_1)) (top_region", "", "did you mean middle_region"),
        ("(top_region", "@(a (:target main_tabel)) (top_region", "", "unknown target 'main_tabel'; did you mean main_table"),
        ("(top_region", "@(top_region (:target bowl_drainer_1)) (top_region", "", "(nothing uses the region)"),
        (GOAL, "(And @(Open wooden_cabinet_1_top_region) (Up akita_black_bowl_1))", "", "this part of the goal holds at the start"),
        ("Put the bowl in the Top drawer", "", "(:language", "the instruction is empty"),
        ("(Open w", "(Open wooden_cabinet_1_top_region) @(Open w", "", "is stated twice"),
    ],
)  # fmt: skip
def test_a_warning_is_named_and_placed(old: str, new: str, at: str, words: str) -> None:
    problems, place = changed(old, new, at)
    assert [problem for problem in problems if problem.startswith(f"{place} warning ") and words in problem], problems
    assert not any(" error " in problem for problem in problems)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "the file is empty"),
        ("; only a comment\n", "1:1", "the file is empty"),
        ("hello", "1:1", "a task starts with '(define', not with 'hello'"),
        ("(defin)", "1:1", "a task starts with '(define'"),
        ("(define (domain igibson))", "1:9", "this file defines a domain, not a task"),
        ("(" * 60, "1:51", "nested more than 50 deep"),
        ("a" * 300_000, "1:1", "the file has 300000 characters"),
        (SOUND + ")", "28:1", "this ')' closes nothing: '(define' was closed at 27:1; the section before, '(:goal' of 24:3"),
        (SOUND + "x", "28:1", "text after the end of '(define'"),
        (SOUND[: -len("  )\n)\n")], "24:3", "the bracket of '(:goal' of 24:3 is never closed"),
        (SOUND.replace(GOAL, GOAL[:-1]), "25:5", "by the indentation, '(And' of 25:5 lacks it"),
        (SOUND.replace("    main_table - table", "    main_table - table ("), "9:3", "'(:fixtures' is not closed before the next section at 13:3"),
        (SOUND.replace("    main_table - table", "    main_table - table))"), "11:5", "text after the end of '(define' at 10:24"),
        (SOUND.replace("Put", "Put :)"), "3:47", r"a single bracket in the instruction is written \( or \)"),
        (SOUND.replace("Put", "Put ("), "3:3", r"a single bracket in the instruction is written \( or \)"),
    ],
)  # fmt: skip
def test_a_broken_structure_is_one_error_at_its_place(text: str, place: str, words: str) -> None:
    problems = found(text)
    assert len(problems) == 1
    assert problems[0].startswith(f"{place} error ")
    assert words in problems[0]


def test_a_used_region_of_nothing_is_an_error() -> None:
    text = SOUND.replace("(:target wooden_cabinet_1)", "(:target cabinet)").replace(
        "wooden_cabinet_1_top", "cabinet_top"
    )
    fault = "error region 'top_region' has an unknown target 'cabinet'; did you mean wooden_cabinet_1, main_table"
    assert f"7:5 {fault}" in found(text)


def test_a_region_that_libero_would_take_for_the_tables_is_an_error() -> None:
    text = SOUND.replace("wooden_cabinet_1", "main_table_cabinet")
    assert any(
        "LIBERO takes region 'main_table_cabinet_top_region' for one of the table" in each for each in found(text)
    )


def test_all_problems_of_a_file_come_together() -> None:
    text = (
        SOUND.replace("- akita_black_bowl", "- akita_blak_bowl")
        .replace("(In a", "(Inn a")
        .replace("(:target main_table)", "", 1)
    )
    with pytest.raises(TaskFileError) as caught:
        parse(text, "a.bddl")
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == ["a.bddl:5:5", "a.bddl:14:5", "a.bddl:20:5", "a.bddl:25:10"]
    assert caught.value.exit_code == 2


def test_columns_count_characters_after_any_line_end() -> None:
    text = SOUND.replace("\n", "\r\n").replace("Put the", "碗 the").replace("(In a", "(Inn a")
    assert [problem.split()[0] for problem in found(text)] == ["25:10"]
    assert [problem.split()[0] for problem in found(SOUND.replace("\n", "\r").replace("(In a", "(Inn a"))] == ["25:10"]
