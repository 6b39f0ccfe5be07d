from collections import deque

import pytest
from demo_jobs import Dies, Echo, Faulty, Invalid, Sleeps

from gauge.demos.crew import work
from gauge.errors import GaugeError

pytestmark = pytest.mark.process


def run(*jobs, workers=1, timeout_s=60.0):
    return list(work(deque(jobs), workers, "osmesa", timeout_s))


def test_the_queue_may_grow_while_it_is_worked_on():
    queue, seen = deque([Echo(0)]), []
    for done in work(queue, 2, "osmesa", 60.0):
        seen.append(done.result[0])
        if len(seen) < 5:
            queue.append(Echo(len(seen)))
    assert seen == [0, 1, 2, 3, 4]


def test_a_process_that_dies_costs_one_try_and_the_second_death_is_told(tmp_path):
    once, twice = tmp_path / "once", tmp_path / "twice"
    once.mkdir()
    twice.mkdir()
    found = {done.job: done for done in run(Dies(once, 1), Dies(twice, 2), Echo(7))}
    assert found[Dies(once, 1)].result == 1
    assert found[Dies(twice, 2)].lost.startswith("its process died twice")
    assert found[Echo(7)].result[0] == 7


def test_a_job_that_takes_too_long_is_ended():
    slow, quick = run(Sleeps(60.0), Echo(1), timeout_s=8.0)
    assert slow.lost == "no result within 8 s (timeout_s); its process was ended"
    assert quick.result[0] == 1


@pytest.mark.parametrize("workers", [0, 1])
def test_a_fault_of_the_set_up_ends_everything(workers):
    with pytest.raises(GaugeError, match="set-up is broken"):
        run(Faulty(), Echo(1), workers=workers)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_scene_that_cannot_be_costs_its_job_alone(workers):
    invalid, echo = run(Invalid(), Echo(1), workers=workers)
    assert invalid.lost == "no valid state"
    assert echo.result[0] == 1
