"""One policy for several worker processes, on real scenes."""

import logging
import multiprocessing
import os
import signal
from dataclasses import replace

import pytest
from batch_policies import (
    BlindBatch,
    HostAlwaysDies,
    HostCannotStart,
    HostDiesAtStart,
    HostDiesOnce,
    HostNeverStarts,
    HostStallsOnce,
    Slow,
    SmallNet,
)
from worker_policies import Quiet

from gauge.errors import GaugeError, IncompleteError
from gauge.rollout.plan import plan_episodes
from gauge.rollout.pool import WorkerPool
from gauge.rollout.worker import Sharing, WorkerSetup
from gauge.suites import load

pytestmark = pytest.mark.sim
TASKS = load("libero_goal").tasks[:2]
RENDERER = os.environ.get("MUJOCO_GL", "osmesa")
TIMED = {"wall_s": {}, "finished_at": ""}


def plans(rollouts=3, horizon=10):
    return plan_episodes("cell", TASKS, rollouts, 0, horizon, 10)


def run(pool, policy, todo, tmp_path, sharing=Sharing(60.0), on_record=None):  # noqa: B008 - frozen
    setup = WorkerSetup(policy, policy.__name__, (), tmp_path, {"renderer": "test"}, sharing=sharing)
    records = []
    pool.run(todo, setup, 300.0, on_record or records.append, frozenset)
    return {record.key: record for record in records}


def essence(records):
    """Whole records without times."""
    return {key: replace(record, **TIMED) for key, record in records.items()}


def served_by(pool):
    """The process id of the shared policy."""
    return pool._host._process._process.pid


@pytest.fixture(scope="module")
def pools():
    """A pool of one, of two and of three workers, whose scenes stay compiled for all tests here."""
    made = {workers: WorkerPool(workers, RENDERER, 4.0) for workers in (1, 2, 3)}
    yield made
    for pool in made.values():
        pool.close()
    assert multiprocessing.active_children() == []


@pytest.fixture(scope="module")
def alone(pools, tmp_path_factory):
    """What one worker with a policy of its own finds."""
    return essence(run(pools[1], SmallNet, plans(), tmp_path_factory.mktemp("alone"), sharing=None))


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("sharing", [None, Sharing(60.0), Sharing(60.0, max_batch=1)], ids=["own", "shared", "by one"])
def test_records_are_the_same_for_any_sharing_and_any_number_of_workers(pools, alone, tmp_path, workers, sharing):
    records = run(pools[workers], SmallNet, plans(), tmp_path, sharing)
    assert len(records) == 6
    assert {record.status for record in records.values()} == {"fail"}
    assert {record.model_identity for record in records.values()} == {"smallnet/1"}
    assert essence(records) == alone


def test_a_slow_policy_answers_several_environments_at_a_time(pools, tmp_path, caplog):
    caplog.set_level(logging.INFO)
    todo = plans(horizon=40)[:3]
    quick = run(pools[3], BlindBatch, todo, tmp_path)  # compiles this task's scene in all three workers
    before = pools[3]._host.tally
    slow = run(pools[3], Slow, todo, tmp_path)
    calls, rows = (now - then for now, then in zip(pools[3]._host.tally, before, strict=True))
    assert essence(slow) == essence(quick)
    assert rows == 24, "3 episodes of 40 steps look 8 times each"
    assert rows / calls > 1.3
    assert f"answered 24 observations in {calls} calls" in caplog.text


def test_a_slow_environment_delays_nobody(pools, tmp_path):
    slow, *quick = plans()
    order = []
    todo = [replace(slow, settle_steps=2000), *quick]  # longer than a scene takes to compile
    run(pools[3], BlindBatch, todo, tmp_path, on_record=order.append)
    assert order[-1].key == (slow.task.id, slow.rollout)
    assert order[-1].wall_s["settle"] > 1.0
    assert max(record.wall_s["policy"] for record in order) < 1.0


def test_a_policy_that_dies_is_started_again_and_its_episodes_too(pools, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("GAUGE_TEST_MARK", str(tmp_path / "mark"))
    records = run(pools[2], HostDiesOnce, plans(), tmp_path)
    assert "the shared policy's process ended (exit code 7)" in caplog.text
    assert essence(records) == essence(run(pools[2], BlindBatch, plans(), tmp_path))


def test_a_policy_killed_from_outside_is_started_again(pools, tmp_path):
    pool, found = pools[2], []

    def kill_once(record):
        if not found:
            os.kill(served_by(pool), signal.SIGKILL)
        found.append((record, served_by(pool)))

    run(pool, BlindBatch, plans(), tmp_path, on_record=kill_once)
    assert [record.status for record, _ in found] == ["fail"] * 6
    assert len({pid for _, pid in found}) == 2


def test_a_policy_that_hangs_is_ended_and_started_again(pools, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("GAUGE_TEST_MARK", str(tmp_path / "mark"))
    records = run(pools[2], HostStallsOnce, plans(1), tmp_path, Sharing(10.0))
    assert "the shared policy's process ended (no answer within 10 s (policy_timeout_s))" in caplog.text
    assert {record.status for record in records.values()} == {"fail"}


def test_a_policy_that_always_dies_costs_its_episode_not_the_run(pools, tmp_path):
    records = run(pools[1], HostAlwaysDies, plans(1)[:1], tmp_path)
    assert [record.status for record in records.values()] == ["error"]
    assert next(iter(records.values())).reason == "its policy process died twice (exit code 7)"
    assert len(run(pools[1], BlindBatch, plans(1), tmp_path)) == 2


def test_a_policy_that_dies_again_and_again_ends_the_run(tmp_path):
    before = multiprocessing.active_children()
    pool = WorkerPool(1, RENDERER, 4.0)
    with pytest.raises(
        IncompleteError, match=r"ended 3 times in a row, the last time with exit code 7; .*same command"
    ):
        run(pool, HostAlwaysDies, plans(), tmp_path)
    assert set(multiprocessing.active_children()) <= set(before)


@pytest.mark.parametrize(
    ("policy", "timeout_s", "reason"),
    [
        (
            HostCannotStart,
            60.0,
            r"could not be started \(RuntimeError: no such checkpoint\); the traceback is in .*log",
        ),
        (HostDiesAtStart, 60.0, r"the shared policy's process died while it started \(exit code 5\)"),
        (HostNeverStarts, 8.0, r"the shared policy was not ready within 8 s; set policy_timeout_s to what it needs"),
        (Quiet, 60.0, r"^quiet/1 answers one episode at a time; type policy=per_worker$"),
    ],
)
def test_a_policy_that_does_not_start_is_one_sentence(tmp_path, policy, timeout_s, reason):
    before = multiprocessing.active_children()
    pool = WorkerPool(1, RENDERER, 4.0)
    with pytest.raises(GaugeError, match=reason):
        run(pool, policy, plans(1), tmp_path, Sharing(timeout_s))
    assert set(multiprocessing.active_children()) <= set(before)
    if policy is HostCannotStart:
        assert 'raise RuntimeError("no such checkpoint")' in (tmp_path / "log.txt").read_text()
