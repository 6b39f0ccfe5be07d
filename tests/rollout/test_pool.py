"""Real worker processes on real scenes."""

import multiprocessing
import os

import pytest
from worker_policies import AlwaysDies, CannotBeBuilt, Dark, DiesOnce, Pids, Quiet, Stalls

from gauge.errors import IncompleteError
from gauge.rollout.plan import plan_episodes
from gauge.rollout.pool import WorkerPool
from gauge.rollout.worker import WorkerSetup
from gauge.suites import load

pytestmark = pytest.mark.sim
TASKS = load("libero_goal").tasks[:2]
KEEP = ("cell_id", "scenario_id", "rollout", "seed", "status", "scene_hash", "start_hash", "steps", "success_step")
RENDERER = os.environ.get("MUJOCO_GL", "osmesa")


def plans(rollouts=2, horizon=10):
    return plan_episodes("cell", TASKS, rollouts, 0, horizon, 10)


def run(policy, todo, tmp_path, workers=1, timeout_s=300.0, on_record=None, pool=None):
    setup = WorkerSetup(policy, policy.__name__, (), tmp_path, {"renderer": "test"})
    records = []
    used = pool or WorkerPool(workers, RENDERER, 4.0)
    try:
        used.run(todo, setup, timeout_s, on_record or records.append, frozenset)
    finally:
        if pool is None:
            used.close()
    return {record.key: record for record in records}


def essence(records):
    return {key: tuple(getattr(record, name) for name in KEEP) for key, record in records.items()}


def test_one_worker_two_workers_reversed_and_in_process_agree(tmp_path):
    once = run(Dark, plans(), tmp_path)
    assert len(once) == 4
    assert {record.status for record in once.values()} == {"fail"}
    assert len({record.start_hash for record in once.values()}) == 4
    assert essence(run(Dark, plans(), tmp_path, workers=2)) == essence(once)
    assert essence(run(Dark, plans()[::-1], tmp_path)) == essence(once)
    assert essence(run(Dark, plans(), tmp_path, workers=0)) == essence(once)


def test_a_worker_that_dies_is_replaced_and_its_episode_run_again(tmp_path, monkeypatch):
    monkeypatch.setenv("GAUGE_TEST_MARK", str(tmp_path / "mark"))
    records = run(DiesOnce, plans(), tmp_path)
    assert essence(records) == essence(run(Quiet, plans(), tmp_path))


def test_an_episode_that_kills_its_worker_twice_is_an_error_with_the_exit_code(tmp_path):
    records = run(AlwaysDies, plans(1)[:1], tmp_path)
    assert [record.status for record in records.values()] == ["error"]
    assert "worker process died twice (exit code 9)" in next(iter(records.values())).reason


def test_a_stalled_policy_is_killed_and_the_run_goes_on(tmp_path):
    pool = WorkerPool(1, RENDERER, 4.0)
    stalled = run(Stalls, plans(1)[:1], tmp_path, timeout_s=12.0, pool=pool)
    assert "no result within 12 s (episode_timeout_s)" in next(iter(stalled.values())).reason
    assert {r.status for r in run(Quiet, plans(1), tmp_path, pool=pool).values()} == {"fail"}
    pool.close()
    assert multiprocessing.active_children() == []


def test_an_error_while_building_the_policy_reaches_the_caller(tmp_path):
    with pytest.raises(RuntimeError, match="no such checkpoint"):
        run(CannotBeBuilt, plans(1)[:1], tmp_path)


def test_when_the_collector_gives_up_no_process_is_left(tmp_path):
    def give_up(record):
        raise IncompleteError("enough")

    with pytest.raises(IncompleteError, match="enough"):
        run(Quiet, plans(), tmp_path, workers=2, on_record=give_up)
    assert multiprocessing.active_children() == []


def test_a_pool_keeps_its_scenes_for_the_next_cell(tmp_path):
    pool = WorkerPool(1, RENDERER, 8.0)
    first = run(Quiet, plans(1), tmp_path, pool=pool)
    held = pool._slots[0].held
    again = run(Quiet, plans(1), tmp_path, pool=pool)
    pool.close()
    assert held == frozenset(TASKS)
    assert essence(first) == essence(again)
    assert ["compile" in record.wall_s for record in (*first.values(), *again.values())] == [True, True, False, False]
    assert ["load" in record.wall_s for record in (*first.values(), *again.values())] == [True, False, False, False]


def test_a_recycled_worker_gives_the_same_records(tmp_path):
    pool = WorkerPool(1, RENDERER, 4.0, recycle_after=1)
    recycled = run(Pids, plans(1), tmp_path, pool=pool)
    pool.close()
    assert len({record.model_identity for record in recycled.values()}) == 2
    kept = run(Pids, plans(1), tmp_path)
    assert len({record.model_identity for record in kept.values()}) == 1
    assert essence(recycled) == essence(kept)
