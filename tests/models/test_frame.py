"""What a profile does to a real observation, and a whole episode of a policy that commands poses."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from policy_peers import ActPeer, json_numpy_loads

from gauge.config.profiles import profile
from gauge.models.read import served
from gauge.policies.served.policy import ServedPolicy
from gauge.suites import load
from gauge.wire.client import Patience

pytestmark = pytest.mark.sim


def test_the_pictures_are_liberos_own(tmp_path: Path) -> None:
    from gauge.models.frame import write_frame
    from gauge.sim.scene import Scene

    task = load("libero_goal").tasks[0]
    written = write_frame("xvla", profile(served("xvla")), task, 2, tmp_path)
    assert len(written) == 7
    scene = Scene(task)
    scene.start(0, 0)
    for _ in range(2):
        scene.step(scene.rest)
    scene.look()
    for camera, turn in (("agentview", np.s_[::-1, ::-1]), ("robot0_eye_in_hand", np.s_[:])):
        raw = scene.frame(camera, (256, 256))[::-1]
        shown = np.asarray(Image.open(tmp_path / f"xvla-{camera}-sent.png"))
        assert np.array_equal(shown, raw[turn]), camera
    facts = json.loads((tmp_path / "xvla.json").read_text())
    assert facts["prompt"] == task.instruction
    assert np.allclose(facts["state"], scene.controller_pose())
    scene.close()


def test_an_episode_of_absolute_poses_arrives_where_the_server_says(goal_scene: Any) -> None:
    from gauge.rollout.episode import Episode
    from gauge.rollout.plan import EpisodePlan

    task = goal_scene.task
    goal = [0.0, 0.1, 1.15]

    def infer(body: Any) -> Any:
        state = json_numpy_loads(body["proprio"])
        return {"action": [[*goal, *state[3:9], 0.1, *[0.0] * 10]] * 30}

    with ActPeer(infer) as peer:
        policy = ServedPolicy(
            profile(served("xvla")), "127.0.0.1", peer.port, {"domain_id": 3}, patience=Patience(attempts=1)
        )
        plan = EpisodePlan(cell_id="0" * 16, task=task, rollout=0, seed=1, horizon=60, settle_steps=10)
        record = Episode(goal_scene, policy, plan).run()
        policy.close()
    assert record.status == "fail", record.reason
    assert record.policy_calls == 2
    goal_scene.look()
    assert np.abs(goal_scene.controller_pose()[:3] - goal).max() < 0.02
