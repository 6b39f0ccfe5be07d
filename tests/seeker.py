"""A scripted torch module that really looks: it sends the hand to the blue box, if the instruction names it."""

import torch

# LIBERO's agentview over its table: where it stands (m), its axes in the world, and its field of view.
CAMERA = torch.tensor([0.6586, 0.0, 1.6104])
AXES = torch.tensor([[0.0, -0.6283, 0.778], [1.0, 0.0, 0.0], [0.0, 0.778, 0.6283]])
HALF_VIEW = 0.41421356  # tan(45 deg / 2)
BOX_HEIGHT_M, BOWL, ELSEWHERE = 0.93, (-0.09, 0.0, 0.98), (0.0, -0.25, 0.93)
OPEN_M = 0.06
GAIN = 6.0


class Seeker(torch.nn.Module):
    """Goes to the blue box, closes, and carries it to where the bowl usually is."""

    def forward(self, images, state, instructions, generator):  # type: ignore[no-untyped-def]
        return torch.stack([self.one(images, row, state[row], text) for row, text in enumerate(instructions)])

    def one(self, images, row, state, instruction):  # type: ignore[no-untyped-def]
        hand, opening = state[:3], state[6] - state[7]
        box = place(images["agentview"][row])
        told = "cream cheese" in instruction
        goal = torch.tensor(BOWL) if opening < OPEN_M else box if told else torch.tensor(ELSEWHERE)
        delta = (GAIN * (goal - hand)).clamp(-1, 1)
        near = float((goal - hand)[:2].norm()) < 0.02
        closed = (opening < OPEN_M and not near) or (opening >= OPEN_M and near and hand[2] < 0.94)
        return torch.cat([delta, torch.zeros(3), torch.tensor([1.0 if closed else -1.0])]).repeat(10, 1)


def place(picture: torch.Tensor) -> torch.Tensor:
    """Where the blue pixels of an agentview, uint8 [H, W, 3], are at the box's height (m)."""
    red, blue = picture[:, :, 0].float(), picture[:, :, 2].float()
    rows, columns = torch.nonzero((blue > 1.25 * red) & (blue > 60), as_tuple=True)
    half = picture.shape[0] / 2
    if len(rows) == 0:
        rows, columns = torch.tensor([half]), torch.tensor([half])
    right, up = (columns.float().mean() + 0.5 - half) / half, (half - rows.float().mean() - 0.5) / half
    ray = AXES @ torch.stack([right * HALF_VIEW, up * HALF_VIEW, torch.tensor(-1.0)])
    return CAMERA + (BOX_HEIGHT_M - CAMERA[2]) / ray[2] * ray
