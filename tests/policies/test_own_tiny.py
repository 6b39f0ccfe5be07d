"""The checkpoint that comes with gauge: what its card says, how it acts in real scenes, and what the probe finds."""

from typing import Any

import pytest

from gauge.core.seeds import episode_seed
from gauge.models.broken import FAULTS, confusion
from gauge.models.moments import gather
from gauge.policies.tiny import TinyPolicy
from gauge.policies.tiny.net import parameters
from gauge.rollout.episode import Episode
from gauge.rollout.plan import EpisodePlan
from gauge.sim import backend
from gauge.suites import load

GOAL = load("libero_goal")
BOWL = next(task for task in GOAL.tasks if task.name == "put_the_bowl_on_the_plate")


@pytest.fixture(scope="module")
def policy() -> TinyPolicy:
    return TinyPolicy()


def test_its_card_says_what_it_is(policy: TinyPolicy) -> None:
    card = policy.trained.card
    assert card["what"] == "pipeline reference, not a baseline"
    assert parameters(policy.trained.net.requires_grad_(True)) == card["parameters"] < 6_000_000
    assert {name.partition("/")[0] for name in card["tasks"]} == {"libero_goal", "libero_spatial"}
    assert len(card["tasks"]) == len(policy.trained.texts) == 20
    assert set(card["demonstrations"]) == {"demos/goal", "demos/spatial"}
    assert set(card["success"]) == {"libero_goal", "libero_spatial"}


@pytest.mark.sim
def test_it_puts_the_bowl_on_the_plate(policy: TinyPolicy, screen: Any) -> None:
    from gauge.sim.scene import Scene

    scene = Scene(BOWL, screen)
    try:
        plans = [EpisodePlan("", BOWL, state, episode_seed(0, BOWL.id, state), 300, 10) for state in range(3)]
        found = [Episode(scene, policy, plan).run() for plan in plans]
    finally:
        scene.close()
    assert [record.status for record in found].count("success") >= 2
    assert {record.model_identity for record in found} == {policy.identity}


@pytest.mark.sim
def test_the_probe_suspects_the_faults_that_are_planted_in_it_and_no_other(policy: TinyPolicy) -> None:
    """All but one: with left and right exchanged it agrees with the expert nearly as well as otherwise."""
    moments = [
        moment
        for task in (GOAL.tasks[6], BOWL)
        for moment in gather(task, [0, 1], policy.spec, backend.choose("auto", {}), 300, scatter_cm=8.0)
    ]
    said = tuple(task.instruction for task in GOAL.tasks)
    found = confusion(policy, moments, said, 0)
    suspected = {fault: [one.fault for one in lines if one.found == "suspected"] for fault, lines in found.items()}
    missed = suspected.pop("image mirrored left to right")
    assert missed in ([], ["image mirrored left to right"])
    assert suspected == {fault: [] if fault == "none" else [fault] for fault in FAULTS if fault in suspected}
