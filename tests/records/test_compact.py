"""Compacted or not, every record counts once, and nobody's work is touched."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd
import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.errors import GaugeError
from gauge.records import compact as module
from gauge.records import load
from gauge.records.command import main
from gauge.records.compact import compact
from gauge.records.lock import CellLock
from gauge.records.outcomes import outcomes, signature
from gauge.records.query import ask, by_task, cell_state, check_fingerprints, episodes, summary
from gauge.records.shelf import PARTS, REMOVED

Make = Callable[..., EpisodeRecord]
Store = Callable[[Path, Cell, Iterable[EpisodeRecord]], Path]
LATE = "2026-11-29T11:00:00+00:00"


def cell_of(seed: int) -> Cell:
    return Cell({"name": "pi0"}, {"name": "goal"}, Combination(), seed=seed)


def records_of(cell: Cell, rollouts: Iterable[int] = range(5), **more: object) -> list[EpisodeRecord]:
    given = {
        "status": "success",
        "steps": 7,
        "success_step": 5,
        "fingerprint": {"mujoco": "3.3.2", "host": "é"},
        "wall_s": {"policy": 0.5},
    }
    return [
        EpisodeRecord(cell.id, task, k, seed=2**63 + k, **{**given, **more})  # type: ignore[arg-type]
        for task in ("drawer", "stove")
        for k in rollouts
    ]


def jsonl(study: Path) -> list[Path]:
    return sorted(study.glob("*/episodes-*.jsonl"))


@pytest.fixture
def study(tmp_path: Path, store: Store) -> Path:
    """Three cells in it: an orderly one, one with doubles and damage, one with an episode that has no result."""
    root = tmp_path / "a study's [1]*"
    first, second, third = map(cell_of, range(3))
    store(root, first, records_of(first))
    store(root, second, records_of(second, finished_at=LATE))
    store(root, second, records_of(second, [1, 8], status="fail"))
    (root / second.name / "episodes-torn.jsonl").write_bytes(b'{"cell_id": "x", "scen\n\xff\xfe\n')
    errors = [records_of(third, [0], status="error", success_step=None, attempt=n)[0] for n in (1, 2)]
    store(root, third, [*errors, *records_of(third, [1], items=[{"seen_by_policy": False}])])
    return root


def everything(study: Path) -> dict[str, object]:
    cells = [cell_of(seed) for seed in range(3)]
    found = outcomes({study / cell.name: cell.id for cell in cells}, ["drawer", "stove"])
    order = ["cell", "scenario", "rollout"]
    return {
        "summary": summary(study),
        "tasks": by_task(study),
        "episodes": episodes(study),
        "states": [cell_state(study / cell.name) for cell in cells],
        "outcomes": found.episodes.sort_values(order, ignore_index=True),
        "conditions": found.conditions.sort_values(order[:2], ignore_index=True),
        "signature": signature([study / cell.name for cell in cells]),
    }


def same(one: dict[str, object], other: dict[str, object]) -> None:
    for name, value in one.items():
        if isinstance(value, pd.DataFrame):
            pd.testing.assert_frame_equal(value, other[name], obj=name)
        else:
            assert value == other[name], name


@pytest.mark.parametrize("remove", [False, True])
def test_compacted_records_answer_as_before(study: Path, remove: bool) -> None:
    before, files = everything(study), jsonl(study)
    done = compact(study, remove)
    assert (done.records, done.files, len(done.parts), done.busy) == (10 + 10 + 4 + 2 + 4, 5, 1, ())
    assert (done.removed, done.kept) == ((4, 1) if remove else (0, 0))
    assert jsonl(study) == ([path for path in files if path.name == "episodes-torn.jsonl"] if remove else files)
    same(before, everything(study))
    again = compact(study, remove)
    assert (again.files, again.parts, again.removed) == (0, (), 0)
    same(before, everything(study))


def test_a_part_from_before_a_field_existed_is_read_without_it(study: Path) -> None:
    import pyarrow.parquet as parquet

    before = everything(study)
    compact(study, remove=True)
    [part] = (study / PARTS).glob("*.parquet")
    whole = parquet.read_table(part)
    assert "told_success" in whole.column_names
    parquet.write_table(whole.drop_columns(["told_success"]), part)
    same(before, everything(study))


def test_the_parts_are_read_and_not_the_files(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compact(study)
    read: list[str] = []
    parse = load.gather.__globals__["_parse"]
    monkeypatch.setitem(
        load.gather.__globals__, "_parse", lambda con, paths, wanted: read.extend(paths) or parse(con, paths, wanted)
    )
    summary(study)
    assert read == []


def test_new_records_count_beside_compacted_ones(study: Path, store: Store) -> None:
    cell = cell_of(0)
    compact(study, remove=True)
    store(study, cell, records_of(cell, [0, 9], finished_at=LATE))
    assert sorted(cell_state(study / cell.name).records) == [
        (t, k) for t in ("drawer", "stove") for k in (0, 1, 2, 3, 4, 9)
    ]
    assert cell_state(study / cell.name).duplicates == 2
    before = everything(study)
    assert compact(study, remove=True).files == 1
    same(before, everything(study))


def test_a_file_that_grew_counts_itself(study: Path) -> None:
    cell = cell_of(0)
    compact(study)
    (path,) = (study / cell.name).glob("episodes-*.jsonl")
    with path.open("a") as file:
        file.write(records_of(cell, [7])[0].to_line())
    assert (len(cell_state(study / cell.name).records), cell_state(study / cell.name).duplicates) == (11, 0)
    compact(study, remove=True)
    assert (len(cell_state(study / cell.name).records), cell_state(study / cell.name).duplicates) == (11, 0)


def test_a_file_compacted_twice_counts_once(study: Path) -> None:
    before = everything(study)
    compact(study)
    first = [path.rename(path.with_name(f"kept-{path.name}")) for path in (study / PARTS).glob("part-*")]
    compact(study)
    for path in first:
        path.rename(path.with_name(path.name.removeprefix("kept-")))
    assert len(list((study / PARTS).glob("*.parquet"))) == 2
    same(before, everything(study))


def test_a_cell_that_is_being_evaluated_is_left_alone(study: Path) -> None:
    cell = cell_of(0)
    compact(study)
    with CellLock(study / cell.name):
        done = compact(study, remove=True)
        assert done.busy == (cell.name,)
        assert len(list((study / cell.name).glob("episodes-*.jsonl"))) == 1
    assert compact(study, remove=True).removed == 1


def test_a_deleted_cell_takes_its_compacted_records_along(study: Path, store: Store) -> None:
    cell = cell_of(0)
    for remove in (False, True):
        store(study, cell, records_of(cell))
        compact(study, remove)
        for path in (study / cell.name).iterdir():
            path.unlink()
        store(study, cell, records_of(cell, [3]))
        assert len(cell_state(study / cell.name).records) == 2


def test_a_compaction_that_stops_changes_nothing(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(study)

    def stop(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(module, "replace", stop)
        with pytest.raises(GaugeError, match="is full"):
            compact(study, remove=True)
    same(before, everything(study))
    assert [path.suffix for path in (study / PARTS).glob("part-*")] == [".parquet"]
    assert compact(study, remove=True).files == 5
    same(before, everything(study))
    assert sorted(path.suffix for path in (study / PARTS).glob("*part-*")) == [".json", ".parquet"]


def test_a_file_removed_between_look_and_reading_is_found_again(study: Path) -> None:
    catalogue = load.Catalogue.of(study)
    compact(study, remove=True)
    counted = [con.execute("SELECT count(*) FROM episodes").fetchone() for con in catalogue.tables()]
    assert counted == [(10 + 12 + 3,)]


def test_cells_are_read_a_few_at_a_time_with_the_same_result(study: Path) -> None:
    compact(study)
    catalogue = load.Catalogue.of(study)
    counts = [con.execute("SELECT count(*) FROM episodes").fetchone() for con in catalogue.tables(most=1)]
    assert sorted(counts) == [(3,), (10,), (12,)]


def test_what_is_gone_or_damaged_is_named(study: Path) -> None:
    compact(study, remove=True)
    (path,) = (study / PARTS).glob("part-*.json")
    text = path.read_text()
    path.write_text(text[:-9])
    with pytest.raises(GaugeError, match="is no list of compacted records of this version"):
        summary(study)
    path.unlink()
    with pytest.raises(GaugeError, match=r"the compacted records of .* are gone: no file in .* holds episodes-"):
        summary(study)
    path.write_text(text)
    (study / cell_of(0).name / REMOVED).write_text("[")
    with pytest.raises(GaugeError, match="names the compacted records of the cell"):
        cell_state(study / cell_of(0).name)


def test_a_cell_alone_is_no_study(study: Path) -> None:
    with pytest.raises(GaugeError, match="is one cell; give the folder of its study"):
        compact(study / cell_of(0).name)


def test_versions_of_compacted_results_are_compared(study: Path) -> None:
    compact(study, remove=True)
    with pytest.raises(GaugeError, match=r"mujoco 3\.3\.2 and mujoco 3\.4\.0"):
        check_fingerprints(study / cell_of(0).name, {"mujoco": "3.4.0"})


def test_one_query_over_all_records(study: Path, store: Store) -> None:
    compact(study, remove=True)
    store(study, cell_of(2), records_of(cell_of(2), [6]))
    asked = (
        "SELECT label, model, count(*) AS n, sum(steps) AS steps FROM episodes JOIN cells USING (cell_id) GROUP BY ALL"
    )
    assert ask(study, asked).to_numpy().tolist() == [["clean", "pi0", 27, 27 * 7]]
    whole = ask(study, "SELECT * FROM episodes ORDER BY cell_id, scenario_id, rollout")
    assert {"cell_id", "prompt", "mujoco", "items"} <= set(whole)
    assert json.loads(whole.fingerprint[0])["host"] == "é"
    with pytest.raises(GaugeError, match="cannot be answered"):
        ask(study, "SELECT mood FROM episodes")


def test_the_command(study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["gauge records", *words])
        main()
        return capsys.readouterr().out

    with CellLock(study / cell_of(0).name):
        out = typed("compact", str(study), "--remove")
    assert "compacted 20 records of 4 new record files into 1 file of" in out
    assert "removed 3 record files" in out
    assert "kept 1 record file with damaged lines" in out
    assert f"left alone what is being evaluated: {cell_of(0).name}" in out
    asked = "SELECT status, count(*) AS n FROM episodes GROUP BY ALL ORDER BY n"
    assert typed("query", str(study), asked, "--csv") == "status,n\nerror,1\nfail,4\nsuccess,20\n"


WRITER = """
import sys, time
from pathlib import Path
from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.records.lock import CellLock
from gauge.records.store import RecordWriter, open_cell

