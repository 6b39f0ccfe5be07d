import numpy as np
import pytest

from gauge.core.policy import Observation
from gauge.errors import PolicyError
from gauge.policies.expert import ExpertPolicy

IDLE_STEPS = 10


def look(step, scene=None):
    return Observation(images={}, state=np.zeros(0), instruction="", step=step, scene=scene)


def episode(scene, policy, state, horizon=280, seed=None, put=None):
    """Actions, first successful step (or None), and whether the goal holds after idling at the end.

    `put` is the name of an object and where it is put first: position [3] and quaternion [4] as text.
    """
    scene.start(seed=state, state_index=state)
    if put is not None:
        scene.env.sim.data.set_joint_qpos(scene.env.objects_dict[put[0]].joints[-1], np.array(put[1].split(), float))
    for _ in range(10):
        scene.step(np.array([0, 0, 0, 0, 0, 0, -1.0]))
    policy.reset("", np.random.default_rng(state if seed is None else seed))
    actions, first, idle = [], None, 0
    for step in range(horizon):
        action = policy.act(look(step, scene))[0]
        scene.step(action)
        actions.append(action)
        first = step if first is None and scene.success() else first
        idle += policy.status != "acting"
        if idle > IDLE_STEPS:
            break
    return np.array(actions), first, scene.success()


def test_it_declares_that_it_is_privileged_and_needs_no_picture():
    policy = ExpertPolicy()
    assert policy.spec.privileged
    assert policy.spec.cameras == ()
    assert policy.spec.chunk == policy.spec.executed == 1
    assert policy.identity == "expert/7"
    assert policy.skills == ()


def test_acting_without_a_reset_or_a_scene_is_an_error():
    policy = ExpertPolicy()
    with pytest.raises(PolicyError, match="reset"):
        policy.act(look(0))
    policy.reset("", np.random.default_rng(0))
    with pytest.raises(PolicyError, match="scene"):
        policy.act(look(0))


def scene_of(suite, task):
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene
    from gauge.suites import load

    return Scene(load(suite).tasks[task])


@pytest.mark.sim
@pytest.mark.parametrize("task", [0, 6])
def test_objects_end_in_the_basket_and_stay(task):
    scene, policy = scene_of("libero_object", task), ExpertPolicy()
    for state in (0, 1):
        actions, first, final = episode(scene, policy, state)
        assert policy.status == "done"
        assert first is not None
        assert final
        assert np.abs(actions).max() <= 1.0
    again, _, _ = episode(scene, policy, 1)
    np.testing.assert_array_equal(again, actions)
    other, _, final = episode(scene, policy, 1, seed=7)
    assert final
    assert np.abs(other[:20] - actions[:20]).max() > 0.05
    scene.close()


@pytest.mark.sim
@pytest.mark.parametrize("task", [0, 7, 9], ids=["drawer", "knob", "rack"])
def test_drawers_knobs_and_racks(task):
    scene, policy = scene_of("libero_goal", task), ExpertPolicy()
    _, first, final = episode(scene, policy, 0, horizon=300)
    assert policy.status == "done"
    assert first is not None
    assert final
    scene.close()


@pytest.mark.sim
def test_a_book_whose_origin_is_too_low_when_it_stands_is_propped_against_a_side():
    scene, policy = scene_of("libero_10", 5), ExpertPolicy()
    _, first, final = episode(scene, policy, 0, horizon=520)
    assert policy.status == "done"
    assert policy.skills == ("pick", "place")
    assert first is not None
    assert final
    scene.close()


@pytest.mark.sim
@pytest.mark.parametrize(
    ("name", "skills"),
    [
        ("action_B1b_left", ("turn",)),
        ("action_B2b_cabinet", ("open", "take along")),
        ("compositional_C1a_ketchup_milk", ("pick", "place", "pick", "place")),
    ],
)
def test_what_only_scenarios_ask_for(name, skills):
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene
    from gauge.suites import capability

    found = next(task for task in capability.load("all", "all", None).tasks if task.name == name)
    scene, policy = Scene(found), ExpertPolicy()
    _, first, final = episode(scene, policy, 0, horizon=400)
    assert policy.status == "done"
    assert policy.skills == skills
    assert first is not None
    assert final
    scene.close()


