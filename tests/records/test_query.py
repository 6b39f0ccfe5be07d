import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path

import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination, Item
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.records.lines import COLUMNS
from gauge.records.query import by_task, cell_state, check_fingerprints, episodes, summary
from gauge.records.store import open_cell

Make = Callable[..., EpisodeRecord]
Store = Callable[[Path, Cell, Iterable[EpisodeRecord]], Path]

EARLY, LATE = "2026-11-29T10:00:00+00:00", "2026-11-29T11:00:00+00:00"


def write(folder: Path, *lines: str | bytes, name: str = "a") -> None:
    data = b"".join(line.encode() if isinstance(line, str) else line for line in lines)
    (folder / f"episodes-{name}.jsonl").write_bytes(data)


DAMAGE: dict[str, bytes] = {
    "garbage": b"???!! {{{\n",
    "zero bytes": b"\0" * 5000 + b"\n",
    "broken text": b'\xff\xfe{"a":\n',
    "no object": b"[1, 2]\n",
    "a number": b"3\n",
    "null": b"null\n",
    "no seed": b'{"cell_id": "CELL", "scenario_id": "x", "rollout": 0, "status": "fail"}\n',
    "odd status": b'{"cell_id": "CELL", "scenario_id": "x", "rollout": 0, "seed": 1, "status": "maybe"}\n',
    "odd rollout": b'{"cell_id": "CELL", "scenario_id": "x", "rollout": "one", "seed": 1, "status": "fail"}\n',
    "another cell's": b'{"cell_id": "000000000000", "scenario_id": "x", "rollout": 0, "seed": 1, "status": "fail"}\n',
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_line_is_counted_and_hides_no_neighbour(
    folder: Path, record: Make, cell: Cell, damage: bytes
) -> None:
    before, after = record("a", 0), record("a", 1)
    write(folder, before.to_line(), damage.replace(b"CELL", cell.id.encode()), after.to_line())
    state = cell_state(folder)
    assert state.records == {before.key: before, after.key: after}
    assert state.damaged == 1
    assert list(episodes(folder).rollout) == [0, 1]


def test_a_torn_last_line(folder: Path, record: Make) -> None:
    write(folder, record("a", 0).to_line(), record("a", 1, prompt="é").to_line().encode()[:-40])
    write(folder, record("a", 2).to_line(), name="b")
    state = cell_state(folder)
    assert sorted(state.records) == [("a", 0), ("a", 2)]
    assert state.damaged == 1


def test_two_torn_lines_run_together(folder: Path, record: Make) -> None:
    write(folder, record("a", 0).to_line()[:-1], record("a", 1).to_line(), record("a", 2).to_line())
    state = cell_state(folder)
    assert (sorted(state.records), state.damaged) == ([("a", 2)], 1)


def test_blank_lines_and_keys_of_later_versions_are_no_damage(folder: Path, record: Make) -> None:
    newer = json.loads(record("a", 1).to_line()) | {"mood": {"is": ["good"]}, "record_version": 9}
    write(folder, "\n\n", record("a", 0).to_line(), "\r\n", json.dumps(newer), "\n\n", name="a")
    write(folder, name="empty")
    state = cell_state(folder)
    assert sorted(state.records) == [("a", 0), ("a", 1)]
    assert state.damaged == 0


def test_a_result_beats_an_error_and_the_earliest_result_counts(folder: Path, record: Make) -> None:
    write(
        folder,
        record("a", 0, "error", finished_at=EARLY, reason="black frame").to_line(),
        record("a", 0, "fail", finished_at=LATE, steps=220, attempt=2).to_line(),
        record("b", 0, "success", finished_at=LATE, steps=9).to_line(),
        record("b", 0, "success", finished_at=EARLY, steps=7).to_line(),
    )
    state = cell_state(folder)
    assert (state.records["a", 0].status, state.records["b", 0].steps) == ("fail", 7)
    assert (state.duplicates, state.conflicts) == (1, [])
    assert list(episodes(folder).steps) == [220, 7]


def test_of_errors_the_last_attempt_counts_so_that_attempts_count_up(folder: Path, record: Make) -> None:
    tries = [record("a", 0, "error", attempt=n, finished_at=f"2026-11-29T1{n}:00") for n in (1, 2, 3)]
    write(folder, *(each.to_line() for each in tries))
    state = cell_state(folder)
    assert state.records["a", 0].attempt == 3
    assert state.duplicates == 0


def test_two_results_that_disagree_are_a_conflict(folder: Path, record: Make, store: Store, cell: Cell) -> None:
    write(folder, record("a", 4, "fail", finished_at=LATE).to_line(), name="one")
    write(folder, record("a", 4, "success", finished_at=EARLY).to_line(), record("a", 5).to_line(), name="two")
    state = cell_state(folder)
    assert state.conflicts == [("a", 4, ("fail", "success"))]
    assert state.records["a", 4].status == "success"
    row = summary(folder).iloc[0]
    assert (row.conflicts, row.duplicates, row.n) == (1, 1, 2)


def test_an_unevaluated_cell_has_an_empty_state(folder: Path) -> None:
    assert cell_state(folder).records == {}


def test_what_is_missing_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(GaugeError, match="nowhere is not a folder"):
        summary(tmp_path / "nowhere")
    (tmp_path / "void").mkdir()
    with pytest.raises(GaugeError, match=r"void holds no results; give the folder of a study"):
        episodes(tmp_path / "void")
    for question in (episodes, by_task, summary):
        with pytest.raises(GaugeError, match=f"{folder.parent.name} holds no evaluated episode yet"):
            question(folder.parent)
    with pytest.raises(GaugeError, match=r"holds no cell\.json"):
        cell_state(tmp_path / "void")


def test_unknown_cell_names_the_known(folder: Path, record: Make, cell: Cell) -> None:
    write(folder, record().to_line())
    for question in (episodes, by_task):
        with pytest.raises(GaugeError, match=f"unknown cell '{cell.id[:-1]}'; did you mean {cell.id}"):
            question(folder, cell.id[:-1])


def test_the_columns_are_the_record(folder: Path, record: Make, cell: Cell) -> None:
    assert {field.name for field in fields(EpisodeRecord)} == {*COLUMNS, "record_version"}
    write(folder, record("a", 1, "error", wall_s={"policy": 0.5}, fingerprint={"mujoco": "3.3.2"}).to_line())
    row = episodes(folder, cell.id).iloc[0]
    assert row.seed == 2**63 + 1
    assert json.loads(row.wall_s) == {"policy": 0.5}
    assert row.mujoco == "3.3.2"


def test_brackets_in_a_path_are_no_pattern(tmp_path: Path, cell: Cell, record: Make, store: Store) -> None:
    store(tmp_path / "value=[1,2]*", cell, [record()])
    store(tmp_path / "value=1", cell, [record("other")])
    assert list(episodes(tmp_path / "value=[1,2]*").scenario_id) == ["drawer"]


def cell_of(*values: float | str, attribute: str = "image_shift") -> Cell:
    mode = "dynamic" if len(values) > 1 else "static"
    items = [Item("vision", "camera", attribute, values, mode)] if values else []
    return Cell({"name": "pi0"}, {"name": "goal"}, Combination.of(items))


def results_of(cell: Cell, **tasks: str) -> list[EpisodeRecord]:
    """A record per letter: s(uccess), f(ail), e(rror)."""
    status = {"s": "success", "f": "fail", "e": "error"}
    return [
        EpisodeRecord(
            cell.id, task, i, seed=i, status=status[letter], success_step=10 * (i + 1) if letter == "s" else None
        )  # type: ignore[arg-type]
        for task, letters in tasks.items()
        for i, letter in enumerate(letters)
    ]


def test_summary_of_a_sweep(tmp_path: Path, store: Store) -> None:
    cells = [cell_of(0.3), cell_of("far"), cell_of(), cell_of(-0.2), cell_of(0.1, 0.2)]
    for each in cells:
        store(tmp_path, each, results_of(each, drawer="ssssf", stove="sffff") if each is not cells[3] else [])
    frame = summary(tmp_path)
    assert list(frame.label) == [
        "clean",
        "image_shift=-0.2",
        "image_shift=0.3",
        "image_shift=dynamic",
        "image_shift=far",
    ]
    assert list(frame.value) == [None, -0.2, 0.3, "dynamic", "far"]
    assert list(frame.n) == [10, 0, 10, 10, 10]
    row = frame.iloc[0]
    assert (row.successes, row.errors, row.rate) == (5, 0, 0.5)
    assert (row.low, row.high) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert row.mean_steps_success == (10 + 20 + 30 + 40 + 10) / 5
    assert (row.worst_task, row.worst_rate) == ("stove", 0.2)
    assert frame.rate.isna().tolist() == [False, True, False, False, False]
    assert list(summary(tmp_path, [cells[0].id]).label) == ["image_shift=0.3"]


def test_errors_are_no_failures(tmp_path: Path, store: Store) -> None:
    each = cell_of()
    store(tmp_path, each, results_of(each, drawer="sse", stove="eee"))
    frame = by_task(tmp_path, each.id)
    assert frame[["scenario_id", "n", "successes", "errors"]].to_numpy().tolist() == [
        ["drawer", 2, 2, 1],
        ["stove", 0, 0, 3],
    ]
    assert frame.rate.isna().tolist() == [False, True]
    row = summary(tmp_path).iloc[0]
    assert (row.n, row.errors, row.rate, row.worst_task) == (2, 4, 1.0, "drawer")


def test_another_version_may_not_be_added(folder: Path, record: Make) -> None:
    write(
        folder,
        record("a", 0, fingerprint={"mujoco": "3.3.2", "numpy": "2.4.6", "host": "one"}).to_line(),
        record("a", 1, fingerprint={"mujoco": "3.3.2", "host": "two"}).to_line(),
        record("a", 2, "error", fingerprint={"mujoco": "9"}).to_line(),
    )
    check_fingerprints(folder, {"mujoco": "3.3.2", "numpy": "2.4.6", "renderer": "egl", "host": "three"})
    with pytest.raises(
        GaugeError, match=r"results of mujoco 3\.3\.2 and mujoco 3\.4\.0.*go back to mujoco 3\.3\.2, or"
    ):
        check_fingerprints(folder, {"mujoco": "3.4.0"})


def test_stored_results_that_are_mixed_are_refused_and_shown(folder: Path, record: Make) -> None:
    write(
        folder, *(record("a", n, fingerprint={"renderer": kind}).to_line() for n, kind in enumerate(("egl", "osmesa")))
    )
    with pytest.raises(GaugeError, match="renderer egl and renderer osmesa"):
        check_fingerprints(folder, {"renderer": "egl"})
    assert summary(folder).renderer.iloc[0] == "egl and osmesa"


def test_nothing_stored_mixes_with_nothing(folder: Path) -> None:
    check_fingerprints(folder, {"mujoco": "3.3.2"})


def test_queries_touch_no_home_and_imports_stay_light(folder: Path, record: Make, tmp_path: Path) -> None:
    write(folder, record().to_line())
    home = tmp_path / "home"
    home.mkdir()
    code = """
import sys, gauge.records.query, gauge.records.lock, gauge.records.fingerprint, gauge.report.sweep, gauge.tracking
from pathlib import Path
heavy = {"duckdb", "pandas", "matplotlib", "wandb", "mujoco", "scipy", "torch"} & set(sys.modules)
assert not heavy, heavy
assert len(gauge.records.query.summary(Path(sys.argv[1]))) == 1
"""
    environment = {"HOME": str(home), "PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True, env=environment, cwd=home)
    assert list(home.iterdir()) == []


def test_study_with_the_same_cell_twice_counts_each_episode_once(folder: Path, record: Make, cell: Cell) -> None:
    write(folder, record("a", 0).to_line())
    open_cell(folder.with_name("copy"), cell)
    write(folder.with_name("copy"), record("a", 0).to_line(), record("a", 1).to_line())
    assert list(summary(folder.parent).n) == [2]
