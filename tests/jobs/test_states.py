import json
from dataclasses import replace

import pytest

from gauge.core.record import EpisodeRecord
from gauge.jobs import view
from gauge.jobs.counts import Counts, count, tail
from gauge.jobs.ledger import FILE, CellPart, Entry, Ledger
from gauge.jobs.scheduler import Said
from gauge.jobs.states import judge, look
from gauge.records.lock import CellLock, Holder

SCENARIOS = ("libero_goal/a", "libero_goal/b")


@pytest.fixture
def cell(tmp_path):
    """A cell of two scenarios and two rollouts, with three of its four episodes and one of another run on record."""
    folder = tmp_path / "main" / "random-libero_goal-clean-0123456789ab"
    folder.mkdir(parents=True)
    about = {"model": {"name": "random"}, "suite": {"name": "libero_goal"}, "items": [], "branch": "none", "seed": 0}
    (folder / "cell.json").write_text(json.dumps({"id": "0123456789ab", "id_version": 1, **about}))
    base = EpisodeRecord("0123456789ab", SCENARIOS[0], 0, 1, "success", "do it", finished_at="2026-01-01T00:00:00")
    lines = [
        base,
        replace(base, rollout=1, status="fail"),
        replace(base, scenario_id=SCENARIOS[1], status="error", reason="no"),
        replace(base, rollout=2),
    ]
    (folder / "episodes-x.jsonl").write_text("".join(line.to_line() for line in lines))
    return folder


def part(folder):
    return CellPart(str(folder), "0123456789ab", SCENARIOS, 2)


def entry(folder, number=0, id="12_0"):
    return Entry(number, ["model=random"], str(folder), (part(folder),), id, str(folder / "log.txt"))


def test_only_episodes_of_the_job_are_counted(cell):
    assert count([part(cell)]) == {str(cell): Counts(evaluated=2, successes=1, errors=1)}
    assert count([part(cell.parent / "not-there")]) == {}


@pytest.mark.parametrize(
    ("evaluated", "said", "state", "why"),
    [
        (4, Said("ended", "cancelled"), "done", ""),
        (2, Said("running"), "running", ""),
        (2, Said("waiting"), "waiting", ""),
        (2, Said("ended", "time limit reached"), "failed", "time limit reached"),
        (2, Said("ended"), "failed", "1 episodes could not be evaluated"),
    ],
)
def test_a_job_is_done_when_its_episodes_are_whatever_the_scheduler_says(tmp_path, evaluated, said, state, why):
    judged = judge(entry(tmp_path), Counts(evaluated, 0, 1), said)
    assert (judged.state, judged.why, judged.planned) == (state, why, 4)


def test_a_held_cell_runs_and_a_released_one_failed(cell):
    ledger = Ledger(cell.parent / FILE, "debug", Holder.myself())
    ledger.add([entry(cell, id="here"), entry(cell.parent / "later", 1, id="")])
    with CellLock(cell):
        assert [job.state for job in look(ledger)] == ["running", "waiting"]
    gone = Ledger(ledger.path, "debug", replace(ledger.owner, started="1"), ledger.jobs)
    assert [job.state for job in look(gone)] == ["failed", "failed"]
    assert look(gone)[1].why == "never started, its sweep was stopped"


def test_failures_come_with_command_reason_and_the_end_of_the_log(cell):
    (cell / "log.txt").write_text("first\n" + "more\n" * 10 + "the last word\n\n")
    job = judge(entry(cell), Counts(2, 1, 1), Said("ended", "killed by signal 9"))
    text = view.failures([job])
    for told in ("1 of 1 jobs failed", "model=random", "killed by signal 9", "| the last word"):
        assert told in text
    assert "first" not in text
    assert tail(cell / "nothing.txt") == []
    assert view.summary([job]) == "1 jobs: 1 failed; 2 of 4 episodes on record"


def test_a_long_table_keeps_what_needs_a_look(tmp_path):
    done = judge(entry(tmp_path), Counts(4), Said("ended"))
    bad = judge(entry(tmp_path, 50), Counts(0), Said("ended", "out of memory"))
    assert view.table([*[done] * 50, bad]).row_count == 1
    assert view.table([*[done] * 50, bad], everything=True).row_count == 51
