import hashlib
from types import SimpleNamespace

import numpy as np
import pytest
from demo_samples import SENTENCE, TASK, make_demo

from gauge.core.policy import Observation
from gauge.errors import GaugeError, PolicyError
from gauge.policies.replay import ReplayPolicy
from gauge.records.demo_file import write_demos


@pytest.fixture
def files(tmp_path):
    write_demos(tmp_path / "a.hdf5", [make_demo(10, seed=0), make_demo(12, seed=1)])
    write_demos(tmp_path / "b.hdf5", [make_demo(8, seed=2)])
    return tmp_path


def look(step, start="", text=""):
    scene = SimpleNamespace(start_hash=lambda: start, task=SimpleNamespace(id=start))
    return Observation({}, np.zeros(0), text, step, scene)


def test_a_chosen_episode_is_played_and_then_the_hand_stays_as_it_is(files):
    policy = ReplayPolicy(str(files), episode=1)
    policy.reset("", np.random.default_rng(0))
    shown = np.concatenate([policy.act(look(step)) for step in range(15)])
    wanted = make_demo(12, seed=1).actions
    assert np.array_equal(shown[:12], wanted)
    assert np.array_equal(shown[12:], [[0, 0, 0, 0, 0, 0, wanted[-1, 6]]] * 3)
    assert not policy.spec.privileged


def test_without_an_episode_the_start_decides(files):
    policy = ReplayPolicy(str(files))
    assert policy.spec.privileged
    for seed in (2, 0):
        policy.reset("", np.random.default_rng(0))
        assert np.array_equal(policy.act(look(0, f"start{seed}"))[0], make_demo(8 if seed else 10, seed).actions[0])
    policy.reset("", np.random.default_rng(0))
    with pytest.raises(PolicyError, match=r"no episode that starts here .start elsewhere."):
        policy.act(look(0, "elsewhere"))


def test_the_identity_is_a_hash_of_what_is_played(files):
    first = ReplayPolicy(str(files / "a.hdf5"), 0).identity
    digests = make_demo(10, 0).digest + make_demo(12, 1).digest
    assert first == f"replay/{hashlib.sha256(digests.encode()).hexdigest()[:12]}#0"
    write_demos(files / "a.hdf5", [make_demo(10, seed=0, images=16), make_demo(12, seed=1)])
    assert ReplayPolicy(str(files / "a.hdf5"), 0).identity == first, "rendering plays nothing else"
    write_demos(files / "a.hdf5", [make_demo(10, seed=9), make_demo(12, seed=1)])
    assert ReplayPolicy(str(files / "a.hdf5"), 0).identity != first


def test_what_is_not_there_is_named(files):
    with pytest.raises(GaugeError, match="episodes 0 to 2, so episode=3"):
        ReplayPolicy(str(files), 3)
    with pytest.raises(GaugeError, match="no such file"):
        ReplayPolicy(str(files / "c.hdf5"), 0)
    (files / "empty").mkdir()
    with pytest.raises(GaugeError, match="holds no demonstration"):
        ReplayPolicy(str(files / "empty"), 0)


def test_an_open_loop_plays_the_first_demonstration_of_the_scenario_not_of_its_words(tmp_path):
    from gauge.policies.replay import OpenLoopPolicy

    first, second = make_demo(seed=0), make_demo(seed=1)
    twin = make_demo(seed=2, scenario_id="libero_object/twin")  # another scene with the same instruction
    nameless = make_demo(seed=3, scenario_id="", instruction="open the drawer")  # as in LIBERO's own files
    for index, demo in enumerate((first, second, twin, nameless)):
        write_demos(tmp_path / f"{index}.hdf5", [demo])
    policy = OpenLoopPolicy(str(tmp_path))
    for scenario, text, demo in (
        (TASK, SENTENCE, first),
        ("libero_object/twin", SENTENCE, twin),
        ("libero_goal/open", "open the drawer", nameless),
    ):
        policy.reset(text, np.random.default_rng(0))
        assert np.array_equal(policy.act(look(3, scenario, text))[0], demo.actions[3])
    policy.reset("fly", np.random.default_rng(0))
    with pytest.raises(PolicyError, match="holds no demonstration of libero_goal/fly"):
        policy.act(look(0, "libero_goal/fly", "fly"))
