"""Lightning's module: the L1 loss of a chunk and of places, and what held-out frames say about eyes and ears."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from lightning.pytorch import LightningModule
from torch import Tensor
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR

from gauge.core.seeds import seed as derive_seed
from gauge.policies.tiny.net import TinyNet
from gauge.train.batches import Batch

BETAS = (0.9, 0.95)
LAST_RATE = 0.02  # of the full rate, at the end of the cosine


@dataclass(frozen=True, slots=True)
class Recipe:
    """How it is trained.

    Attributes:
        rate: of AdamW, after the warm-up.
        decay: of the weights.
        warmup: part of all steps in which the rate rises.
        shift_px: largest shift of a picture along each axis.
        state_noise: standard deviation of what is added to proprioception, in its own standard deviations.
        seed: of the shifts and the noise.
        steps: of the whole training.
        seeing: weight of the loss of where things are.
    """

    rate: float
    decay: float
    warmup: float
    shift_px: int
    state_noise: float
    seed: int
    steps: int
    seeing: float


class Learner(LightningModule):
    """The network with its instructions' vectors [n, text]."""

    texts: Tensor
    spread: Tensor

    def __init__(self, net: TinyNet, texts: Tensor, spread: Tensor, recipe: Recipe) -> None:
        """`spread` [3] is the standard deviation of places in metres."""
        super().__init__()
        self.net, self.recipe = net, recipe
        self.samples = 0  # trained on since somebody set it to 0
        self.register_buffer("spread", spread, persistent=False)
        self.register_buffer("texts", texts, persistent=False)

    def training_step(self, batch: Batch, number: int) -> Tensor:
        """Loss of one batch, whose pictures are shifted and whose proprioception is shaken."""
        rng = torch.Generator().manual_seed(derive_seed("shake", self.recipe.seed, self.global_step) % 2**63)
        images = shifted(batch["images"], self.recipe.shift_px, rng)
        state = batch["state"] + self.recipe.state_noise * torch.randn(batch["state"].shape, generator=rng).to(
            self.device
        )
        chunk, places = self._answer(images, state, batch["text"])
        loss = chunk_loss(chunk, batch["chunk"]) + self.recipe.seeing * chunk_loss(places, batch["places"])
        self.samples += len(images)
        self.log("loss", loss, on_step=False, on_epoch=True, batch_size=len(images))
        return loss

    def validation_step(self, batch: Batch, number: int) -> None:
        """Held-out loss; the same with black pictures and with another instruction, which ought to be higher.

        `off_cm` is how far from their places it believes the goal's things.
        """
        images, state, text, chunk = batch["images"], batch["state"], batch["text"], batch["chunk"]
        answer, places = self._answer(images, state, text)
        found = {
            "held_out": chunk_loss(answer, chunk),
            "held_out_black": chunk_loss(self._answer(torch.zeros_like(images), state, text)[0], chunk),
            "gripper_right": ((answer[..., 6] > 0) == (chunk[..., 6] > 0)).float().mean(),
            "off_cm": 100 * ((places - batch["places"]) * self.spread).norm(dim=-1).mean(),
        }
        if len(self.texts) > 1:
            other = (text + 1) % len(self.texts)
            found["held_out_swapped"] = chunk_loss(self._answer(images, state, other)[0], chunk)
        self.log_dict(found, on_step=False, on_epoch=True, batch_size=len(images))

    def configure_optimizers(self) -> Any:
        """AdamW with a warm-up and a cosine; biases, norms and learned places do not decay."""
        named = list(self.net.named_parameters())
        groups = [
            {"params": [p for _, p in named if p.ndim > 1], "weight_decay": self.recipe.decay},
            {"params": [p for _, p in named if p.ndim <= 1], "weight_decay": 0.0},
        ]
        optimizer = AdamW(groups, lr=self.recipe.rate, betas=BETAS)
        schedule = LambdaLR(optimizer, lambda step: rate_at(step, self.recipe.steps, self.recipe.warmup))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}

    def _answer(self, images: Tensor, state: Tensor, text: Tensor) -> tuple[Tensor, Tensor]:
        return self.net.acted_and_seen(images, state, self.texts[text])


def chunk_loss(answer: Tensor, chunk: Tensor) -> Tensor:
    """Mean absolute difference of normalised chunks [B, T, 7], or places."""
    return (answer - chunk).abs().mean()


def rate_at(step: int, steps: int, warmup: float) -> float:
    """Which part of the full rate that step has."""
    rising = max(1, round(warmup * steps))
    if step < rising:
        return (step + 1) / rising
    done = min(1.0, (step - rising) / max(1, steps - rising))
    return LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + math.cos(math.pi * done))


def shifted(images: Tensor, most: int, rng: torch.Generator) -> Tensor:
    """Pictures [B, views, H, W, 3] moved by up to `most` pixels each, their edges repeated."""
    if most == 0:
        return images
    batch, views, height, width, _ = images.shape
    moves = torch.randint(-most, most + 1, (2, batch, views, 1), generator=rng)
    rows = (torch.arange(height) + moves[0]).clamp(0, height - 1).to(images.device)
    columns = (torch.arange(width) + moves[1]).clamp(0, width - 1).to(images.device)
    one = torch.arange(batch, device=images.device)[:, None, None, None]
    view = torch.arange(views, device=images.device)[None, :, None, None]
    return images[one, view, rows[:, :, :, None], columns[:, :, None, :]]
