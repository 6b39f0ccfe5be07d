import pytest

from gauge.suites import load
from gauge.suites.libero import SUITES
from gauge.vbddl.instruction import suspicious


@pytest.mark.parametrize("suite", SUITES)
def test_the_benchmarks_own_sentences_are_ordinary(suite: str) -> None:
    assert [task.instruction for task in load(suite).tasks if suspicious(task.instruction)] == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Grab the bowl that is left of the cabinet's top drawer, please.",
        "place white mug on left plate and yellow-white mug on right plate",
        "from the robot's own point of view, pick up the bowl on the left and place it on the plate",
        "I would like some milk: bring it to the tray",
        "把碗放在盘子上",
        "put the 2 cans on the table 3 centimetres apart",
    ],
)
def test_ordinary_sentences_pass(sentence: str) -> None:
    assert suspicious(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("", "is empty"),
        (" \t", "is empty"),
        ("put the bowl on the plate view 0 0 100 0 0 initstate 1", "'view 0 0 100 0 0'"),
        ("put the bowl on the plate initstate 3", "'initstate 3'"),
        ("put the bowl on the plate table 14", "'table 14'"),
        ("KITCHEN SCENE10 close the drawer", "'KITCHEN SCENE10'"),
        ("put_the_bowl_on_the_plate", "file or object name"),
        ("put the akita_black_bowl_1 down", "'akita_black_bowl_1'"),
        ("see task.bddl", "'task.bddl'"),
        ("Sure, here is a rewritten instruction: lift the bowl", "chat model"),
        ("Here's the paraphrase: lift the bowl", "chat model"),
        ("Instruction: lift the bowl", "chat model"),
        ("As an AI language model I lift nothing", "chat model"),
        ("I cannot help with that", "chat model"),
        ("**lift** the bowl", "markup: '**'"),
        ("1. lift the bowl", "markup"),
        ('"lift the bowl"', "quotation marks"),
        ("lift the bowl\nnow", "line break"),
        ("lift\u200b the bowl", "invisible"),
        ("\ufefflift the bowl", "invisible"),
        ("open the drawer; close it", "LIBERO's own reader"),
        ("a " * 300, "has 600 characters"),
    ],
)
def test_sentences_no_person_wrote_are_flagged(sentence: str, words: str) -> None:
    assert any(words in message for message in suspicious(sentence))
