"""How far a layout starts from where it is written: read, printed, refused, and part of what a layout is."""

import pytest
from scenario_files import write
from vbddl_tasks import SOUND

from gauge.sim.scenario import plain_file
from gauge.suites.scenario import load_folder
from gauge.vbddl import dumps, examine, parse


def shifted(words: str) -> str:
    return SOUND.replace("(:fixtures", f"(:shift {words})\n  (:fixtures", 1)


def test_a_shift_is_read_and_printed() -> None:
    task = parse(shifted("0.05 0.08"))
    assert task.shift == (0.05, 0.08)
    assert "(:shift 0.05 0.08)" in dumps(task)
    assert parse(dumps(task)) == task


def test_without_one_nothing_is_moved_and_nothing_printed() -> None:
    assert parse(SOUND).shift == (0.0, 0.0)
    assert ":shift" not in dumps(parse(SOUND))
    assert parse(shifted("0 0")) == parse(SOUND)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "'(:shift' takes two lengths, along x and along y in metres"),
        ("0.05", "'(:shift' takes two lengths"),
        ("(0.05 0.08)", "'(:shift' takes two lengths"),
        ("0.05 wide", "each length of '(:shift' is a number, not 'wide'"),
        ("-0.05 0.08", "each length of '(:shift' is from 0 to 0.3 m; it goes to either side"),
        ("0.05 0.31", "each length of '(:shift' is from 0 to 0.3 m"),
    ],
)
def test_what_is_no_shift_is_refused_where_it_stands(words: str, sentence: str) -> None:
    text = shifted(words)
    (problem,) = examine(text)[1]
    assert problem.severity == "error"
    assert sentence in problem.message
    assert text.split("\n")[problem.place.line - 1].lstrip().startswith("(:shift")


def test_it_is_part_of_the_layout_and_libero_never_sees_it(tmp_path) -> None:
    write(tmp_path, "still")
    write(tmp_path, "moved", old="(:fixtures", new="(:shift 0.05 0.08)\n  (:fixtures")
    write(tmp_path, "farther", old="(:fixtures", new="(:shift 0.05 0.09)\n  (:fixtures")
    tasks = load_folder(tmp_path, "mine").tasks
    assert len({task.layout for task in tasks}) == 3
    for task in tasks:
        with plain_file(task) as path:
            assert ":shift" not in path.read_text()
