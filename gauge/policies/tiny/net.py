"""The network: two FiLM ConvNets, and a small transformer whose ten queries are the next ten actions.

FiLM (Perez et al. 2018) lets the instruction scale and shift every feature map; a spatial softmax (Levine et al. 2016)
adds where each feature is, in picture coordinates. The queries are ACT's (Zhao et al. 2023). Two more queries say where
the things of the goal are; only training asks for that, so that the network looks for what the instruction names.
"""

from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

ARM = 6  # numbers of an action that move the hand; the seventh is the gripper
GROUPS = 8


@dataclass(frozen=True, slots=True)
class Architecture:
    """Everything that decides the shapes of the network's tensors.

    Attributes:
        views: pictures it sees at once, each with a ConvNet of its own.
        side: of every picture, in pixels; a multiple of 16.
        channels: of the four stages, at 1/2, 1/4, 1/8 and 1/16 of the side.
        width, layers, heads: of the transformer.
        text: numbers of an instruction's embedding.
        state: numbers of proprioception.
        chunk: actions in one answer.
        things: whose places it says.
    """

    views: int = 2
    side: int = 128
    channels: tuple[int, int, int, int] = (32, 64, 96, 160)
    width: int = 192
    layers: int = 3
    heads: int = 6
    text: int = 384
    state: int = 8
    chunk: int = 10
    things: int = 2

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "channels": list(self.channels)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Architecture":
        """The architecture behind plain data.

        Raises:
            TypeError: a key that there is not.
        """
        return cls(**{**data, "channels": tuple(data["channels"])})


class TinyNet(nn.Module):
    """Pictures, proprioception and an embedded instruction to a chunk of normalised actions."""

    def __init__(self, shape: Architecture) -> None:
        super().__init__()
        self.shape = shape
        width, tokens = shape.width, (shape.side // 16) ** 2
        self.text = nn.Sequential(nn.Linear(shape.text, width), nn.GELU(), nn.Linear(width, width))
        self.state = nn.Sequential(nn.Linear(shape.state, width), nn.GELU(), nn.Linear(width, width))
        self.eyes = nn.ModuleList([Eye(shape.channels, width) for _ in range(shape.views)])
        self.places = nn.Parameter(0.02 * torch.randn(shape.views * (tokens + 1) + 2, width))
        self.queries = nn.Parameter(0.02 * torch.randn(shape.chunk + shape.things, width))
        layer = nn.TransformerDecoderLayer(
            width, shape.heads, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.decoder = nn.TransformerDecoder(layer, shape.layers, nn.LayerNorm(width))
        self.action = nn.Linear(width, ARM + 1)
        self.place = nn.Linear(width, 3)

    def forward(self, images: Tensor, state: Tensor, text: Tensor) -> Tensor:
        """The next actions.

        Args:
            images: uint8 [B, views, H, W, 3], RGB, upright.
            state: [B, state], normalised.
            text: [B, text], embedded instructions.

        Returns:
            [B, chunk, 7]: six normalised deltas, and the gripper, which is meant to be -1 (open) or +1 (closed).
        """
        found, _ = self.acted_and_seen(images, state, text)
        return found

    def acted_and_seen(self, images: Tensor, state: Tensor, text: Tensor) -> tuple[Tensor, Tensor]:
        """The next actions, and the normalised places of the goal's things [B, things, 3]."""
        pictures = images.permute(0, 1, 4, 2, 3).float() / 127.5 - 1.0
        said = self.text(text)
        seen = [eye(pictures[:, view], said) for view, eye in enumerate(self.eyes)]
        memory = torch.cat([*seen, self.state(state)[:, None], said[:, None]], dim=1) + self.places
        answers = self.decoder(self.queries.expand(len(images), -1, -1), memory)
        chunk = self.shape.chunk
        return self.action(answers[:, :chunk]), self.place(answers[:, chunk:])


class Eye(nn.Module):
    """One camera's picture, float [B, 3, H, W], to tokens [B, (H/16)(W/16) + 1, width]."""

    def __init__(self, channels: tuple[int, ...], width: int) -> None:
        super().__init__()
        first, *rest = channels
        self.stem = nn.Sequential(nn.Conv2d(3, first, 5, 2, 2), nn.GroupNorm(GROUPS, first), nn.SiLU())
        befores = (first, *rest[:-1])
        self.stages = nn.ModuleList([Stage(a, b, width) for a, b in zip(befores, rest, strict=True)])
        self.token = nn.Linear(rest[-1], width)
        self.keypoints = nn.Linear(2 * rest[-2], width)

    def forward(self, picture: Tensor, said: Tensor) -> Tensor:
        """A token per place of the coarsest map, and one that says where each feature of the map before is."""
        found = self.stem(picture)
        for stage in self.stages:
            finer, found = found, stage(found, said)
        tokens = self.token(found.flatten(2).transpose(1, 2))
        return torch.cat([tokens, self.keypoints(spatial_softmax(finer))[:, None]], dim=1)


class Stage(nn.Module):
    """Halves the map, then adds what a second convolution finds; the instruction scales and shifts both."""

    def __init__(self, before: int, after: int, width: int) -> None:
        super().__init__()
        self.down = nn.Conv2d(before, after, 3, 2, 1)
        self.same = nn.Conv2d(after, after, 3, 1, 1)
        self.norms = nn.ModuleList([nn.GroupNorm(GROUPS, after) for _ in range(2)])
        self.film = nn.Linear(width, 4 * after)
        nn.init.zeros_(self.film.weight)
        nn.init.zeros_(self.film.bias)

    def forward(self, found: Tensor, said: Tensor) -> Tensor:
        """[B, before, H, W] to [B, after, H/2, W/2]."""
        scales = self.film(said)[:, :, None, None].chunk(4, dim=1)
        found = functional.silu(self.norms[0](self.down(found)) * (1 + scales[0]) + scales[1])
        more = functional.silu(self.norms[1](self.same(found)) * (1 + scales[2]) + scales[3])
        return found + more


def spatial_softmax(found: Tensor) -> Tensor:
    """Where each feature of [B, C, H, W] is, [B, 2C]: its expected column and row, from -1 to 1."""
    height, width = found.shape[2:]
    weights = functional.softmax(found.flatten(2), dim=-1).view_as(found)
    columns = torch.linspace(-1.0, 1.0, width, device=found.device)
    rows = torch.linspace(-1.0, 1.0, height, device=found.device)
    return torch.cat([(weights.sum(2) * columns).sum(-1), (weights.sum(3) * rows).sum(-1)], dim=1)


def parameters(net: nn.Module) -> int:
    """How many numbers are trained."""
    return sum(one.numel() for one in net.parameters() if one.requires_grad)
