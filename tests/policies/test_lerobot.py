"""`model=lerobot`: what a checkpoint says is compared, and a real one answers as in lerobot itself."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gauge.core.policy import PolicySpec
from gauge.errors import GaugeError
from gauge.policies.lerobot import LeRobotPolicy, differences

TESTS = Path(__file__).parents[1]
LIBRARY = Path(sys.prefix) / "lerobot"  # where `make install-dev` puts lerobot, apart from the environment
KEYS = {"agentview": "observation.images.image", "robot0_eye_in_hand": "observation.images.image2"}
SPEC = PolicySpec(image_size=(64, 64), orientation="mirrored", chunk=12, executed=6)
ABOUT: dict[str, Any] = {
    "input_features": {
        **{name: {"type": "VISUAL", "shape": [3, 64, 64]} for name in KEYS.values()},
        "observation.state": {"type": "STATE", "shape": [8]},
    },
    "output_features": {"action": {"type": "ACTION", "shape": [7]}},
    "chunk_size": 12,
    "n_obs_steps": 1,
    "temporal_ensemble_coeff": None,
}


def test_a_checkpoint_that_is_what_the_option_says_has_no_differences() -> None:
    assert differences(ABOUT, SPEC, KEYS) == []


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"chunk_size": 100}, "it answers 100 actions: type model.chunk=100"),
        ({"n_obs_steps": 2}, "it looks back 2 steps, of which gauge shows it one"),
        ({"temporal_ensemble_coeff": 0.01}, "it averages chunks over time"),
        ({"output_features": {"action": {"shape": [6]}}}, "its actions have the shape [6]"),
        ({"input_features": {"observation.state": {"type": "STATE", "shape": [8]}}}, "it looks at nothing"),
        (
            {"input_features": ABOUT["input_features"] | {"observation.state": {"type": "STATE", "shape": [9]}}},
            "its observation.state has [9] numbers, model.state=eef_pos_axis_angle_gripper has 8",
        ),
        (
            {"input_features": ABOUT["input_features"] | {KEYS["agentview"]: {"type": "VISUAL", "shape": [3, 96, 96]}}},
            "its pictures have the shape [3, 96, 96]: type model.image_size=[96, 96]",
        ),
    ],
)
def test_each_difference_is_one_sentence(said: dict[str, Any], sentence: str) -> None:
    [found] = differences(ABOUT | said, SPEC, KEYS)
    assert found.startswith(sentence)


def test_a_camera_without_a_name_is_told() -> None:
    assert any("no picture for robot0_eye_in_hand" in one for one in differences(ABOUT, SPEC, {"agentview": "a"}))


def test_a_folder_without_checkpoint_is_refused_before_lerobot_is_imported(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match=r"holds no config\.json and no model\.safetensors"):
        LeRobotPolicy(SPEC, str(tmp_path), KEYS)
    (tmp_path / "config.json").write_text("{")
    (tmp_path / "model.safetensors").touch()
    with pytest.raises(GaugeError, match="is not JSON"):
        LeRobotPolicy(SPEC, str(tmp_path), KEYS)
    (tmp_path / "config.json").write_text(json.dumps(ABOUT | {"chunk_size": 100}))
    with pytest.raises(GaugeError, match="is not what model=lerobot says"):
        LeRobotPolicy(SPEC, str(tmp_path), KEYS)


def python(*typed: str) -> subprocess.CompletedProcess[str]:
    """A process that finds lerobot."""
    paths = [str(TESTS / "lerobot_site"), str(TESTS), str(LIBRARY), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "HF_HUB_OFFLINE": "1"}
    return subprocess.run([sys.executable, *typed], env=environment, capture_output=True, text=True, timeout=300)


ANSWERS = """
import sys
import numpy as np
from lerobot_checkpoint import look
from gauge.core.policy import Observation, PolicySpec
from gauge.policies.lerobot import LeRobotPolicy
keys = {"agentview": "observation.images.image", "robot0_eye_in_hand": "observation.images.image2"}
policy = LeRobotPolicy(PolicySpec(image_size=(64, 64), chunk=12), sys.argv[1], keys)
images, state = look()
policy.reset("", np.random.default_rng(0))
answer = policy.act(Observation(dict(zip(keys, images)), state, "put it there", 0))
np.testing.assert_array_equal(answer.astype(np.float32), np.load(f"{sys.argv[1]}/answer.npy"))
print(policy.identity)
"""


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not LIBRARY.is_dir():
        pytest.skip("lerobot is not installed beside this environment; make install-dev does it")
    folder = tmp_path_factory.mktemp("act")
    made = python(str(TESTS / "lerobot_checkpoint.py"), str(folder))
    assert made.returncode == 0, made.stderr
    return folder


@pytest.mark.process
def test_a_real_checkpoint_answers_as_in_lerobot(checkpoint: Path) -> None:
    done = python("-c", ANSWERS, str(checkpoint))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("lerobot/act/")


@pytest.mark.process
def test_a_tensor_too_few_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    for path in checkpoint.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    cut = (
        "import sys; from safetensors.torch import load_file, save_file; f = sys.argv[1]; t = load_file(f); "
        "t.pop('model.action_head.bias'); save_file(t, f)"
    )
    assert python("-c", cut, str(tmp_path / "model.safetensors")).returncode == 0
    done = python("-c", ANSWERS, str(tmp_path))
    assert "lerobot cannot load" in done.stderr
    assert "action_head.bias" in done.stderr


@pytest.mark.sim
@pytest.mark.process
def test_it_acts_in_a_real_scene(checkpoint: Path, tmp_path: Path) -> None:
    typed = ["model=lerobot", f"model.checkpoint={checkpoint}", "model.image_size=[64,64]", "model.chunk=12"]
    typed += ["suite=libero_goal", "suite.tasks=[8]", "suite.horizon=12", "rollouts=1", "video=off"]
    done = python("-m", "gauge.run", *typed, f"outputs={tmp_path}", "progress=false")
    assert done.returncode == 0, done.stderr
    [records] = tmp_path.glob("main/lerobot-*/episodes-*.jsonl")
    row = json.loads(records.read_text().splitlines()[0])
    assert (row["status"], row["steps"], row["policy_calls"]) == ("fail", 12, 2)
