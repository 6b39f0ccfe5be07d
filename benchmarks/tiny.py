"""What tiny costs on one core: chunks answered and frames trained on, per second of processor time; medians of runs.

python benchmarks/tiny.py
"""

import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from gauge.core.policy import Observation
from gauge.policies.tiny import TinyPolicy
from gauge.policies.tiny.net import TinyNet

RUNS, ANSWERS, BATCH = 9, 20, 64


def main() -> None:
    """Measure and print."""
    torch.set_num_threads(1)
    policy, rng = TinyPolicy(), np.random.default_rng(0)
    side, instruction = policy.spec.image_size[0], next(iter(policy.trained.texts))
    images = {camera: rng.integers(0, 255, (side, side, 3), dtype=np.uint8) for camera in policy.spec.cameras}
    look, text = Observation(images, np.zeros(8), instruction, 0), policy.begin(instruction, rng)
    print(f"chunks per second: {rate(lambda: policy.act_batch([text] * ANSWERS, [look] * ANSWERS), ANSWERS):.0f}")
    print(f"training frames per second: {rate(training(policy, rng), BATCH):.0f}")


def training(policy: TinyPolicy, rng: np.random.Generator) -> Callable[[], None]:
    """One step on random frames: forward, backward, update."""
    shape = policy.trained.net.shape
    net = TinyNet(shape)
    optimizer = torch.optim.AdamW(net.parameters())
    pixels = rng.integers(0, 255, (BATCH, shape.views, shape.side, shape.side, 3), dtype=np.uint8)
    images, state, text = torch.from_numpy(pixels), torch.randn(BATCH, shape.state), torch.randn(BATCH, shape.text)

    def step() -> None:
        chunk, places = net.acted_and_seen(images, state, text)
        optimizer.zero_grad()
        (chunk.abs().mean() + places.abs().mean()).backward()
        optimizer.step()

    return step


def rate(work: Callable[[], object], size: int) -> float:
    """Median of so much work per second of processor time; the first run is not counted."""
    found = []
    for _ in range(RUNS + 1):
        began = time.process_time()
        work()
        found.append(size / (time.process_time() - began))
    return statistics.median(found[1:])


if __name__ == "__main__":
    main()
