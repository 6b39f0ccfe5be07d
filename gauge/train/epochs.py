"""What happens around the epochs: the bar, the short evaluation, what is kept, the log, and the way back in."""

import copy
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lightning.pytorch import Callback, LightningModule, Trainer

from gauge.bar import Bar
from gauge.policies.tiny import TinyPolicy
from gauge.policies.tiny.checkpoint import Trained
from gauge.policies.tiny.scaling import Scaling
from gauge.train import log
from gauge.train.closed_loop import ClosedLoop
from gauge.train.keep import Judged, Keeper
from gauge.train.learner import Learner

if TYPE_CHECKING:
    from torch import Tensor

    from gauge.tracking.wandb_run import WandbRun

LAST, LOG = "last.ckpt", "log.csv"
HELD_OUT = ("held_out", "held_out_black", "held_out_swapped", "gripper_right", "off_cm")


@dataclass(frozen=True)
class About:
    """What a checkpoint holds beside the network: see `gauge.policies.tiny.checkpoint.Trained`."""

    scaling: Scaling
    texts: Mapping[str, "Tensor"]
    encoder: str
    card: Mapping[str, Any]


class Epochs(Callback):
    """Everything beside the gradient steps."""

    def __init__(
        self,
        folder: Path,
        about: About,
        closed_loop: ClosedLoop,
        every: int,
        executed: int,
        run: "WandbRun | None",
        progress: bool,
    ) -> None:
        self.keeper = Keeper(folder)
        self.seconds = 0.0
        self._folder, self._about, self._closed_loop = folder, about, closed_loop
        self._every, self._executed, self._run, self._shown = every, executed, run, progress
        self._bar: Bar | None = None
        self._text = ""
        self._began = 0.0

    def state_dict(self) -> dict[str, Any]:
        """For the checkpoint: the best so far and the time it took."""
        return {**self.keeper.state(), "seconds": self.seconds}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from there."""
        self.keeper.restore(state_dict)
        self.seconds = state_dict["seconds"]

    def on_train_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Open the log and the bar."""
        log.begin(self._folder / LOG, trainer.current_epoch)
        planned = int(trainer.estimated_stepping_batches)
        self._bar = Bar(f"training {self._folder}", planned, self._shown, trainer.global_step, self._text)
        self._bar.__enter__()

    def on_train_epoch_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Start the clock."""
        self._began = time.perf_counter()

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Move the bar."""
        assert self._bar is not None
        if trainer.global_step < trainer.estimated_stepping_batches:  # the last step ends with its epoch
            self._bar.update(trainer.global_step, f"{self._text} loss {float(outputs['loss']):.3f}")

    def on_train_epoch_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Judge the weights, keep them where they are good, and write everything down."""
        assert isinstance(pl_module, Learner)
        epoch = trainer.current_epoch + 1
        took = time.perf_counter() - self._began
        self.seconds += took
        measured = {key: float(trainer.callback_metrics[key]) for key in HELD_OUT if key in trainer.callback_metrics}
        due = self._closed_loop.rollouts > 0 and (epoch % self._every == 0 or epoch == trainer.max_epochs)
        successes, episodes = self._evaluated(pl_module) if due else (0, 0)
        judged = Judged(epoch, measured["held_out"], successes, episodes)
        self.keeper.consider(judged, lambda card: self._trained(pl_module, card))
        row = {
            "epoch": epoch,
            "step": trainer.global_step,
            "loss": float(trainer.callback_metrics["loss"]),
            **measured,
            "successes": successes if episodes else None,
            "episodes": episodes or None,
            "samples_per_s": pl_module.samples / took,
            "hours": self.seconds / 3600,
        }
        pl_module.samples = 0
        self._text = _text(judged, trainer.max_epochs)
        self._save(trainer)
        log.add(self._folder / LOG, row)
        if self._run is not None:
            self._run.log({key: value for key, value in row.items() if value is not None})
        assert self._bar is not None
        self._bar.update(trainer.global_step, self._text)

    def on_train_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        """Close the bar."""
        self._close()

    def on_exception(self, trainer: Trainer, pl_module: LightningModule, exception: BaseException) -> None:
        """Close the bar, whatever happened."""
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.__exit__()
            self._bar = None

    def _evaluated(self, learner: Learner) -> tuple[int, int]:
        """Successes and episodes of the short evaluation."""
        assert self._bar is not None
        policy = TinyPolicy.of(self._trained(learner, {}), self._executed)
        found = []
        for record in self._closed_loop.run(policy):
            found.append(record.status == "success")
            self._bar.say(f"{record.scenario_id} from state {record.rollout}: {record.status}")
        return sum(found), len(found)

    def _trained(self, learner: Learner, card: Mapping[str, Any]) -> Trained:
        """The weights as they are now, on the CPU."""
        net = copy.deepcopy(learner.net).cpu().eval().requires_grad_(False)
        about = self._about
        hours = round(self.seconds / 3600, 3)
        return Trained(net, about.scaling, about.texts, about.encoder, {**about.card, "hours": hours, **card})

    def _save(self, trainer: Trainer) -> None:
        """A new way back in, whole or not at all."""
        unfinished = self._folder / f".{LAST}"
        trainer.save_checkpoint(unfinished)
        os.replace(unfinished, self._folder / LAST)  # noqa: PTH105 - as one step


def _text(judged: Judged, epochs: int | None) -> str:
    played = f", {judged.successes}/{judged.episodes} episodes" if judged.episodes else ""
    return f"epoch {judged.epoch}/{epochs}: held-out {judged.held_out:.3f}{played};"
