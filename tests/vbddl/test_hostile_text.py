"""Task text from strangers: mutated files never crash, hang or execute."""

import sys
import time
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vbddl_tasks import SOUND

from gauge.vbddl import Problem, Task, dumps, examine
from gauge.vbddl.reader import MAX_CHARACTERS

PIECES = [
    "(", ")", "((", "))", '"', "\\", ";", "\n", "\r", "\0", "?", "-", "\ufeff", "碗", "nan", "1e999", "9" * 5000,
    "(:language", "(:goal", "\n(:goal", "(and", "(not", "(forall (?x - table)", "(:variant (:item", '(:value "',
    '__import__("os").system("true")', "exec('1')", "${oc.env:HOME}", "!!python/object", "../../etc/passwd",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = SOUND
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        until = draw(st.integers(at, min(len(text), at + 60)))
        new = draw(st.one_of(st.sampled_from(PIECES), st.text(max_size=5), st.just(text[at:until] * 2)))
        text = text[:at] + new + text[until:]
    return text


class Guard:
    """Listens to the interpreter: nothing may be compiled, executed, imported, opened or started under it."""

    watching = False
    seen: ClassVar[list[str]] = []

    @classmethod
    def hear(cls, event: str, _: object) -> None:
        if cls.watching and event.split(".")[0] in ("exec", "compile", "import", "open", "os", "subprocess", "socket"):
            cls.seen.append(event)


sys.addaudithook(Guard.hear)
examine(SOUND)  # the catalogue is read once


def look_at(text: str) -> tuple[Task | None, tuple[Problem, ...]]:
    Guard.seen.clear()
    Guard.watching = True
    try:
        found = examine(text)
    finally:
        Guard.watching = False
    assert Guard.seen == []
    return found


def test_the_guard_hears_what_is_executed() -> None:
    Guard.seen.clear()
    Guard.watching = True
    eval("1 + 1")
    Guard.watching = False
    assert "exec" in Guard.seen


@settings(deadline=None, max_examples=400)
@given(mutated())
def test_mutated_text_is_read_or_refused(text: str) -> None:
    task, problems = look_at(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert task is not None or problems
    assert all(1 <= problem.place.line <= len(lines) for problem in problems)
    assert all(1 <= problem.place.column <= len(lines[problem.place.line - 1]) + 1 for problem in problems)
    if task is not None and not any(problem.severity == "error" for problem in problems):
        assert examine(dumps(task))[0] == task


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    task, problems = look_at(text)
    assert task is not None or problems


N = MAX_CHARACTERS


@pytest.mark.parametrize(
    "text",
    [
        "(" * N,
        ")" * N,
        "()" * (N // 2),
        "(define " + "()" * (N // 2 - 10) + ")",
        '"' * N,
        '"\\' * (N // 2),
        '" ' * (N // 2),
        "\\" * N,
        "(:language " + "\\" * (N - 20),
        "(:language " + "(" * (N - 20),
        "(define " + "(:language a)" * (N // 13 - 2),
        "(define\n" + "(:language a\n" * (N // 13 - 2),
        "(define\n" + "\n" * (N - 20),
        "(define (:language " + "\n" * (N - 40) + "))",
        "(define (:language " + "a" * (N - 40) + "))",
        "(define (:language " + "a_" * (N // 2 - 40) + "))",
        "(define (:objects " + "a " * (N // 2 - 20) + "))",
        "(define (:objects " + "a - b " * (N // 6 - 20) + "))",
        SOUND.replace("(And", "(And " + "(Up akita_black_bowl_1)" * 10_000),
        SOUND.replace("(And", "(And " + "(Upp akita_blak_bowl_1)" * 10_000),
        SOUND.replace("(And", "(And " + "(forall (?x - table)" * 40),
        SOUND.replace("(:init", "(:init " + "(On akita_black_bowl_1 main_table_bowl_region)" * 5000),
    ],
    ids=lambda text: text[:20].replace("\n", " "),
)
def test_the_longest_texts_take_no_longer_than_their_length(text: str) -> None:
    assert len(text) <= N
    began = time.process_time()
    examine(text)
    assert time.process_time() - began < 5.0
