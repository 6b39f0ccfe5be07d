"""A trained tiny on disk: `NAME.safetensors` with its tensors, and `NAME.json` with all that is not a tensor.

The JSON holds the hash of the tensors and appears after them, each by renaming, so a pair that fits was written whole.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from gauge.errors import GaugeError
from gauge.policies.tiny.net import Architecture, TinyNet
from gauge.policies.tiny.scaling import Scaling

FORMAT = 1
TEXTS = "instructions"  # the tensor of the training instructions' embeddings
TOLD = 4  # tensors that an error names


@dataclass(frozen=True)
class Trained:
    """What a checkpoint holds.

    Attributes:
        net: the network, in float32.
        scaling: how states and actions are normalised.
        texts: every training instruction with its embedding [text].
        encoder: package and version that embedded them.
        card: what is known of the training: data, seeds, hours, scores; plain data.
        digest: 12 hex digits over all that decides its answers, so not over the card; empty before it is saved.
    """

    net: TinyNet
    scaling: Scaling
    texts: Mapping[str, Tensor]
    encoder: str
    card: Mapping[str, Any]
    digest: str = ""


def save_trained(path: Path, trained: Trained) -> None:
    """Write `path` (.safetensors) and the JSON beside it; tensors are stored as float16."""
    tensors = {name: tensor.detach().cpu().half().contiguous() for name, tensor in trained.net.state_dict().items()}
    tensors[TEXTS] = torch.stack(list(trained.texts.values())).cpu()
    content = save(tensors)
    about = {
        "format": FORMAT,
        "kind": "gauge/tiny",
        "tensors_sha256": hashlib.sha256(content).hexdigest(),
        "architecture": trained.net.shape.to_json(),
        "normalisation": trained.scaling.to_json(),
        "instructions": list(trained.texts),
        "text_encoder": trained.encoder,
        "card": dict(trained.card),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, content)
    _write(path.with_suffix(".json"), (json.dumps(about, indent=1, allow_nan=False) + "\n").encode())


def load_trained(path: Path) -> Trained:
    """Read what `save_trained` wrote; every tensor of the architecture has to be there, and no other.

    Raises:
        GaugeError: a file is missing, half-written, of another architecture, or without usable statistics.
    """
    described = path.with_suffix(".json")
    about = _described(described)
    content = _read(path)
    tensors = _tensors(path, content)
    if hashlib.sha256(content).hexdigest() != about["tensors_sha256"]:
        raise GaugeError(f"{path} is not the file that {described.name} describes (its hash differs); copy both again")
    net = TinyNet(_architecture(described, about))
    texts = tensors.pop(TEXTS, None)
    if texts is None or texts.shape != (len(about["instructions"]), net.shape.text):
        raise GaugeError(f"{path} lacks the vectors of its {len(about['instructions'])} instructions ({TEXTS})")
    _fill(net, tensors, path)
    return Trained(
        net=net.eval().requires_grad_(False),
        scaling=Scaling.from_json(about["normalisation"], str(described)),
        texts=dict(zip(about["instructions"], texts.float(), strict=True)),
        encoder=about["text_encoder"],
        card=about["card"],
        digest=_digest(about),
    )


def _digest(about: Mapping[str, Any]) -> str:
    deciding = {key: value for key, value in about.items() if key != "card"}
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()[:12]


def _described(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(_read(path))
    except ValueError as error:
        raise GaugeError(f"{path} is no whole description of a checkpoint ({error}); copy it again") from error
    if not isinstance(about, dict) or about.get("kind") != "gauge/tiny":
        raise GaugeError(f"{path} describes no checkpoint of model=tiny (kind gauge/tiny)")
    if about.get("format") != FORMAT:
        raise GaugeError(f"{path} is of format {about.get('format')}; this version reads format {FORMAT}")
    needed = ("tensors_sha256", "architecture", "normalisation", "instructions", "text_encoder", "card")
    missing = [key for key in needed if key not in about]
    if missing:
        raise GaugeError(f"{path} lacks {', '.join(missing)}; copy it again, or train anew")
    return about


def _architecture(path: Path, about: Mapping[str, Any]) -> Architecture:
    try:
        return Architecture.from_json(about["architecture"])
    except (KeyError, TypeError) as error:
        raise GaugeError(f"{path} describes another architecture than model=tiny has ({error})") from error


def _tensors(path: Path, content: bytes) -> dict[str, Tensor]:
    try:
        found: dict[str, Tensor] = load(content)
    except SafetensorError as error:
        raise GaugeError(f"{path} is half-written or no safetensors file ({error}); copy it again") from error
    return found


def _fill(net: TinyNet, tensors: Mapping[str, Tensor], path: Path) -> None:
    wanted = net.state_dict()
    told = [
        _told("lacks", [name for name in wanted if name not in tensors]),
        _told("has too much", [name for name in tensors if name not in wanted]),
        _told("has another shape of", [n for n in wanted if n in tensors and wanted[n].shape != tensors[n].shape]),
    ]
    if any(told):
        raise GaugeError(f"{path} belongs to another architecture: it {'; it '.join(filter(None, told))}")
    unreal = [name for name, tensor in tensors.items() if not torch.isfinite(tensor).all()]
    if unreal:
        raise GaugeError(f"{path}: {_told('holds NaN or infinity in', unreal)}; train anew")
    net.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})


def _told(what: str, names: list[str]) -> str:
    more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
    return f"{what} {', '.join(names[:TOLD])}{more}" if names else ""


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise GaugeError(
            f"model.checkpoint: there is no {path}; a checkpoint is two files, NAME.safetensors and NAME.json, which "
            "python -m gauge.train model=tiny writes"
        ) from error
    except OSError as error:
        raise GaugeError(f"{path} cannot be read ({error})") from error


def _write(path: Path, content: bytes) -> None:
    unfinished = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
