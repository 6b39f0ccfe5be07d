from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch_nets import Net  # noqa: E402 - it needs torch

from gauge.core.policy import Observation, PolicySpec  # noqa: E402
from gauge.errors import GaugeError, PolicyError  # noqa: E402
from gauge.policies.torch_module import TorchPolicy  # noqa: E402

SPEC = PolicySpec(image_size=(16, 16))


def look(number: int = 0, prompt: str = "go") -> Observation:
    rng = np.random.default_rng(number)
    images = {camera: rng.integers(0, 255, (16, 16, 3), dtype=np.uint8) for camera in SPEC.cameras}
    return Observation(images, rng.normal(size=8), prompt, 0)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    torch.save(Net().state_dict(), tmp_path / "net.pt")
    return tmp_path / "net.pt"


def policy(checkpoint: Path | None, module: str = "torch_nets:Net", **settings: Any) -> TorchPolicy:
    return TorchPolicy(SPEC, module, None if checkpoint is None else str(checkpoint), **settings)


def test_the_module_answers_what_it_would_answer_itself(checkpoint: Path) -> None:
    made, net = policy(checkpoint), Net()
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    made.reset("go", np.random.default_rng(0))
    images = {name: torch.from_numpy(image[None]) for name, image in look().images.items()}
    with torch.inference_mode():
        expected = net(images, torch.from_numpy(look().state[None].astype(np.float32)), ["go"])[0]
    assert np.array_equal(made.act(look()), expected.double().numpy())
    assert made.identity.startswith("torch/torch_nets:Net/")
    assert made.identity != policy(None).identity == "torch/torch_nets:Net/untrained"


def test_who_else_asks_changes_nothing(checkpoint: Path) -> None:
    made = policy(checkpoint)
    states = [made.begin("go", np.random.default_rng(k)) for k in range(3)]
    together = made.act_batch(states, [look(k, "go" * k) for k in range(3)])
    alone = [made.act_batch([states[k]], [look(k, "go" * k)])[0] for k in range(3)]
    assert np.array_equal(together, alone)
    fast = policy(checkpoint, batched=True).act_batch(states, [look(k, "go" * k) for k in range(3)])
    assert np.allclose(fast, alone, atol=1e-5)


def test_what_is_drawn_follows_from_the_episode(checkpoint: Path) -> None:
    def episode(seed: int) -> Any:
        made = policy(checkpoint, "torch_nets:Drawing")
        made.reset("go", np.random.default_rng(seed))
        return [made.act(look()), made.act(look())]

    assert np.array_equal(episode(1), episode(1))
    assert not np.array_equal(episode(1), episode(2))
    assert not np.array_equal(*episode(1))


def test_an_answer_of_another_shape_ends_the_episode(checkpoint: Path) -> None:
    made = policy(checkpoint, "torch_nets:Broken")
    made.reset("go", np.random.default_rng(0))
    with pytest.raises(PolicyError, match=r"answered \[1, 7\] to 1 looks, not \[B, T, 7\]"):
        made.act(look())


def changed(path: Path, kind: str) -> Path:
    tensors = torch.load(path, weights_only=True)
    whole = path.read_bytes()
    if kind == "half":
        path.write_bytes(whole[: len(whole) // 2])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("a checkpoint")
    elif kind == "lacks":
        del tensors["head.bias"]
        torch.save(tensors, path)
    elif kind == "more":
        torch.save({**tensors, "tail.bias": torch.zeros(1)}, path)
    elif kind == "shape":
        torch.save({**tensors, "head.bias": torch.zeros(3)}, path)
    elif kind == "pickle":
        torch.save(Net(), path)
    elif kind == "numbers":
        torch.save([1, 2], path)
    return path


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("half", "is no whole checkpoint"),
        ("empty", "is no whole checkpoint"),
        ("text", "no whole checkpoint|more than tensors"),
        ("lacks", r"another architecture: it lacks head\.bias$"),
        ("more", r"another architecture: it has too much tail\.bias$"),
        ("shape", r"another architecture: it has another shape of head\.bias$"),
        ("pickle", "holds more than tensors, which could run code"),
        ("numbers", "holds no tensors by name"),
    ],
)
def test_a_checkpoint_that_is_not_this_modules(checkpoint: Path, kind: str, reason: str) -> None:
    with pytest.raises(GaugeError, match=reason):
        policy(changed(checkpoint, kind))


def test_a_checkpoint_in_lightnings_wrapping_is_read(checkpoint: Path) -> None:
    plain = policy(checkpoint)
    torch.save({"state_dict": torch.load(checkpoint, weights_only=True), "epoch": 3}, checkpoint)
    wrapped = policy(checkpoint)
    for one in (plain, wrapped):
        one.reset("go", np.random.default_rng(0))
    assert np.array_equal(plain.act(look()), wrapped.act(look()))


@pytest.mark.parametrize(
    ("module", "settings", "reason"),
    [
        ("nowhere:Net", {}, "model.module=nowhere:Net cannot be imported"),
        ("torch_nets:Nett", {}, "cannot be imported"),
        ("torch_nets", {}, "write package.file:Name"),
        ("torch_nets:Net", {"depth": 3}, r"does not take model\.settings="),
        ("torch_nets:no_module", {}, "makes a int, not a torch.nn.Module"),
    ],
)
def test_a_module_that_cannot_be_made(module: str, settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(GaugeError, match=reason):
        policy(None, module, settings=settings)


def test_a_missing_checkpoint_and_a_missing_device(tmp_path: Path) -> None:
    with pytest.raises(GaugeError, match="does not exist"):
        policy(tmp_path / "none.pt")
    with pytest.raises(GaugeError, match=r"model\.device=warp cannot be used"):
        policy(None, device="warp")


def test_a_module_that_declares_another_convention_is_refused_before_any_episode() -> None:
    assert policy(None, "torch_nets:Declaring").spec == SPEC
    with pytest.raises(GaugeError, match=r"field +profile +module\n +gripper +close_positive +open_positive"):
        policy(None, "torch_nets:Declaring", settings={"gripper": "open_positive"})
