"""LIBERO's criterion and the stricter one on the same episode of the expert, in a real scene."""

import pytest

from gauge.core.seeds import episode_seed
from gauge.suites import load

pytestmark = pytest.mark.sim


@pytest.fixture(scope="module")
def judged(screen):
    """The record of one episode by criterion; the expert does the same in each."""
    from gauge.policies.expert import ExpertPolicy
    from gauge.rollout.episode import Episode
    from gauge.rollout.plan import EpisodePlan
    from gauge.rollout.success import Criterion
    from gauge.sim.scene import Scene

    task = load("libero_goal").tasks[8]  # put the bowl on the plate
    scene = Scene(task, screen)
    plan = EpisodePlan("cell", task, 0, episode_seed(0, task.id, 0), horizon=300, settle_steps=10)
    criteria = {"first": Criterion(), "held": Criterion(10), "released": Criterion(1, released=True)}
    criteria["both"] = Criterion(10, released=True)
    watched = {name: criterion.watcher() for name, criterion in criteria.items()}
    records = {name: Episode(scene, ExpertPolicy(), plan, watcher=watcher).run() for name, watcher in watched.items()}
    scene.close()
    return records


def test_a_stricter_criterion_is_met_later(judged):
    assert {record.status for record in judged.values()} == {"success"}
    step = {name: record.success_step for name, record in judged.items()}
    assert step["held"] >= step["first"] + 9
    assert step["released"] >= step["first"]
    assert step["both"] >= max(step["held"], step["released"])
    assert all(record.steps == record.success_step for record in judged.values())


def test_until_the_first_success_the_episodes_are_the_same(judged):
    assert len({record.start_hash for record in judged.values()}) == 1
    assert judged["both"].success_final is True
