"""Goals that the expert cannot begin with end as its own failure, with the reason, before it has moved."""

import numpy as np
import pytest
from scenario_files import APPLE, write

from gauge.core.policy import Observation
from gauge.policies.expert import ExpertPolicy
from gauge.policies.expert.goal import fault
from gauge.policies.expert.world import World
from gauge.suites.scenario import load_folder

pytestmark = pytest.mark.sim


@pytest.fixture
def asked(goal_scene):
    """Asks for another goal in the scene, and puts the task's own back."""
    own = goal_scene.env.parsed_problem["goal_state"]
    goal_scene.start(seed=0, state_index=0)

    def ask(*goal):
        goal_scene.env.parsed_problem["goal_state"] = [list(state) for state in goal]
        return goal_scene

    yield ask
    goal_scene.env.parsed_problem["goal_state"] = own


def test_the_tasks_own_goal_is_no_fault(asked, goal_scene):
    assert fault(World(asked(*goal_scene.env.parsed_problem["goal_state"]))) == ""


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (("upside_down", "plate_1"), "unknown predicate 'upside_down'; it knows in, on, open"),
        (("on", "plate_1"), "on with 1 names"),
        (("on", "unicorn_1", "plate_1"), "unicorn_1 is not in the scene"),
        (("in", "wooden_cabinet_1", "plate_1"), "no grasp of wooden_cabinet_1: it cannot be moved"),
        (("open", "plate_1"), "plate_1 has nothing to open"),
        (("turnon", "wooden_cabinet_1_top_region"), "wooden_cabinet_1_top_region has nothing to turnon"),
    ],
)
def test_it_says_which_and_moves_nothing(asked, state, reason):
    scene, policy = asked(state), ExpertPolicy()
    policy.reset("", np.random.default_rng(0))
    action = policy.act(Observation(images={}, state=np.zeros(0), instruction="", step=0, scene=scene))
    assert policy.status.startswith(f"failed: {reason}")
    np.testing.assert_array_equal(action, [[0, 0, 0, 0, 0, 0, -1]])


@pytest.mark.parametrize("far", ["plate_1", "akita_black_bowl_1"])
def test_what_is_out_of_reach_is_named_with_its_distance(asked, far):
    scene = asked(("on", "akita_black_bowl_1", "plate_1"))
    address = scene.env.sim.model.get_joint_qpos_addr(scene.env.objects_dict[far].joints[-1])[0]
    scene.data.qpos[address] += 2.0
    scene.env.sim.forward()
    assert fault(World(scene)).startswith(f"{far} is out of reach, 2.")


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("(Lying akita_black_bowl_1)", "unknown predicate 'lying'"),
        ("(Not (Upright akita_black_bowl_1))", "it knows nothing more to make true"),
    ],
)
def test_a_scenarios_goal_beyond_what_it_knows_is_not_called_done(tmp_path, goal, said):
    from gauge.sim.scene import Scene

    write(tmp_path, old=APPLE[APPLE.index("(And") : APPLE.rindex(")\n)")], new=goal)
    scene, policy = Scene(load_folder(tmp_path, "mine").tasks[0]), ExpertPolicy()
    scene.start(seed=0, state_index=0)
    policy.reset("", np.random.default_rng(0))
    policy.act(Observation(images={}, state=np.zeros(0), instruction="", step=0, scene=scene))
    assert policy.status.startswith("failed: ")
    assert said in policy.status
    scene.close()
