import pytest

from gauge.jobs.scheduler import Said, how_ended, latest, parse_sacct, parse_squeue, phase


def test_the_queue_knows_what_waits_and_runs():
    said = parse_squeue(["12_3|RUNNING", "12_4|PENDING", "12_5|COMPLETING"])
    assert said == {"12_3": Said("running"), "12_4": Said("waiting"), "12_5": Said("running")}


def test_accounting_tells_how_jobs_ended():
    said = parse_sacct(["7_0|COMPLETED|0:0", "7_1|CANCELLED by 1000|0:0", "7_2|FAILED|0:9", "7_3|NODE_FAIL|0:0"])
    assert {job: word.how for job, word in said.items()} == {
        "7_0": "",
        "7_1": "cancelled",
        "7_2": "killed by signal 9",
        "7_3": "its node failed",
    }
    assert {word.phase for word in said.values()} == {"ended"}


def test_the_step_of_a_failed_job_knows_the_signal_that_killed_it():
    lines = ["7_0|FAILED|9:0", "7_0.batch|FAILED|9:0", "7_0.0|FAILED|0:9", "7_1|FAILED|1:0", "7_1.0|FAILED|1:0"]
    assert parse_sacct(lines) == {"7_0": Said("ended", "killed by signal 9"), "7_1": Said("ended", "exit code 1")}
    assert parse_sacct([*lines, "7_0|FAILED|2:0", "7_0.0|FAILED|2:0"])["7_0"] == Said("ended", "exit code 2")


def test_accounting_may_lag_behind_the_queue_and_knows_more_of_what_ended():
    accounted = parse_sacct(["7_0|RUNNING|0:0", "7_1|FAILED|0:9", "7_2|FAILED|1:0"])
    queued = parse_squeue(["7_0|CANCELLED", "7_1|FAILED", "7_2|PENDING", "7_3|CANCELLED"])
    assert latest(accounted, queued) == {
        "7_0": Said("ended", "cancelled"),
        "7_1": Said("ended", "killed by signal 9"),
        "7_2": Said("waiting"),
        "7_3": Said("ended", "cancelled"),
    }
    assert latest(accounted, {})["7_1"] == Said("ended", "killed by signal 9")
    assert parse_squeue(["7_4|BOOT_FAIL", "7_5|FAILED"])["7_5"] == Said("ended", "failed")


def test_of_a_requeued_job_the_last_line_counts():
    assert parse_sacct(["7_0|PREEMPTED|0:0", "7_0|RUNNING|0:0"]) == {"7_0": Said("running")}


@pytest.mark.parametrize(
    ("state", "code", "how"),
    [
        ("TIMEOUT", "0:0", "time limit reached"),
        ("OUT_OF_MEMORY", "0:125", "out of memory"),
        ("FAILED", "137:0", "exit code 137"),
        ("CANCELLED+", "0:15", "cancelled"),
    ],
)
def test_states_in_words(state, code, how):
    assert phase(state) == "ended"
    assert how_ended(state, code) == how
