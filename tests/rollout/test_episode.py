"""Episodes on a real scene with small policies of known behaviour."""

from dataclasses import replace

import numpy as np
import pytest

from gauge.core.policy import PolicySpec
from gauge.core.seeds import episode_seed
from gauge.errors import PolicyError
from gauge.perturbations.action_drop import ActionDrop
from gauge.perturbations.action_noise import ActionNoise
from gauge.perturbations.base import Bound
from gauge.perturbations.image_shift import ImageShift
from gauge.perturbations.light_diffuse import LightDiffuse
from gauge.rollout.plan import EpisodePlan
from gauge.suites import load

pytestmark = pytest.mark.sim
TASK = load("libero_goal").tasks[0]
PLAN = EpisodePlan("cell", TASK, 0, episode_seed(0, TASK.id, 0), horizon=20, settle_steps=10)
SHIFT = ImageShift("spatial", "image", "image_shift", "", 0.0, (0.1, 0.2))
DROP = ActionDrop("control", "action", "action_drop", "", 0.0, (0.1, 0.2))
LIGHT = LightDiffuse("visual", "light", "light_diffuse", "", 1.0, (0.05, 2.0))
NOISE = ActionNoise("control", "action", "action_noise", "", 0.0, (0.1, 0.3))


class Probe:
    """Moves gently with its rng and remembers everything it was told and shown."""

    identity = "probe/1"

    def __init__(self, **spec):
        self.spec = PolicySpec(**{"chunk": 10, "executed": 10, "image_size": (64, 64), **spec})
        self.resets, self.seen = [], []

    def reset(self, instruction, rng):
        self.rng = rng
        self.resets.append(instruction)

    def act(self, observation):
        self.seen.append(observation)
        return self.rng.uniform(-0.3, 0.3, (self.spec.chunk, 7))

    def close(self):
        pass


def run(scene, policy, plan=PLAN, *bound):
    from gauge.rollout.episode import Episode

    return Episode(scene, policy, plan, bound, {"renderer": "test"}).run()


def bound(perturbation, *values, mode="static"):
    return Bound(perturbation.item(values, mode), perturbation)


def test_why_a_policy_gave_up_is_recorded_with_its_failure(goal_scene):
    policy = Probe()
    policy.status = "failed: no grasp of plate_1"
    record = run(goal_scene, policy)
    assert (record.status, record.reason) == ("fail", "no grasp of plate_1")
    policy.status = "acting"
    assert run(goal_scene, policy).reason == ""


def test_a_clean_episode_is_recorded_in_full(goal_scene):
    policy = Probe()
    record = run(goal_scene, policy)
    assert (record.status, record.success_step, record.success_final) == ("fail", None, False)
    assert (record.steps, record.policy_calls, record.frames) == (20, 2, 4)
    assert record.prompt == TASK.instruction == policy.resets[0]
    assert record.scene_hash == goal_scene.hash
    assert record.residual_speed < 0.01
    assert set(record.wall_s) == {"start", "settle", "render", "policy", "physics"}
    assert policy.seen[0].state.shape == (8,)
    assert policy.seen[0].scene is None
    assert [o.step for o in policy.seen] == [0, 10]


def test_the_same_plan_gives_the_same_episode_and_another_rollout_another(goal_scene):
    keep = ("start_hash", "status", "steps", "seed", "scene_hash")
    first, again = (run(goal_scene, Probe()) for _ in range(2))
    other = run(goal_scene, Probe(), replace(PLAN, rollout=1, seed=episode_seed(0, TASK.id, 1)))
    assert {k: getattr(first, k) for k in keep} == {k: getattr(again, k) for k in keep}
    assert other.start_hash != first.start_hash


@pytest.mark.parametrize(("executed", "calls"), [(8, 3), (4, 5), (1, 20)])
def test_the_policy_is_asked_once_per_executed_part(goal_scene, executed, calls):
    policy = Probe(chunk=8, executed=executed, cameras=())
    assert run(goal_scene, policy).policy_calls == calls == len(policy.seen)


def test_actions_of_one_episode_never_reach_the_next(goal_scene):
    policy = Probe(cameras=())
    run(goal_scene, policy, replace(PLAN, horizon=3))
    run(goal_scene, policy, replace(PLAN, horizon=3))
    assert len(policy.resets) == 2
    assert [o.step for o in policy.seen] == [0, 0]


@pytest.mark.parametrize("orientation", ["upright", "mirrored", "flipped"])
def test_frames_come_in_the_declared_orientation(goal_scene, orientation):
    upright, turned = Probe(), Probe(orientation=orientation)
    run(goal_scene, upright, replace(PLAN, horizon=1))
    run(goal_scene, turned, replace(PLAN, horizon=1))
    for camera, frame in upright.seen[0].images.items():
        raw = frame[::-1]  # LIBERO's own, see tests/sim/test_scene.py
        expected = {"upright": frame, "flipped": raw, "mirrored": raw[::-1, ::-1]}[orientation]
        assert np.array_equal(turned.seen[0].images[camera], expected)


def test_a_perturbed_image_reaches_the_policy_on_every_camera_with_proof(goal_scene):
    clean, shifted = Probe(), Probe()
    run(goal_scene, clean, replace(PLAN, horizon=1))
    record = run(goal_scene, shifted, replace(PLAN, horizon=1), bound(SHIFT, 0.25))
    for camera, frame in clean.seen[0].images.items():
        assert np.array_equal(shifted.seen[0].images[camera][:, 16:], frame[:, :-16])
        assert (shifted.seen[0].images[camera][:, :16] == 0).all()
    (item,) = record.items
    assert item["changed"] == item["samples"] == 2
    assert item["seen_by_policy"] is True
    assert item["mean_change"] > 1.0


