"""Small untrained networks and their checkpoints, for tests of what surrounds them."""

from pathlib import Path

import numpy as np
import torch

from gauge.policies.tiny.checkpoint import Trained, save_trained
from gauge.policies.tiny.net import Architecture, TinyNet
from gauge.policies.tiny.scaling import Scaling

SHAPE = Architecture(side=32, channels=(8, 8, 16, 16), width=24, layers=1, heads=2)
TEXTS = ("open the drawer", "close the drawer")


def trained(seed: int = 0, shape: Architecture = SHAPE, encoder: str = "an encoder") -> Trained:
    """A network with random weights and two instructions."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = TinyNet(shape)
        for stage in net.modules():
            if hasattr(stage, "film"):
                torch.nn.init.normal_(stage.film.weight, std=0.5)
        texts = torch.nn.functional.normalize(torch.randn(len(TEXTS), shape.text), dim=1)
    rng = np.random.default_rng(seed)
    scaling = Scaling.of(rng.normal(size=(50, 8)), rng.uniform(-1, 1, (50, 7)))
    return Trained(net.eval(), scaling, dict(zip(TEXTS, texts, strict=True)), encoder, {"seed": seed})


def stored(path: Path, **settings: object) -> Path:
    """A checkpoint on disk."""
    save_trained(path, trained(**settings))  # type: ignore[arg-type]
    return path
