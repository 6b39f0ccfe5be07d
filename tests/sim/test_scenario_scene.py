"""Scenarios in real scenes: objects of the pool, drawn starts that are checked, goals judged by gauge's rules."""

from pathlib import Path

import numpy as np
import pytest
from scenario_files import write

from gauge.errors import SceneError
from gauge.sim.scene import DUMMY_ACTION, Scene
from gauge.suites.scenario import Scenario, load_folder
from gauge.vbddl import Literal

pytestmark = pytest.mark.sim
ON_BOWL = Literal("On", ("gen_apple_0001_1", "akita_black_bowl_1"))


def scenario(folder: Path, **changes: str) -> Scenario:
    write(folder, **changes)
    return load_folder(folder, "mine").tasks[0]  # type: ignore[return-value]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    made = Scene(scenario(tmp_path_factory.mktemp("scenario")))
    yield made
    made.close()


def test_a_state_depends_on_its_index_alone(scene: Scene) -> None:
    scene.start(1, 3)
    first = scene.start_hash()
    scene.start(1, 4)
    other = scene.start_hash()
    for _ in range(5):
        scene.step(np.array([0.5, 0.3, -0.2, 0.0, 0.0, 0.0, 1.0]))
    scene._drawn._found.clear()  # searched for again, after other things happened
    scene.start(2, 3)
    assert scene.start_hash() == first != other


def test_starts_are_at_rest_in_their_regions_and_vary(scene: Scene) -> None:
    places = []
    for index in range(6):
        scene.start(0, index)
        assert scene.residual_speed() < 0.01
        assert not scene.success()
        places.append(scene.data.body("gen_apple_0001_1_main").xpos[:2].copy())
    assert (np.min(places, axis=0) > [-0.09, 0.01]).all()
    assert (np.max(places, axis=0) < [-0.01, 0.09]).all()
    assert (np.ptp(places, axis=0) > 0.01).all()


def test_success_is_judged_by_the_whole_goal(scene: Scene) -> None:
    scene.start(0, 0)
    joint = scene.model.joint("gen_apple_0001_1_joint0").qposadr[0]
    bowl = scene.data.body("akita_black_bowl_1_main").xpos
    scene.data.qpos[joint : joint + 3] = bowl + np.array([0.0, 0.0, 0.06])
    for _ in range(10):
        scene.step(DUMMY_ACTION)
    assert scene.goals.judge(ON_BOWL)
    assert scene.success()  # the bowl is not in the apple's region, which LIBERO's evaluator cannot say


def test_what_starts_on_a_fixture_stands_there_in_every_state(tmp_path: Path) -> None:
    path = write(
        tmp_path, old="(:fixtures main_table - table)", new="(:fixtures main_table - table  box_1 - wooden_cabinet)"
    )
    text = path.read_text().replace(
        "main_table_bowl_region)\n  )", "box_1_top_side)\n (On box_1 main_table_bowl_region))"
    )
    path.write_text(
        text.replace("(:regions", "(:regions (top_side (:target box_1))").replace(
            "-0.18 -0.02 -0.12", "-0.28 -0.02 -0.26"
        )
    )
    made = Scene(load_folder(tmp_path, "mine").tasks[0])
    for index in (0, 1, 0):
        made.start(0, index)
        assert made.goals.judge(Literal("On", ("akita_black_bowl_1", "box_1_top_side")))
    made.close()


def test_a_goal_that_holds_at_the_start_is_no_start(tmp_path: Path) -> None:
    made = Scene(scenario(tmp_path, old="(On gen_apple_0001_1 akita_black_bowl_1) (Not", new="(Not"))
    with pytest.raises(SceneError, match="initial state 0: 20 draws, none valid; the last: the goal holds already"):
        made.start(0, 0)
    made.close()


def test_what_has_no_room_is_named_with_its_region(tmp_path: Path) -> None:
    path = write(tmp_path, old="((-0.08 -0.18 -0.02 -0.12))", new="((-0.041 0.04 -0.04 0.041))")
    path.write_text(path.read_text().replace("(-0.08 0.02 -0.02 0.08)", "(-0.041 0.04 -0.04 0.041)"))
    task = load_folder(tmp_path, "mine").tasks[0]
    with pytest.raises(SceneError) as caught:
        Scene(task).start(0, 0)
    assert "akita_black_bowl_1 finds no room in main_table_bowl_region" in str(caught.value)
    assert "gen_apple_0001_1 in main_table_apple_region" in str(caught.value)


def test_the_expert_solves_a_scenario_with_an_object_of_the_pool(scene: Scene) -> None:
    from gauge.policies.expert import ExpertPolicy
    from gauge.rollout.episode import Episode
    from gauge.rollout.plan import plan_episodes

    plan = plan_episodes("cell", [scene.task], 1, 0, 400, 10)[0]
    record = Episode(scene, ExpertPolicy(), plan).run()
    assert record.status == "success", record.reason
    assert record.prompt == "Put the apple in the bowl; don't spill (it rolls)"
