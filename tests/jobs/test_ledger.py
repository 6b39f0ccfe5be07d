import json
import os

import pytest

from gauge.errors import GaugeError
from gauge.jobs.ledger import FILE, CellPart, Entry, Ledger, latest, new_folder
from gauge.records.lock import Holder

SCENARIOS = tuple(f"libero_goal/task_{number}" for number in range(10))


def entry(number, scenarios=SCENARIOS):
    part = CellPart(f"/study/cell-{number}", f"{number:012x}", scenarios, 5)
    return Entry(number, [f"seed={number}"], f"/study/cell-{number}", (part,))


def ledger(path, count=3):
    made = Ledger(path, "slurm", Holder.myself())
    made.add([entry(number) for number in range(count)])
    return made


def test_what_was_written_is_read_back(tmp_path):
    made = ledger(tmp_path / FILE)
    made.submitted({0: ("12_0", "a.out"), 1: ("12_1", "b.out")})
    read = Ledger.read(tmp_path / FILE)
    assert read.jobs == made.jobs
    assert (read.cluster, read.owner) == ("slurm", made.owner)
    assert read.jobs[1].id == "12_1"
    assert read.jobs[2].id == ""
    assert read.jobs[0].cells[0].episodes == 50
    assert read.owner.lives is True


def test_every_job_is_listed_before_the_first_one_is_submitted(tmp_path):
    ledger(tmp_path / FILE, 20)
    assert len(Ledger.read(tmp_path / FILE).jobs) == 20


def test_ten_thousand_jobs_share_their_list_of_scenarios(tmp_path):
    ledger(tmp_path / FILE, 10_000)
    assert len(json.loads((tmp_path / FILE).read_text())["scenarios"]) == 1
    assert (tmp_path / FILE).stat().st_size < 5e6


@pytest.mark.parametrize("text", ["", "[]", '{"version": 1, "jobs": []}', '{"jobs": [{"number": 0}], "scenarios": []}'])
def test_a_damaged_list_is_named(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(GaugeError, match="not a list of jobs of this version"):
        Ledger.read(tmp_path / FILE)


def test_the_newest_sweep_is_found_from_the_study_and_from_the_outputs(tmp_path):
    for name in ("20260101-100000-7", "20260102-090000-3", "20260101-230000-9"):
        folder = tmp_path / "main" / "sweeps" / name
        folder.mkdir(parents=True)
        ledger(folder / FILE)
    newest = tmp_path / "main" / "sweeps" / "20260102-090000-3" / FILE
    assert latest(tmp_path) == latest(tmp_path / "main") == latest(newest.parent) == newest


def test_a_folder_without_a_sweep_is_said_so(tmp_path):
    with pytest.raises(GaugeError, match="no sweep below"):
        latest(tmp_path)


def test_two_sweeps_of_one_second_get_a_folder_each(tmp_path):
    first, second = new_folder(tmp_path), new_folder(tmp_path)
    assert first != second
    assert str(os.getpid()) in first.name


def test_a_list_that_takes_long_to_write_is_written_seldom(tmp_path, monkeypatch):
    times = iter([0.0, 1.0, 10.0, 60.0, 60.0, 61.0])  # written in a second; asked at 10 s; asked, and written, at 60 s
    monkeypatch.setattr("gauge.jobs.ledger.time.monotonic", lambda: next(times))
    made = ledger(tmp_path / FILE)
    made.submitted({0: ("here", "a.out")})
    assert Ledger.read(tmp_path / FILE).jobs[0].id == ""
    made.submitted({1: ("here", "b.out")})
    assert Ledger.read(tmp_path / FILE).jobs == made.jobs
