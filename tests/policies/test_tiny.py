import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from safetensors.torch import load_file, save_file  # noqa: E402 - they need torch
from tiny_nets import SHAPE, TEXTS, stored, trained  # noqa: E402

from gauge.core.policy import CAMERAS, Observation  # noqa: E402
from gauge.errors import GaugeError  # noqa: E402
from gauge.policies.tiny import TinyPolicy  # noqa: E402
from gauge.policies.tiny.checkpoint import load_trained  # noqa: E402
from gauge.policies.tiny.net import Architecture, TinyNet, parameters, spatial_softmax  # noqa: E402
from gauge.policies.tiny.scaling import Scaling  # noqa: E402


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return stored(tmp_path / "tiny.safetensors")


def look(number: int = 0) -> Observation:
    rng = np.random.default_rng(number)
    images = {camera: rng.integers(0, 255, (32, 32, 3), dtype=np.uint8) for camera in CAMERAS}
    return Observation(images, rng.normal(size=8), TEXTS[0], 0)


def answer(policy: TinyPolicy, instruction: str = TEXTS[0], number: int = 0) -> Any:
    policy.reset(instruction, np.random.default_rng(0))
    return policy.act(look(number))


def test_the_real_size_is_below_six_million_parameters() -> None:
    assert parameters(TinyNet(Architecture())) < 6_000_000


def test_a_checkpoint_answers_as_the_network_did_up_to_half_precision(path: Path) -> None:
    before = answer(TinyPolicy.of(trained(), executed=10))
    after = answer(TinyPolicy(str(path)))
    assert after.shape == (10, 7)
    assert np.abs(before - after)[:, :6].max() < 0.01
    assert set(np.unique(after[:, 6])) <= {-1.0, 1.0}
    assert np.abs(after).max() <= 1.0


def test_pictures_state_and_instruction_all_matter(path: Path) -> None:
    policy = TinyPolicy(str(path))
    usual = answer(policy)
    assert np.array_equal(usual, answer(policy))
    assert not np.array_equal(usual, answer(policy, number=1))
    assert not np.array_equal(usual, answer(policy, TEXTS[1]))


def test_the_blind_one_is_shown_nothing(path: Path) -> None:
    seeing, blind = TinyPolicy(str(path)), TinyPolicy(str(path), blind=True)
    assert (seeing.spec.cameras, blind.spec.cameras) == (CAMERAS, ())
    assert seeing.identity.startswith("tiny/")
    assert blind.identity == seeing.identity.replace("tiny", "blind")
    black = {camera: np.zeros((32, 32, 3), dtype=np.uint8) for camera in CAMERAS}
    seeing.reset(TEXTS[0], np.random.default_rng(0))
    dark = Observation(black, look().state, TEXTS[0], 0)
    assert np.array_equal(seeing.act(dark), answer(blind))


def test_the_identity_follows_from_the_weights_and_not_from_the_card(path: Path) -> None:
    before = TinyPolicy(str(path)).identity
    about = json.loads(path.with_suffix(".json").read_text())
    about["card"] = {"success": "12 of 20"}
    path.with_suffix(".json").write_text(json.dumps(about))
    assert TinyPolicy(str(path)).identity == before
    assert TinyPolicy(str(stored(path, seed=1))).identity != before


def test_who_else_asks_changes_nothing(path: Path) -> None:
    policy = TinyPolicy(str(path))
    states = [policy.begin(TEXTS[k % 2], np.random.default_rng(0)) for k in range(3)]
    together = policy.act_batch(states, [look(k) for k in range(3)])
    alone = [policy.act_batch([states[k]], [look(k)])[0] for k in range(3)]
    assert np.array_equal(together, alone)


def test_the_spatial_softmax_finds_a_bright_place() -> None:
    found = torch.zeros(1, 2, 5, 9)
    found[0, 0, 1, 8] = found[0, 1, 4, 4] = 50.0
    assert torch.allclose(spatial_softmax(found)[0], torch.tensor([1.0, 0.0, -0.5, 1.0]), atol=1e-4)