cell = Cell({"name": "pi0"}, {"name": "goal"}, Combination(), seed=int(sys.argv[2]))
folder = Path(sys.argv[1]) / cell.name
with CellLock(folder):
    open_cell(folder, cell)
    with RecordWriter(folder) as writer:
        for rollout in range(60):
            writer.write(EpisodeRecord(cell.id, "late", rollout, rollout, "success", finished_at=str(rollout)))
            time.sleep(0.05)
"""


@pytest.mark.process
def test_killed_compactions_beside_running_writers_lose_and_double_nothing(study: Path, store: Store) -> None:
    for seed in range(3, 9):
        store(study, cell_of(seed), records_of(cell_of(seed), range(100)))
    before = {seed: cell_state(study / cell_of(seed).name).records for seed in range(3, 9)}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(study), str(seed)]) for seed in (3, 10)]
    command = [sys.executable, "-m", "gauge.records", "compact", str(study), "--remove"]
    while any(writer.poll() is None for writer in writers):
        packing = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lists = len(list((study / PARTS).glob("part-*.json")))
        while packing.poll() is None and len(list((study / PARTS).glob("*part-*"))) <= 2 * lists:
            time.sleep(0.01)
        packing.kill()
        packing.wait()
    assert [writer.returncode for writer in writers] == [0, 0]
    assert compact(study, remove=True).busy == ()
    assert all(path.name == "episodes-torn.jsonl" for path in jsonl(study))
    late = {("late", rollout) for rollout in range(60)}
    for seed, records in before.items():
        state = cell_state(study / cell_of(seed).name)
        assert (state.damaged, state.duplicates) == (0, 0)
        assert set(state.records) == set(records) | (late if seed == 3 else set())
        assert {key: state.records[key] for key in records} == records
    assert set(cell_state(study / cell_of(10).name).records) == late
