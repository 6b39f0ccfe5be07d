import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console, Group

from gauge.errors import GaugeError
from gauge.records.load import Planned
from gauge.records.query import by_task, summary
from gauge.report.sweep import sweep_report
from gauge.report.table import cell_report, cell_table, notes, text

Stored = Callable[..., Path]

LONG = "pick_up_the_black_bowl_between_the_plate_and_the_ramekin_and_place_it_on_the_plate"

CELL = """\
pi0 libero_goal image_shift=0.1

 Task                           Success   95% interval  Episodes  Steps  Errors
 ──────────────────────────────────────────────────────────────────────────────
 open the drawer                  90.0%   [59.6, 98.2]      9/10    104       0
 pick up the black bowl           44.4%   [18.9, 73.3]       4/9    103       1
 between the plate and the
 ramekin and place it on the
 plate
 turn on the stove                    -  not evaluated         0      -       2

 all tasks                        68.4%   [46.0, 84.6]     13/19    104       3

Worst task:
pick_up_the_black_bowl_between_the_plate_and_the_ramekin_and_place_it_on_the_pla
te at 44.4%.
3 episodes ended in an error; they count neither as success nor as failure.
Unfinished: image_shift=0.1, 19 of 22 episodes evaluated; run the same command
again.
"""

SWEEP = """\
pi0 libero_goal

 Perturbation         Success   95% interval  Episodes  Lowest  Errors
 ─────────────────────────────────────────────────────────────────────
 clean                 100.0%  [72.2, 100.0]     10/10  100.0%       0
 image_shift=-0.1           -  not evaluated         0       -       0
 image_shift=0.1        70.0%   [39.7, 89.2]      7/10   40.0%       0
 image_shift=dynamic     0.0%    [0.0, 32.4]       0/8    0.0%       2

Worst task: stove at 40.0% (image_shift=0.1).
2 episodes ended in an error; they count neither as success nor as failure.
Unfinished: image_shift=-0.1, 0 of 10 episodes evaluated; run the same command
again.
Unfinished: image_shift=dynamic, 8 of 10 episodes evaluated; run the same
command again.
"""


def test_golden_cell(stored: Stored) -> None:
    tasks = {"open_the_drawer": "sssssssssf", LONG: "sfsfsfsffe", "turn_on_the_stove": "ee"}
    assert text(cell_report(stored(0.1, tasks=tasks))) == CELL


def test_golden_sweep(stored: Stored) -> None:
    stored(0.1, tasks={"drawer": "sssss", "stove": "sffsf"})
    stored(0.1, 0.2, tasks={"drawer": "fffff", "stove": "fffee"})
    stored(-0.1, tasks={})
    folder = stored(tasks={"drawer": "sssss", "stove": "sssss"})
    assert text(sweep_report(summary(folder.parent))) == SWEEP


def test_one_broken_task_in_ten_is_called_out(stored: Stored) -> None:
    tasks = {f"task{i}": "sssss" for i in range(9)} | {"stack": "fffff"}
    assert notes(summary(stored(tasks=tasks))) == ["Worst task: stack at 0.0%."]


def test_even_tasks_need_no_note(stored: Stored) -> None:
    assert notes(summary(stored(tasks={"a": "sf", "b": "sf"}))) == []


def test_planned_episodes_that_are_missing_are_named(stored: Stored) -> None:
    cells = summary(stored(tasks={"a": "ss"}))
    assert notes(cells, Planned(("libero_goal/a",), 2)) == []
    assert notes(cells, Planned(("libero_goal/a",), 50)) == [
        "Unfinished: clean, 2 of 50 episodes evaluated; run the same command again."
    ]


def test_tasks_without_sense_are_named_and_not_missed(stored: Stored) -> None:
    folder = stored(0.1, tasks={"libero_goal/a": "ss"})
    (cell_id,) = summary(folder.parent).cell_id
    planned = Planned(("libero_goal/a", "libero_goal/b"), 2, ((cell_id, 1),))
    assert notes(summary(folder.parent, planned=planned), planned) == [
        "Not applicable: image_shift=0.1 makes no sense in 1 task(s); the rest counts."
    ]


def test_only_planned_episodes_are_compared(stored: Stored) -> None:
    stored(tasks={"libero_goal/a": "ssssf", "libero_goal/b": "fffff"})
    folder = stored(0.1, tasks={"libero_goal/a": "sf"})
    planned = Planned(("libero_goal/a",), 2)
    cells = summary(folder.parent, planned=planned)
    assert cells[["label", "n", "successes"]].values.tolist() == [["clean", 2, 2], ["image_shift=0.1", 2, 1]]
    assert notes(cells, planned) == []


def test_a_policy_without_eyes_is_said_to_be_one(stored: Stored) -> None:
    folder = stored(0.1, tasks={"a": "ss"})
    file = next(folder.glob("episodes-*"))
    items = '"items": [{"attribute": "image_shift", "seen_by_policy": false}]'
    file.write_text(file.read_text().replace('"items": []', items))
    assert notes(summary(folder)) == ["pi0 looks at no image: an image perturbation cannot reach it."]


def test_what_is_wrong_with_the_records_is_said(stored: Stored) -> None:
    folder = stored(tasks={"a": "ss"})
    good = next(folder.glob("episodes-*")).read_text().splitlines()
    changed = good[0].replace('"success"', '"fail"')
    other = good[1].replace('"2.4"', '"1.26"').replace('"rollout": 1', '"rollout": 2')
    (folder / "episodes-b.jsonl").write_text("\n".join([changed, good[1], other, good[0][:50]]))
    cells = summary(folder)
    cells["conflicts"] = 1
    said = "\n".join(notes(cells))
    assert "Not deterministic: 1 episodes of clean are on record with both results" in said
    assert "2 episodes were evaluated more than once" in said
    assert "1 damaged lines in clean were left out" in said
    assert "Results come from different numpy (1.26, 2.4): rates may differ by that alone." in said


def test_no_colour_codes_in_a_file_and_nothing_wider_than_80(stored: Stored) -> None:
    folder = stored(0.1, tasks={LONG: "sf", "[red]odd": "ss"}, model="a_model_with_quite_a_long_name" * 3)
    file = io.StringIO()
    Console(file=file).print(Group(cell_report(folder), sweep_report(summary(folder))))
    assert "\x1b" not in file.getvalue()
    assert "[red]odd" in file.getvalue()
    assert max(map(len, file.getvalue().splitlines())) <= 80


def test_a_title_shows_the_models_apart(stored: Stored) -> None:
    stored(tasks={"a": "s"}, model="pi0")
    folder = stored(tasks={"a": "f"}, model="openvla")
    shown = text(sweep_report(summary(folder.parent)))
    assert shown.index("openvla libero_goal") < shown.index("pi0 libero_goal")


def test_total_weighs_steps_by_successes(stored: Stored) -> None:
    tasks = by_task(stored(tasks={"a": "sss", "b": "sfffff"}))
    assert "4/9    101" in text(cell_table(tasks, "x"))


def test_an_empty_cell_is_an_error(stored: Stored) -> None:
    with pytest.raises(GaugeError, match="holds no evaluated episode yet"):
        cell_report(stored(tasks={}))


def test_episodes_without_steps_have_no_mean(stored: Stored) -> None:
    tasks = by_task(stored(tasks={"a": "sss", "b": "ff"}))
    shown = text(cell_table(tasks.assign(mean_steps_success=float("nan")), "x"))
    assert "3/5      -" in shown
    assert "nan" not in shown
