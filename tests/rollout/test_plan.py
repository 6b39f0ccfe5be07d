from dataclasses import replace

import pytest

from gauge.core.record import EpisodeRecord
from gauge.core.seeds import episode_seed
from gauge.errors import GaugeError
from gauge.rollout.plan import plan_episodes, remaining
from gauge.suites import load

TASKS = load("libero_goal").tasks


def plans(rollouts=3, tasks=TASKS[:2]):
    return plan_episodes("cell", tasks, rollouts, 0, 300, 10)


def record(plan, status, attempt=1):
    return EpisodeRecord("cell", plan.task.id, plan.rollout, plan.seed, status, attempt=attempt)


def test_rollouts_are_the_official_states_each_with_its_own_seed():
    made = plans()
    assert [(plan.task.index, plan.rollout) for plan in made] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [plan.seed for plan in made] == [episode_seed(0, plan.task.id, plan.rollout) for plan in made]


def test_the_plan_of_a_subset_is_part_of_the_whole_plan():
    assert set(plans(1, TASKS[1:2])) < set(plans(5, TASKS))


def test_more_rollouts_than_states_are_refused():
    assert len(plans(50)) == 100
    with pytest.raises(GaugeError, match="50 initial states per task, so rollouts can be 1 to 50, not 60"):
        plans(60)
    with pytest.raises(GaugeError, match="rollouts must be at least 1"):
        plans(0)


def test_only_what_has_no_result_is_left_and_errors_are_tried_again():
    made = plans()
    done = {r.key: r for r in (record(made[0], "success"), record(made[1], "fail"), record(made[4], "error", 2))}
    left = remaining(made, done)
    assert left == [made[2], made[3], replace(made[4], attempt=3), made[5]]