def test_a_missing_checkpoint_says_what_writes_one(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match=r"there is no .*nothing.json; .*python -m gauge.train model=tiny writes"):
        TinyPolicy(str(tmp_path / "nothing.safetensors"))


def test_a_half_written_checkpoint(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GaugeError, match="half-written or no safetensors file"):
        load_trained(path)
    path.write_bytes(whole)
    path.with_suffix(".json").write_text('{"kind": "gauge/tiny", "for')
    with pytest.raises(GaugeError, match="no whole description of a checkpoint"):
        load_trained(path)


def test_tensors_and_description_of_different_trainings(path: Path, tmp_path: Path) -> None:
    other = stored(tmp_path / "other.safetensors", seed=1)
    path.write_bytes(other.read_bytes())
    with pytest.raises(GaugeError, match=r"is not the file that tiny\.json describes"):
        load_trained(path)


def rewrite(path: Path, **changes: Any) -> None:
    """Change tensors of a checkpoint, and let its description fit again."""
    tensors = {name: tensor for name, tensor in {**load_file(path), **changes}.items() if tensor is not None}
    save_file(tensors, path)
    about = json.loads(path.with_suffix(".json").read_text())
    about["tensors_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_suffix(".json").write_text(json.dumps(about))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"action.weight": None}, "it lacks action.weight"),
        ({"more": torch.zeros(2)}, "it has too much more"),
        ({"action.bias": torch.zeros(3)}, "it has another shape of action.bias"),
        ({"action.bias": torch.full((7,), float("nan"))}, "holds NaN or infinity in action.bias"),
        ({"instructions": None}, r"lacks the vectors of its 2 instructions"),
    ],
)
def test_tensors_of_another_architecture_are_named(path: Path, changes: dict[str, Any], said: str) -> None:
    rewrite(path, **changes)
    with pytest.raises(GaugeError, match=said):
        load_trained(path)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("normalisation", {}, "lacks the statistics state_mean, state_std, action_mean, action_std"),
        ("normalisation.state_std", [1, 1, 0, 1, 1, 1, 1, 1], r"state_std\[2\] is 0; a standard deviation is more"),
        ("normalisation.action_mean", [0, 0], "action_mean is not 6 finite numbers"),
        ("architecture.colour", 3, "another architecture than model=tiny has"),
        ("kind", "other", "describes no checkpoint of model=tiny"),
        ("format", 9, "is of format 9; this version reads format 1"),
    ],
)
def test_what_a_description_has_to_say(path: Path, key: str, value: Any, said: str) -> None:
    about = json.loads(path.with_suffix(".json").read_text())
    *groups, last = key.split(".")
    node = about
    for group in groups:
        node = node[group]
    node[last] = value
    path.with_suffix(".json").write_text(json.dumps(about))
    with pytest.raises(GaugeError, match=said):
        load_trained(path)


def test_a_description_without_a_part(path: Path) -> None:
    about = json.loads(path.with_suffix(".json").read_text())
    del about["normalisation"]
    path.with_suffix(".json").write_text(json.dumps(about))
    with pytest.raises(GaugeError, match="lacks normalisation"):
        load_trained(path)


def test_another_chunk_than_it_was_trained_for(path: Path) -> None:
    with pytest.raises(GaugeError, match=r"model\.chunk=8, but the checkpoint answers 10 actions"):
        TinyPolicy(str(path), chunk=8, executed=8)


def test_scaling_and_back() -> None:
    rng = np.random.default_rng(0)
    actions = np.concatenate([rng.uniform(-1, 1, (40, 6)), rng.choice([-1.0, 1.0], (40, 1))], axis=1)
    scaling = Scaling.of(rng.normal(size=(40, 8)), actions)
    assert np.allclose(scaling.actions(scaling.arm(actions)), actions, atol=1e-6)
    assert Scaling.from_json(scaling.to_json(), "here").to_json() == scaling.to_json()
    still = Scaling.of(np.zeros((4, 8)), np.zeros((4, 7)))
    assert still.state_std.min() > 0
    assert still.action_std.min() > 0


def test_the_shape_is_plain_data_and_back() -> None:
    assert Architecture.from_json(json.loads(json.dumps(SHAPE.to_json()))) == SHAPE