def test_a_policy_without_eyes_is_marked_as_not_having_seen_the_image(goal_scene):
    record = run(goal_scene, Probe(cameras=()), PLAN, bound(SHIFT, 0.25))
    assert record.items[0]["seen_by_policy"] is False
    assert record.items[0]["mean_change"] > 1.0
    assert record.frames == 0


def test_action_noise_is_executed_and_counted(goal_scene):
    clean, noisy = run(goal_scene, Probe()), run(goal_scene, Probe(), PLAN, bound(NOISE, 0.3))
    assert clean.start_hash == noisy.start_hash
    assert noisy.items[0]["changed"] == noisy.steps == 20
    assert 0.1 < noisy.items[0]["mean_change"] < 0.3


def test_clean_after_perturbed_is_clean_to_the_bit(goal_scene):
    before = Probe()
    run(goal_scene, before)
    run(goal_scene, Probe(), PLAN, bound(LIGHT, 0.05), bound(SHIFT, 0.2), bound(NOISE, 0.3))
    after = Probe()
    run(goal_scene, after)
    for first, second in zip(before.seen, after.seen, strict=True):
        assert np.array_equal(first.state, second.state)
        assert all(np.array_equal(first.images[c], second.images[c]) for c in first.images)


def test_dynamic_values_are_drawn_three_times_whatever_the_model(goal_scene):
    plan = replace(PLAN, horizon=30)
    item = bound(LIGHT, 0.05, 0.2, 0.5, 2.0, 5.0, mode="dynamic")
    first = run(goal_scene, Probe(executed=1, chunk=1, cameras=()), plan, item)
    second = run(goal_scene, Probe(), plan, item)
    assert first.items[0]["values"] == second.items[0]["values"]
    assert len(first.items[0]["values"]) == 3
    other = run(goal_scene, Probe(cameras=()), replace(plan, rollout=1, seed=episode_seed(0, TASK.id, 1)), item)
    assert other.items[0]["values"] != first.items[0]["values"]


def test_a_perturbation_that_changes_nothing_is_an_error(goal_scene):
    record = run(goal_scene, Probe(), PLAN, bound(SHIFT, 0.001))
    assert record.status == "error"
    assert "image_shift=0.001 changed nothing" in record.reason


def test_a_lossy_line_that_lost_nothing_is_a_result(goal_scene):
    record = run(goal_scene, Probe(cameras=()), replace(PLAN, horizon=2), bound(DROP, 0.1))
    assert (record.status, record.items[0]["samples"], record.items[0]["changed"]) == ("fail", 2, 0)


def bad_answer(answer):
    policy = Probe(cameras=())
    policy.act = lambda observation: answer
    return policy


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(np.full((10, 7), np.nan), "NaN"), (np.zeros((10, 6)), "shape"), (np.zeros((0, 7)), "0 actions"), (None, "shape")],
)
def test_a_bad_answer_is_an_error_of_this_episode_never_a_failure(goal_scene, answer, reason):
    record = run(goal_scene, bad_answer(answer))
    assert record.status == "error"
    assert reason in record.reason
    assert record.success_final is None
    assert run(goal_scene, Probe()).status == "fail"


def test_a_policy_that_dies_in_the_middle_is_an_error(goal_scene):
    policy = Probe(cameras=())
    policy.act = lambda o: np.zeros((10, 7)) if o.step < 10 else (_ for _ in ()).throw(PolicyError("connection lost"))
    record = run(goal_scene, policy)
    assert (record.status, record.reason, record.steps) == ("error", "connection lost", 10)


def test_an_unforeseen_exception_is_an_error_with_its_name(goal_scene):
    policy = Probe(cameras=())
    policy.act = lambda o: 1 / 0
    record = run(goal_scene, policy)
    assert record.reason == "ZeroDivisionError: division by zero"


def test_a_goal_that_holds_at_the_start_is_no_success(goal_scene, monkeypatch):
    monkeypatch.setattr(type(goal_scene), "success", lambda self: True)
    record = run(goal_scene, Probe())
    assert record.status == "error"
    assert "already true at the start" in record.reason


def test_success_is_judged_after_every_action_including_the_last(goal_scene, monkeypatch):
    answers = iter([False] * 20 + [True] * 2)  # before the first action, after actions 1 to 20, then idle
    monkeypatch.setattr(type(goal_scene), "success", lambda self: next(answers))
    record = run(goal_scene, Probe())
    assert (record.status, record.success_step, record.steps, record.success_final) == ("success", 20, 20, True)


def test_a_goal_that_is_lost_when_the_hand_opens_is_not_final(goal_scene, monkeypatch):
    answers = iter([False, False, True, False])
    monkeypatch.setattr(type(goal_scene), "success", lambda self: next(answers))
    record = run(goal_scene, Probe())
    assert (record.status, record.success_step, record.success_final) == ("success", 2, False)


def test_the_video_shows_the_perturbed_episode_and_leaves_the_scene_clean(goal_scene, tmp_path):
    import av

    from gauge.rollout.episode import Episode
    from gauge.rollout.video import write_video

    clean = Probe()
    run(goal_scene, clean)
    episode = Episode(goal_scene, Probe(), PLAN, [bound(SHIFT, 0.25), bound(LIGHT, 2.0)])
    episode.run()
    write_video(episode, tmp_path / "v.mp4")
    with av.open(str(tmp_path / "v.mp4")) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) == 11
    assert frames[0].shape == (64, 128, 3)
    assert frames[0][:, :14].mean() < 8 < frames[0][:, 20:60].mean()
    again = Probe()
    run(goal_scene, again)
    assert np.array_equal(clean.seen[0].images["agentview"], again.seen[0].images["agentview"])
