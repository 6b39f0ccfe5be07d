"""The policy: two pictures, proprioception and an instruction to a chunk of actions. It draws nothing."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gauge.core.policy import CAMERAS, BatchPolicy, Observation, PolicySpec
from gauge.errors import GaugeError

if TYPE_CHECKING:
    from torch import Tensor

    from gauge.policies.tiny.checkpoint import Trained

OWN = "tiny.safetensors"  # the checkpoint that comes with gauge, beside this file
NEEDS = "model=tiny needs torch and safetensors: pip install torch safetensors"


class TinyPolicy(BatchPolicy["Tensor"]):
    """A trained tiny; every look is a call of its own, so that no answer depends on who else asks.

    `blind` shows it black pictures: what is left needs no eyes.
    """

    def __init__(
        self,
        checkpoint: str | None = None,
        chunk: int = 10,
        executed: int = 10,
        threads: int | None = 1,
        blind: bool = False,
    ) -> None:
        """Load the checkpoint.

        Args:
            checkpoint: NAME.safetensors with NAME.json beside it; None is gauge's own.
            chunk: actions in one answer, which the checkpoint must have been trained for.
            executed: how many of them are carried out before it looks again.
            threads: that torch uses; None leaves its default.
            blind: black pictures instead of the cameras'.

        Raises:
            GaugeError: torch is missing, or the checkpoint is, or cannot be used.
        """
        try:
            import torch

            from gauge.policies.tiny.checkpoint import load_trained
        except ImportError as error:
            raise GaugeError(NEEDS) from error
        if threads is not None:
            torch.set_num_threads(threads)
        self._fill(load_trained(_place(checkpoint)), chunk, executed, blind)

    @classmethod
    def of(cls, trained: "Trained", executed: int) -> "TinyPolicy":
        """The policy of a network that is being trained."""
        made = cls.__new__(cls)
        made._fill(trained, trained.net.shape.chunk, executed, blind=False)
        return made

    def _fill(self, trained: "Trained", chunk: int, executed: int, blind: bool) -> None:
        shape = trained.net.shape
        if chunk != shape.chunk:
            raise GaugeError(f"model.chunk={chunk}, but the checkpoint answers {shape.chunk} actions: leave it out")
        cameras = () if blind else CAMERAS
        self.spec = PolicySpec(cameras, (shape.side, shape.side), chunk=chunk, executed=executed)
        self.identity = f"{'blind' if blind else 'tiny'}/{trained.digest or 'in training'}"
        self.trained = trained
        self._texts = dict(trained.texts)
        self._black = np.zeros((shape.side, shape.side, 3), dtype=np.uint8)

    def begin(self, instruction: str, rng: np.random.Generator) -> "Tensor":
        """The instruction's vector: the checkpoint's, or for another one a new one.

        Raises:
            GaugeError: it was not trained on, and the text encoder is not installed or is another one.
        """
        if instruction not in self._texts:
            from gauge.policies.tiny.text import embed, encoder_name

            if encoder_name() != self.trained.encoder:
                raise GaugeError(f"the checkpoint needs {self.trained.encoder}, but {encoder_name()} is installed")
            self._texts[instruction] = embed([instruction])[0]
        return self._texts[instruction]

    def act_batch(
        self, states: "Sequence[Tensor]", observations: Sequence[Observation]
    ) -> Sequence[NDArray[np.float64]]:
        """The next chunk [10, 7] of every episode."""
        return [self._answer(text, look) for text, look in zip(states, observations, strict=True)]

    def _answer(self, text: "Tensor", look: Observation) -> NDArray[np.float64]:
        import torch

        shown = self.spec.cameras
        frames = np.stack([look.images[camera] if camera in shown else self._black for camera in CAMERAS])
        images = torch.from_numpy(frames)[None]
        state = torch.from_numpy(self.trained.scaling.state(look.state))[None]
        with torch.inference_mode():
            answer = self.trained.net(images, state, text[None])[0]
        return self.trained.scaling.actions(answer.numpy())


def _place(checkpoint: str | None) -> Path:
    if checkpoint is not None:
        return Path(checkpoint).with_suffix(".safetensors")
    own = Path(str(files("gauge.policies.tiny").joinpath(OWN)))
    if not own.is_file():
        raise GaugeError(
            "gauge carries no trained tiny yet: train one (python -m gauge.train model=tiny, see docs/tiny.md) and add "
            "model.checkpoint=train/tiny/tiny.safetensors"
        )
    return own
