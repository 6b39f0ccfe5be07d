"""Lightning's data module over frames in memory: which are drawn, in which order, from seed and epoch alone."""

from collections.abc import Sequence

import numpy as np
import torch
from lightning.pytorch import LightningDataModule
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from gauge.core.seeds import seed as derive_seed
from gauge.policies.tiny.scaling import Scaling
from gauge.train.frames import Frames

Batch = dict[str, Tensor]
Indices = NDArray[np.int64]
LOOKS = 2000  # held-out frames at most that are judged after an epoch, evenly spread


class Looks(Dataset[Batch]):
    """Frames by lists of indices, as the network takes them."""

    def __init__(self, frames: Frames, scaling: Scaling) -> None:
        self._images, self._texts = frames.images, frames.texts
        self._states, self._chunks = scaling.state(frames.states), scaling.arm(frames.chunks)
        mean, spread = frames.places_scale()
        self._places = ((frames.places - mean) / spread).astype(np.float32)

    def __getitem__(self, which: Indices) -> Batch:
        """Images uint8 [B, views, H, W, 3], state [B, 8], places [B, things, 3], chunk [B, T, 7], text [B]."""
        return {
            "images": torch.from_numpy(self._images[which]),
            "state": torch.from_numpy(self._states[which]),
            "places": torch.from_numpy(self._places[which]),
            "chunk": torch.from_numpy(self._chunks[which]),
            "text": torch.from_numpy(self._texts[which]),
        }


class Demonstrations(LightningDataModule):
    """Training frames drawn anew for every epoch, those around a turn of the gripper more often, and held-out ones."""

    def __init__(self, frames: Frames, batch: int, samples: int | None, turns: float, seed: int) -> None:
        """Weigh the frames.

        Args:
            frames: all of them.
            batch: frames in one step.
            samples: frames drawn in one epoch; None is as many as there are to train on.
            turns: how much more often a frame is drawn whose chunk opens or closes the gripper.
            seed: of the draws.
        """
        super().__init__()
        self.looks = Looks(frames, frames.scaling())
        self._trained = np.flatnonzero(~frames.held_out)
        self._held_out = np.flatnonzero(frames.held_out)
        weights = np.where(frames.turning[self._trained], turns, 1.0)
        self._chances = weights / weights.sum()
        self._batch, self._samples, self._seed = batch, samples or len(self._trained), seed

    @property
    def steps(self) -> int:
        """Steps of one epoch."""
        return -(-self._samples // self._batch)

    def drawn(self, epoch: int) -> list[Indices]:
        """The batches of that epoch."""
        rng = np.random.default_rng(derive_seed("train", self._seed, epoch))
        picked = rng.choice(self._trained, size=self._samples, p=self._chances)
        return _cut(picked, self._batch)

    def train_dataloader(self) -> DataLoader[Batch]:
        """This epoch's; asked for anew in every one."""
        assert self.trainer is not None
        return self._loader(self.drawn(self.trainer.current_epoch))

    def val_dataloader(self) -> DataLoader[Batch]:
        """The held-out frames, every k-th if there are many."""
        every = -(-len(self._held_out) // LOOKS)
        return self._loader(_cut(self._held_out[::every], self._batch))

    def _loader(self, batches: Sequence[Indices]) -> DataLoader[Batch]:
        return DataLoader(self.looks, sampler=batches, batch_size=None)


def _cut(indices: Indices, size: int) -> list[Indices]:
    return [indices[k : k + size] for k in range(0, len(indices), size)]
