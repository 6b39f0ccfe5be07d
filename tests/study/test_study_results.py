"""Results survive the disk, and a stage knows whether its episodes have changed."""

import json
from pathlib import Path

import pandas as pd
import pytest

from gauge.core.cell import Cell
from gauge.core.items import Combination
from gauge.core.record import EpisodeRecord
from gauge.records.outcomes import outcomes, signature
from gauge.records.query import episodes
from gauge.records.store import RecordWriter, open_cell
from gauge.study import board, results
from gauge.study.results import Result, pack, unpack

CELL = Cell({"name": "pi0"}, {"name": "goal"}, Combination())


def table() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "number": pd.Series([1.5, pd.NA], dtype="Float64"),
            "whole": [1, 2],
            "text": pd.Categorical(["a", "b"]),
            "value": pd.Series([2.0, "red"], dtype=object),
            "nothing": [None, None],
            "yes": [True, False],
        }
    )


def result(**more: object) -> Result:
    given = {"inputs": {"code": 1}, "asked": {"c-1": {"s": range(3), "t": [0, 2]}}, "records": "r", "signature": "s"}
    return Result(**{**given, "missing": 0, "tables": {"t": table()}, **more})  # type: ignore[arg-type]


def stored(folder: Path, *records: EpisodeRecord) -> None:
    open_cell(folder / CELL.name, CELL)
    with RecordWriter(folder / CELL.name) as writer:
        writer.write_all(records)


def episode(rollout: int, status: str = "success", scenario: str = "s", **more: object) -> EpisodeRecord:
    return EpisodeRecord(CELL.id, scenario, rollout, seed=rollout, status=status, **more)  # type: ignore[arg-type]


def test_tables_come_back_with_their_kinds_of_numbers_and_gaps() -> None:
    packed = json.loads(json.dumps(pack(table())))
    found = unpack(packed)
    assert pack(found) == packed
    assert found.number[0] == 1.5
    assert found.number[1] is pd.NA
    assert type(found.value[0]) is float
    assert list(found.value) == [2.0, "red"]


def test_a_result_comes_back_equal_and_a_damaged_one_not_at_all(tmp_path: Path) -> None:
    results.save(tmp_path / "zero_shot", result(), {"summary.md": "# t\n"}, {})
    found = results.load(tmp_path / "zero_shot")
    assert found is not None
    assert found.digest == result().digest
    assert {cell: {s: list(k) for s, k in own.items()} for cell, own in found.asked.items()} == {
        "c-1": {"s": [0, 1, 2], "t": [0, 2]}
    }
    path = tmp_path / "zero_shot" / "result.json"
    path.write_text(path.read_text().replace("1.5", "1.6"))
    assert results.load(tmp_path / "zero_shot") is None
    path.write_text(path.read_text()[:-40])
    assert results.load(tmp_path / "zero_shot") is None
    assert [one.name for one in tmp_path.iterdir()] == ["zero_shot"]


def test_a_stage_is_written_anew_as_a_whole(tmp_path: Path) -> None:
    results.save(tmp_path / "a", result(tables={"old": table()}), {}, {})
    results.save(tmp_path / "a", result(tables={"new": table()}), {}, {})
    assert {path.name for path in (tmp_path / "a").iterdir()} == {"new.csv", "result.json"}


def test_hashes_see_the_asked_episodes_alone(tmp_path: Path) -> None:
    asked = {CELL.name: {"s": range(2)}}
    stored(tmp_path, episode(0), episode(1, "fail"))
    before, files = board.hashes(tmp_path, asked), signature([tmp_path / CELL.name])
    stored(tmp_path, episode(2), episode(0, scenario="t"))
    assert board.hashes(tmp_path, asked) == before
    assert signature([tmp_path / CELL.name]) != files
    assert board.hashes(tmp_path, {CELL.name: {"s": range(3)}}) != before
    assert board.digest(before) == board.digest(dict(before))


def test_outcomes_follow_the_rules_of_the_full_table(tmp_path: Path) -> None:
    twice = episode(0, "fail", finished_at="2026-11-29T11:00:00")
    stored(tmp_path, twice, episode(1, "error", reason="died"), episode(2, "error", attempt=1))
    stored(tmp_path, episode(0, finished_at="2026-11-29T10:00:00"), episode(2, "error", attempt=2), episode(1))
    torn = tmp_path / CELL.name / "episodes-torn.jsonl"
    torn.write_bytes(b'{"cell_id": "x", "scen\n\xff\xfe\n' + episode(5).to_line().encode()[:60])
    foreign = Cell({"name": "pi1"}, {"name": "goal"}, Combination())
    (tmp_path / CELL.name / "episodes-b.jsonl").write_text(
        EpisodeRecord(foreign.id, "s", 9, seed=9, status="success").to_line()
    )
    full = episodes(tmp_path)
    found = outcomes({tmp_path / CELL.name: CELL.id}, ["other", "s"])
    named = [("fail", "success", "error")[code] for code in found.episodes.sort_values("rollout").status]
    assert named == list(full.sort_values("rollout").status) == ["success", "success", "error"]
    assert set(found.episodes.scenario) == {1}
    assert len(found.conditions) == 1


def test_nothing_stored_is_an_empty_table(tmp_path: Path) -> None:
    found = outcomes({tmp_path / "no-such-cell": "x"}, ["s"])
    assert found.episodes.empty
    assert found.conditions.empty


@pytest.mark.parametrize("count", [1, 400])
def test_a_batch_is_stored_whole(tmp_path: Path, count: int) -> None:
    stored(tmp_path, *(episode(k) for k in range(count)))
    assert len(episodes(tmp_path)) == count
    assert len(list((tmp_path / CELL.name).glob("episodes-*"))) == 1