# To the last digit: rounded, two of these starts went well with expert/3, too, by chance.
BOWL = "0.07095576446736129 -0.15628955249386003 1.15063 0.007501056813664642 0 0 0.9999718666775971"
MILK = (
    "-0.11373903281968947 -0.2276824353494291 0.034999999999999996"
    + 2 * " 0.5434991710327364"
    + 2 * " 0.45233687787613375"
)
WINE = "-0.2008 -0.0868 0.97 -0.0902 0 0 0.9959"


@pytest.mark.sim
@pytest.mark.parametrize(
    ("suite", "task", "state", "horizon", "put"),
    [
        ("libero_spatial", 4, 2, 220, ("akita_black_bowl_1", BOWL)),
        ("libero_object", 7, 0, 280, ("milk_1", MILK)),
        ("libero_goal", 2, 0, 300, ("wine_bottle_1", WINE)),
    ],
    ids=["drawn out from below a lid", "shaken off a finger", "stretched arm"],
)
def test_what_stands_elsewhere_is_moved_all_the_same(suite, task, state, horizon, put):
    scene, policy = scene_of(suite, task), ExpertPolicy()
    _, first, final = episode(scene, policy, state, horizon, put=put)
    assert policy.status == "done"
    assert first is not None
    assert final
    scene.close()


@pytest.mark.sim
def test_an_elbow_that_straightens_fast_is_slowed_down_before_it_is_straight():
    from gauge.policies.expert.geometry import Pose
    from gauge.policies.expert.mover import Mover
    from gauge.policies.expert.style import Style
    from gauge.policies.expert.world import STRAIGHT_RAD, World

    scene = scene_of("libero_object", 0)
    scene.start(seed=0, state_index=0)
    world = World(scene)
    mover, elbow = Mover(world, Style.drawn(np.random.default_rng(0))), world.arm[3]
    scene.data.qpos[elbow] = STRAIGHT_RAD - 0.7
    scene.env.sim.forward()
    outward, room = world.reach_left()
    assert room == pytest.approx(0.7)
    farther = Pose(world.hand().position + 0.2 * outward, world.hand().rotation)
    calm = float(mover.step_to(farther)[:3] @ outward)
    scene.data.qvel[world.arm_dof[3]] = 1.0
    fast = float(mover.step_to(farther)[:3] @ outward)
    assert fast < 0.3 < calm
    scene.close()


@pytest.mark.sim
def test_a_task_it_cannot_do_ends_in_actions_that_move_nothing_and_a_reason():
    scene, policy = scene_of("libero_90", 6), ExpertPolicy()  # the bottom drawer's handle is too near the table
    actions, first, _ = episode(scene, policy, 0, horizon=60)
    assert first is None
    assert policy.status == "failed: cannot reach the handle of wooden_cabinet_1_bottom_region"
    np.testing.assert_array_equal(actions[-1], [0, 0, 0, 0, 0, 0, -1])
    scene.close()


@pytest.mark.sim
def test_thinking_leaves_the_scene_alone():
    scene, policy = scene_of("libero_object", 0), ExpertPolicy()
    scene.start(seed=0, state_index=0)
    before = scene.start_hash()
    policy.reset("", np.random.default_rng(0))
    policy.act(look(0, scene))
    assert scene.start_hash() == before
    scene.close()


@pytest.mark.sim
def test_a_handle_that_the_arm_cannot_come_straight_at_is_taken_obliquely(monkeypatch):
    from gauge.policies.expert.skills import open as opening
    from gauge.sim import backend

    backend.prepare()
    from gauge.sim.scene import Scene
    from gauge.suites.generate import FOLDER
    from gauge.suites.scenario import load_folder

    task = next(one for one in load_folder(FOLDER, "all").tasks if one.name == "action_A2b_middle")
    scene, policy = Scene(task), ExpertPolicy()
    assert episode(scene, policy, 0)[2]
    monkeypatch.setattr(opening, "SWINGS_RAD", (0.0,))
    assert not episode(scene, policy, 0)[2]
    assert policy.status == "failed: cannot reach the handle of wooden_cabinet_1_middle_region"
