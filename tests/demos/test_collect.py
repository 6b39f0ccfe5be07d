"""Recording in a real scene: the same set from one process or several, after a kill, replayed and rendered."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hydra import compose, initialize_config_dir

from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register as register_all
from gauge.core.policy import PolicySpec
from gauge.core.seeds import episode_seed
from gauge.demos.config import register, stored_items
from gauge.demos.gate import Limits
from gauge.demos.store import open_set
from gauge.errors import GaugeError, IncompleteError
from gauge.records.demo_file import read_demo
from gauge.rollout.plan import EpisodePlan
from gauge.suites import load

TASK = load("libero_object").tasks[3]
QUICK = ["suite.tasks=[3]", "n=2", "progress=false"]


@pytest.fixture(scope="module", autouse=True)
def hydra():
    register_all()
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(folder, *overrides):
    return compose("demos", [*QUICK, f"folder={folder}", *overrides])


def digests(folder):
    return {kept.path.name: read_demo(kept.path).digest for kept in open_set(folder).kept()}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["n=0"], "n=0 is too small"),
        (["render=127"], "render=127 is not possible: an even number"),
        (["first_state=50"], "has the official initial states 0 to 49"),
        (["suite.tasks=[12]"], "tasks 0 to 9, not 12"),
        (["perturbation=action_noise", "value.at=0.1"], "action_noise changes the actions"),
        (["perturbation=light_diffuse"], "light_diffuse needs a value"),
        (["source=demos"], "source= belongs to replay"),
    ],
)
def test_what_cannot_be_recorded_is_refused_before_anything_is_built(tmp_path, typed, said):
    from gauge.demos.collect import collect

    with pytest.raises(GaugeError, match=said):
        collect(composed(tmp_path / "set", *typed))
    assert not (tmp_path / "set").exists()


def test_a_replay_needs_a_source(tmp_path):
    from gauge.demos.collect import replay

    with pytest.raises(GaugeError, match="add source=FOLDER"):
        replay(composed(tmp_path / "set"))


def test_items_are_read_back_from_what_a_demonstration_stores():
    found = stored_items([{"attribute": "light_diffuse", "mode": "static", "values": [0.5]}])
    assert found[0].item.label == "light_diffuse=0.5"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    from gauge.demos.collect import collect

    folder = tmp_path_factory.mktemp("sets") / "plain"
    collect(composed(folder, "workers=0"))
    return folder


@pytest.mark.sim
def test_a_demonstration_holds_the_whole_episode(recorded):
    found = open_set(recorded)
    assert [kept.index for kept in found.kept()] == [0, 1]
    demo = read_demo(next(found.kept()).path)
    length = len(demo)
    assert demo.states.shape == (length, len(demo.final_state))
    assert (demo.proprioception.shape, demo.joints.shape) == ((length, 8), (length, 7))
    assert np.allclose(np.diff(demo.states[:, 0]), 0.05)
    origin = demo.origin
    assert (origin.scenario_id, origin.instruction, origin.rollout) == (TASK.id, TASK.instruction, 20)
    assert origin.seed == episode_seed(0, TASK.id, 20)
    assert 0 < origin.success_step <= length < 200
    assert origin.model_identity.startswith("expert/")
    assert set(demo.fixtures) == {"body_pos", "body_quat"}


@pytest.mark.sim
def test_the_recorded_start_is_the_evaluated_one_and_replaying_it_succeeds(recorded, screen):
    from gauge.policies.replay import ReplayPolicy
    from gauge.rollout.episode import Episode
    from gauge.sim.scene import Scene

    demo = read_demo(next(open_set(recorded).kept()).path)
    scene = Scene(TASK, screen)
    plan = EpisodePlan("", TASK, 20, demo.origin.seed, 280, 10)
    record = Episode(scene, ReplayPolicy(str(recorded)), plan).run()
    assert (record.start_hash, record.status) == (demo.origin.start_hash, "success")
    assert record.success_step == demo.origin.success_step
    other = Episode(scene, ReplayPolicy(str(recorded)), replace(plan, rollout=3)).run()
    assert other.status == "error"
    assert "holds no episode that starts here" in other.reason
    scene.close()


@pytest.mark.sim
def test_a_changed_action_does_not_pass_verification(recorded, screen):
    from gauge.demos.recording import verify
    from gauge.sim.scene import Scene

    demo = read_demo(next(open_set(recorded).kept()).path)
    scene = Scene(TASK, screen)
    plan = EpisodePlan("", TASK, 20, demo.origin.seed, 280, 10)
    assert verify(scene, demo, plan) == ""
    actions = demo.actions.copy()
    actions[5, 0] += 0.01
    assert "another state" in verify(scene, replace(demo, actions=actions), plan)
    assert "starts elsewhere" in verify(scene, demo, replace(plan, rollout=7))
    scene.close()


@pytest.mark.sim
@pytest.mark.process
def test_a_killed_collection_goes_on_to_the_same_set(recorded, tmp_path):
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "gauge.demos", "collect", *QUICK, f"folder={folder}", "workers=2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 240
    while not list(folder.glob("*/*.json")) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert digests(folder) == digests(recorded)


class Failing:
    """Never reaches anything; its state tells why."""

    identity = "failing/1"
    spec = PolicySpec(cameras=(), state="none", chunk=1, executed=1)
    status = "failed: no grasp of bbq_sauce_1"

    def reset(self, instruction, rng):
        pass

    def act(self, observation):
        return np.zeros((1, 7))

    def close(self):
        pass


@pytest.mark.sim
def test_reasons_for_what_was_dropped_are_kept_and_too_few_is_incomplete(tmp_path, monkeypatch):
    from gauge.config import build
    from gauge.demos.collect import collect

    monkeypatch.setattr(build, "make_policy", lambda cfg: Failing())
    with pytest.raises(IncompleteError, match=r"fewer than 2 demonstrations after 2 tries: .*bbq_sauce.* 0"):
        collect(composed(tmp_path / "set", "workers=0", "suite.horizon=5", "tries=1"))
    found = open_set(tmp_path / "set").selection(TASK.name)
    assert found.dropped[0] == "the goal was not reached within 5 steps (failed: no grasp of bbq_sauce_1)"
    assert not list((tmp_path / "set").rglob("*.hdf5"))


@pytest.mark.sim
def test_a_replay_keeps_what_still_succeeds_and_its_pictures_show_the_perturbation(recorded, tmp_path):
    from gauge.demos.collect import replay
    from gauge.demos.render import render_set, rendered

    dark = tmp_path / "dark"
    replay(composed(dark, f"source={recorded}", "workers=0", "perturbation=light_diffuse", "value.at=0.2"))
    assert digests(dark) == digests(recorded), "light changes no physics"
    for folder in (recorded, dark):
        render_set(folder, 32, 0, "auto", 60.0)
    plain, darker = (read_demo(next(open_set(folder).kept()).path, images=True) for folder in (recorded, dark))
    assert darker.origin.items == [{"attribute": "light_diffuse", "mode": "static", "values": [0.2]}]
    assert rendered(next(open_set(dark).kept()).path, 32)
    assert not rendered(next(open_set(dark).kept()).path, 64)
    for camera, frames in plain.images.items():
        assert frames.shape == (len(plain), 32, 32, 3)
        assert darker.images[camera].mean() < 0.9 * frames.mean()
        assert np.abs(np.diff(frames.astype(int), axis=0)).max() > 20, "the pictures move"


@pytest.mark.sim
def test_a_scene_that_cannot_be_rebuilt_is_not_rendered(recorded, screen):
    from gauge.demos.render import frames
    from gauge.sim.scene import Scene

    demo = read_demo(next(open_set(recorded).kept()).path)
    scene = Scene(TASK, screen)
    elsewhere = {**demo.fixtures, "body_pos": demo.fixtures["body_pos"] + 0.01}
    with pytest.raises(GaugeError, match="cannot be rebuilt here, body_pos differs"):
        frames(scene, replace(demo, fixtures=elsewhere), (32, 32))
    with pytest.raises(GaugeError, match="how its scene was started"):
        frames(scene, replace(demo, origin=replace(demo.origin, seed=None)), (32, 32))
    scene.close()


@pytest.mark.sim
def test_the_gate_of_a_set_is_the_one_that_was_asked_for_last(recorded):
    assert open_set(recorded).limits == Limits(pause_steps=15, noop_steps=5, detour=1.5)
    assert json.loads((Path(recorded) / "set.json").read_text())["wanted"]["n"] == 2
