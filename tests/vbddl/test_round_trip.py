"""What is printed parses to the same task, and keeps the instruction byte for byte."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vbddl_tasks import SOUND, sentences, tasks

from gauge.core.items import Item
from gauge.errors import GaugeError
from gauge.suites.libero import benchmark_root
from gauge.vbddl import And, Literal, Region, Task, Thing, dumps, examine, load, parse, save
from gauge.vbddl.lexer import escape, tokens, unescape


@settings(deadline=None, max_examples=40)
@given(tasks)
def test_a_generated_task_round_trips(task: Task) -> None:
    read, _ = examine(dumps(task))
    assert read == task
    assert read.instruction.encode() == task.instruction.encode()
    assert dumps(read) == dumps(task)


@settings(deadline=None, max_examples=400)
@given(sentences)
def test_any_sentence_survives_its_brackets(sentence: str) -> None:
    assert unescape(escape(sentence)) == sentence
    pieces = [token for token in tokens(f"(:language {escape(sentence)})") if token.kind == "sentence"]
    assert [piece.text for piece in pieces] == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "Put the (black) bowl, please: the 'left' one; not the \"right\" one!",
        "smile :)",
        "((",
        "ends with a backslash \\",
        "C:\\(x)\\",
        "\ufeffput the 碗 на стол, s'il vous plaît",
        "two\nlines\r\nand\ta tab",
        "a\n  (:goal (And (On a b)))",
        "",
    ],
)
def test_a_sentence_is_kept_byte_for_byte(sentence: str, tmp_path: Path) -> None:
    import dataclasses

    task = dataclasses.replace(parse(SOUND), instruction=sentence)
    save(task, tmp_path / "task.bddl")
    assert load(tmp_path / "task.bddl").instruction.encode() == sentence.encode()
    marked = tmp_path / "marked.bddl"
    marked.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "task.bddl").read_bytes())
    assert load(marked) == task


def test_a_plain_file_keeps_case_and_punctuation_of_its_sentence() -> None:
    text = SOUND.replace("Put the bowl in the Top drawer", "  Put  the BOWL;  in (yes) the drawer  ")
    assert parse(text).instruction == "Put  the BOWL;  in (yes) the drawer"


def test_case_and_comments_change_nothing_else() -> None:
    loud = SOUND.replace("And", "AND").replace("akita_black_bowl_1", "Akita_Black_Bowl_1").replace(":init", ":INIT")
    loud = loud.replace("(:fixtures", "; a comment with (brackets\n  (:fixtures ; another)")
    assert parse(loud) == parse(SOUND)


@pytest.mark.parametrize("suite", ["libero_spatial", "libero_goal", "libero_10_lan"])
def test_packaged_files_round_trip(suite: str) -> None:
    for path in sorted((benchmark_root() / "bddl_files" / suite).glob("*.bddl")):
        task = load(path)
        assert parse(dumps(task)) == task
        assert task.instruction in path.read_text(encoding="utf-8")


def test_items_go_there_and_back() -> None:
    import dataclasses

    light = Item("visual", "light", "light_diffuse", (0.2,))
    tint = Item("visual", "light", "light_color", ("red(1,.4,.4)", "dark+dark-blue", '"', "0.5"), "dynamic")
    task = dataclasses.replace(parse(SOUND), items=(light, tint))
    text = dumps(task)
    assert str(light) in text
    assert str(tint) in text
    assert parse(text).items == (tint, light)  # canonical order: by attribute
    assert [type(value) for value in parse(text).items[0].values] == [str] * 4


def test_an_integer_value_stays_one() -> None:
    text = SOUND.replace(
        "(:init", "(:variant (:item (:category a) (:factor b) (:attribute c) (:values 1 2.0)(:mode dynamic)))(:init"
    )
    assert [type(value) for value in parse(text).items[0].values] == [int, float]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"instruction": " blank"}, "starts or ends with blanks"),
        ({"instruction": "\ud800"}, "half a character"),
        ({"problem": "a) (:goal"}, "cannot be a name"),
        ({"objects": (Thing("Plate_1", "plate"),)}, "lower-case"),
        ({"objects": (Thing("../../plate", "plate"),)}, "cannot be a name"),
        ({"regions": (Region("a", "b", yaw=(0.0, float("inf"))),)}, "numbers are finite"),
        ({"goal": And(())}, "says nothing"),
        ({"goal": Literal("On", ("?x", "plate_1"))}, "bound by no Forall"),
        ({"goal": Literal("on", ("a", "b"))}, "write 'On'"),
        ({"items": (Item("a b", "c", "d", (1.0,)),)}, "cannot name an item"),
        ({"items": (Item("a", "c", "d", (float("nan"),)),)}, "numbers are finite"),
    ],
)
def test_what_cannot_be_written_is_refused(change: dict[str, object], message: str) -> None:
    import dataclasses

    with pytest.raises(GaugeError, match=message):
        dumps(dataclasses.replace(parse(SOUND), **change))


@given(st.lists(st.sampled_from("ab"), max_size=6))
def test_declarations_are_grouped_by_type(kinds: list[str]) -> None:
    things = tuple(Thing(f"t{index}", kind) for index, kind in enumerate(kinds))
    task = Task("p", "d", "", (), (), things, (), Literal("Up", ("t0",)))
    assert [thing.type for thing in task.objects] == sorted(kinds, key=kinds.index)
    assert examine(dumps(task))[0] == task
