"""Torch modules that `model=torch` is pointed at."""

import torch


class Net(torch.nn.Module):
    """Looks at the mean of each picture, the state and the length of the instruction."""

    def __init__(self, width: int = 8, chunk: int = 10) -> None:
        super().__init__()
        self.chunk = chunk
        self.hidden = torch.nn.Linear(2 * 3 + 8 + 1, width)
        self.head = torch.nn.Linear(width, chunk * 7)

    def forward(self, images: dict[str, torch.Tensor], state: torch.Tensor, instructions: list[str]) -> torch.Tensor:
        means = [images[name].float().mean(dim=(1, 2)) / 255 for name in sorted(images)]
        words = torch.tensor([[float(len(one))] for one in instructions])
        hidden = torch.tanh(self.hidden(torch.cat([*means, state, words], dim=1)))
        return self.head(hidden).reshape(len(state), self.chunk, 7)


class Drawing(Net):
    """Adds noise from the episode's generator."""

    def forward(self, images, state, instructions, generator):  # type: ignore[no-untyped-def, override]
        return super().forward(images, state, instructions) + torch.randn(1, 10, 7, generator=generator)


class Broken(Net):
    """Answers a single action where a chunk is due."""

    def forward(self, images, state, instructions):  # type: ignore[no-untyped-def, override]
        return super().forward(images, state, instructions)[:, 0]


class Declaring(Net):
    """Says what it was trained with."""

    def __init__(self, gripper: str = "close_positive") -> None:
        super().__init__()
        self.spec = {"gripper": gripper, "chunk": 10, "image_size": [16, 16]}


def no_module() -> int:
    return 3
