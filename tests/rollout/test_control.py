"""`control=` and `controls=true`: cells of their own, what the policy is shown and told, and what is refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from gauge.config import build
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.controls import missing, open_loop, table, told
from gauge.core.policy import Observation, PolicySpec
from gauge.errors import GaugeError
from gauge.rollout.control import other, told_otherwise
from gauge.rollout.episode import Episode
from gauge.rollout.plan import EpisodePlan
from gauge.suites import capability, horizon, load

GOAL = load("libero_goal")
TORCH = ["model=torch", "model.module=torch_nets:Net", "suite=libero_goal"]


@pytest.fixture(scope="module", autouse=True)
def hydra() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(*typed: str) -> DictConfig:
    return compose("config", [*TORCH, *typed])


def test_a_control_is_a_cell_of_its_own_and_none_leaves_the_ids_as_they_were() -> None:
    plain, black, swapped = (build.cell(composed(f"control={one}")) for one in ("none", "black", "swapped"))
    assert "control" not in plain.model
    assert len({plain.id, black.id, swapped.id}) == 3
    assert black.name.startswith("torch-black-libero_goal-clean-")
    assert swapped.model["name"] == "torch-swapped"


def test_the_runs_beside_a_policy_are_those_that_one_could_type(tmp_path: Path) -> None:
    cfg = composed("controls=true", "rollouts=3")
    assert build.cell(told(cfg, "black")) == build.cell(composed("control=black"))
    beside = open_loop(cfg, tmp_path)
    typed = ["model=open_loop", f"model.demos={tmp_path}", "suite=libero_goal"]
    assert build.cell(beside) == build.cell(compose("config", typed))
    assert (beside.rollouts, beside.controls, cfg.controls, cfg.model.name) == (3, False, True, "torch")


def test_a_demonstration_of_a_scenario_may_take_what_its_certificate_says(tmp_path: Path) -> None:
    cfg = compose("config", [*TORCH[:2], "suite=visual_perception/id", "controls=true"])
    tasks = build.tasks(cfg)[:3]
    (tmp_path / f"{tasks[0].name}.hdf5").touch()
    found = missing(cfg, tasks, tmp_path)
    assert [one.task for one in found] == list(tasks[1:])
    assert [one.horizon for one in found] == [horizon.of(task, None) for task in tasks[1:]]


def test_everybody_is_told_the_next_task_that_sounds_different() -> None:
    others = {task.id: other(task, GOAL.tasks) for task in GOAL.tasks}
    assert others[GOAL.tasks[0].id] == GOAL.tasks[1]
    assert others[GOAL.tasks[9].id] == GOAL.tasks[0]
    twin = replace(GOAL.tasks[1], instruction=GOAL.tasks[0].instruction)
    assert other(GOAL.tasks[0], (GOAL.tasks[0], twin, GOAL.tasks[2])) == GOAL.tasks[2]
    assert other(GOAL.tasks[0], (GOAL.tasks[0], twin)) == GOAL.tasks[0]
    plan = EpisodePlan("", GOAL.tasks[0], 0, 1, 10, 10)
    (swapped,) = told_otherwise([plan], GOAL)
    assert (plan.told, swapped.told) == (GOAL.tasks[0].instruction, GOAL.tasks[1].instruction)
    assert swapped.task is plan.task


def test_a_thing_that_the_scene_lacks_is_not_asked_for() -> None:
    tasks = load("libero_object").tasks
    for task in tasks:
        thing = other(task, tasks).instruction.removeprefix("pick up the ").partition(" and")[0].replace(" ", "_")
        assert thing in task.bddl_path.read_text()


def test_a_scenario_is_told_its_siblings_task() -> None:
    tasks = capability.load("visual_perception", "visual_perception", "id").tasks
    by_name = {task.name: task for task in tasks}
    assert other(by_name["visual_L02"], tasks) == by_name["visual_L01"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["control=dark"], "allowed: none, black, swapped"),
        (["controls=true", "control=black"], "evaluates every control already"),
    ],
)
def test_what_makes_no_sense_is_refused(typed: list[str], said: str) -> None:
    with pytest.raises(GaugeError, match=said):
        build.cell(composed(*typed))


@pytest.mark.parametrize("model", ["expert", "blind"])
def test_who_neither_looks_nor_listens_has_no_controls(model: str) -> None:
    with pytest.raises(GaugeError, match=f"controls=true tests whether .* which model={model} does not"):
        build.cell(compose("config", [f"model={model}", "controls=true"]))


def test_the_table_shows_every_control_with_its_interval() -> None:
    from rich.console import Console

    counts: dict[str, dict[str, Any]] = {
        "policy": {"successes": 8, "n": 10},
        "open loop": {"successes": 1, "n": 10},
        "black": {"successes": 0, "n": 0},
    }
    console = Console(width=140, record=True)
    console.print(table(counts, "mine"))
    lines = console.export_text().splitlines()
    assert any("80.0%" in line and "[49.0, 94.3]" in line and "8/10" in line for line in lines)
    assert any("black pictures" in line and " - " in line for line in lines)


class Seen:
    """Notes what it is shown and told."""

    spec, identity = PolicySpec(image_size=(16, 16)), "seen"

    def __init__(self) -> None:
        self.looks: list[Observation] = []
        self.told = ""

    def reset(self, instruction: str, rng: np.random.Generator) -> None:
        self.told = instruction

    def act(self, observation: Observation) -> Any:
        self.looks.append(observation)
        return np.zeros((10, 7))

    def close(self) -> None: ...


@pytest.mark.sim
def test_a_covered_policy_sees_black_and_one_that_is_told_otherwise_hears_it(goal_scene: Any) -> None:
    plan = EpisodePlan("", GOAL.tasks[0], 0, 1, 10, 10, other=GOAL.tasks[1])
    policy = Seen()
    record = Episode(goal_scene, policy, plan, black=True).run()
    assert all(frame.shape == (16, 16, 3) and not frame.any() for frame in policy.looks[0].images.values())
    assert list(policy.looks[0].images) == list(policy.spec.cameras)
    assert (policy.told, policy.looks[0].instruction, record.prompt) == (GOAL.tasks[1].instruction,) * 3
    assert (record.frames, record.status, record.told_success) == (0, "fail", False)
    plain = Episode(goal_scene, policy, replace(plan, other=None)).run()
    assert (plain.prompt, plain.told_success) == (GOAL.tasks[0].instruction, None)
    assert all(frame.any() for frame in policy.looks[1].images.values())


@pytest.mark.sim
def test_who_does_what_it_is_told_reaches_that_goal_and_not_the_tasks(goal_scene: Any, screen: Any) -> None:
    """The expert turns on the stove; the same actions, played where a drawer is to be opened, turn it on there, too."""
    from gauge.demos.recording import record
    from gauge.policies.expert import ExpertPolicy
    from gauge.policies.replay import OpenLoop
    from gauge.sim.scene import Scene

    drawer, stove = GOAL.tasks[0], GOAL.tasks[7]
    scene = Scene(stove, screen)
    try:
        _, demo = record(scene, ExpertPolicy(), EpisodePlan("", stove, 0, 1, 300, 10))
    finally:
        scene.close()
    assert demo is not None
    plan = EpisodePlan("", drawer, 0, 1, 120, 10, other=stove)
    found = Episode(goal_scene, OpenLoop(demo.actions, "stove"), plan).run()
    assert (found.status, found.told_success, found.prompt) == ("fail", True, "turn on the stove")
    assert Episode(goal_scene, OpenLoop(demo.actions, "stove"), replace(plan, other=drawer)).run().told_success is None


@pytest.mark.sim
def test_a_told_task_of_the_same_goal_is_not_judged(screen: Any) -> None:
    """All tasks of libero_spatial ask for the same bowl on the same plate; what differs is where the bowl stands."""
    from gauge.sim.scene import Scene

    one, other_one = load("libero_spatial").tasks[:2]
    scene = Scene(one, screen)
    try:
        assert Episode(scene, Seen(), EpisodePlan("", one, 0, 1, 10, 10, other=other_one)).run().told_success is None
    finally:
        scene.close()
