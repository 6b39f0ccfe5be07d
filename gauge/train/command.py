"""`python -m gauge.train`: from recorded demonstrations to a checkpoint of `model=tiny`."""

import json
import logging
import os
import warnings
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig, OmegaConf

from gauge.config.entry import hydra_entry
from gauge.errors import GaugeError
from gauge.train.config import architecture, check, recipe, register, what

if TYPE_CHECKING:
    from gauge.tracking.wandb_run import WandbRun
    from gauge.train.epochs import Epochs
    from gauge.train.frames import Clip, Frames

MOST_PARAMETERS = 6_000_000
PLAN = "train.json"
PACKAGES = ("torch", "lightning", "safetensors", "tokenizers")
WORDS = "pipeline reference, not a baseline"
log = logging.getLogger(__name__)


def main() -> None:
    """The command."""
    register()
    hydra_entry(_train, config_name="train")


def _train(cfg: DictConfig) -> None:
    train(cfg)


def train(cfg: DictConfig) -> Path:
    """Train until `epochs` are done, from where an earlier call stopped, and return the checkpoint.

    Raises:
        GaugeError: the config or the demonstrations cannot be used, or the folder holds another training.
    """
    check(cfg)
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise GaugeError(f"gauge.train needs {', '.join(missing)}: pip install 'gauge[train]'")
    import torch

    from gauge.records.lock import CellLock
    from gauge.sim import backend
    from gauge.train.frames import find, read
    from gauge.train.looks import draw

    if cfg.rollouts or cfg.workers == 0:
        backend.prepare(cfg.renderer)  # before anything imports MuJoCo
    if cfg.threads is not None:
        torch.set_num_threads(cfg.threads)
    if cfg.device == "cuda" and not torch.cuda.is_available():
        raise GaugeError("device=cuda, but torch sees no GPU here; leave it out")
    folder = Path(cfg.folder)
    clips = find([Path(one) for one in cfg.data], cfg.held_out)
    side, renderer = cfg.net.side, backend.choose(cfg.renderer, os.environ)
    draw([clip.path for clip in clips], side, cfg.every, cfg.workers, renderer, cfg.progress)
    frames = read(clips, side, cfg.every, cfg.model.chunk)
    _say(frames, clips)
    folder.mkdir(parents=True, exist_ok=True)
    with CellLock(folder):
        _same(folder / PLAN, what(cfg, frames))
        return _fit(cfg, frames, clips, folder)


def _fit(cfg: DictConfig, frames: "Frames", clips: Sequence["Clip"], folder: Path) -> Path:
    import torch

    from gauge.policies.tiny.net import TinyNet, parameters
    from gauge.policies.tiny.text import embed, encoder_name
    from gauge.train.batches import Demonstrations
    from gauge.train.epochs import LAST, About, Epochs
    from gauge.train.keep import CHOSEN
    from gauge.train.learner import Learner

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(cfg.seed)
        net = TinyNet(architecture(cfg))
    if parameters(net) >= MOST_PARAMETERS:
        raise GaugeError(f"net= makes {parameters(net)} parameters; a tiny has fewer than {MOST_PARAMETERS}")
    data = Demonstrations(frames, cfg.batch, cfg.samples, cfg.turns, cfg.seed)
    texts = embed(frames.instructions)
    card = _card(cfg, frames, clips, parameters(net))
    about = About(frames.scaling(), dict(zip(frames.instructions, texts, strict=True)), encoder_name(), card)
    run = _tracked(cfg, folder, frames.digest)
    epochs = Epochs(folder, about, _closed_loop(cfg, frames), cfg.evaluate_every, cfg.model.executed, run, cfg.progress)
    try:
        with warnings.catch_warnings():
            for quiet in ("lightning.pytorch", "lightning.fabric"):  # what they advise does not fit one small process
                warnings.filterwarnings("ignore", module=quiet)
            spread = torch.tensor(frames.places_scale()[1], dtype=torch.float32)
            learner = Learner(net, texts, spread, recipe(cfg, cfg.epochs * data.steps))
            _run(_trainer(cfg, epochs, folder), learner, data, folder / LAST)
    finally:
        if run is not None:
            run.finish({"chosen": str(epochs.keeper.chosen)})
    _end(folder, epochs)
    return folder / CHOSEN


def _trainer(cfg: DictConfig, epochs: "Epochs", folder: Path) -> Any:
    from lightning.fabric.plugins.environments.lightning import LightningEnvironment
    from lightning.pytorch import Trainer

    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)  # its import sets it to INFO
    return Trainer(
        accelerator="gpu" if cfg.device == "cuda" else "cpu",
        devices=1,
        plugins=[LightningEnvironment()],  # one process, also where a Slurm job started it
        precision=cfg.precision,
        max_epochs=cfg.epochs,
        callbacks=[epochs],
        gradient_clip_val=1.0,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        reload_dataloaders_every_n_epochs=1,
        default_root_dir=str(folder),
    )


def _run(trainer: Any, learner: Any, data: Any, last: Path) -> None:
    """Fit; Ctrl-C ends in KeyboardInterrupt, as everywhere, and what was done up to the last epoch is stored."""
    from lightning.pytorch.trainer.states import TrainerStatus

    try:
        trainer.fit(learner, datamodule=data, ckpt_path=last if last.is_file() else None, weights_only=True)
    except SystemExit as end:
        if trainer.state.status == TrainerStatus.INTERRUPTED:
            raise KeyboardInterrupt("interrupted; run the same command again to continue from the last epoch") from end
        raise


def _closed_loop(cfg: DictConfig, frames: "Frames") -> Any:
    from gauge.sim import backend
    from gauge.train.closed_loop import ClosedLoop

    renderer = backend.choose(cfg.renderer, os.environ) if cfg.rollouts else "none"
    found = ClosedLoop(frames.tasks, cfg.rollouts, cfg.first_state, cfg.seed, renderer)
    for plan in found.plans():
        if plan.rollout >= plan.task.states:
            raise GaugeError(
                f"{plan.task.id} has the official initial states 0 to {plan.task.states - 1}, so first_state="
                f"{cfg.first_state} and rollouts={cfg.rollouts} cannot be"
            )
    return found


def _tracked(cfg: DictConfig, folder: Path, digest: str) -> "WandbRun | None":
    if cfg.tracking.kind == "none":
        return None
    from gauge.tracking.base import wandb_options
    from gauge.tracking.wandb_run import WandbRun

    plain = OmegaConf.to_container(cfg, resolve=True)
    assert isinstance(plain, dict)
    run = WandbRun(wandb_options(plain["tracking"]), folder, "epoch")
    run.start(folder.name, "train", f"{folder.name}-{digest}", {str(key): value for key, value in plain.items()})
    return run


def _card(cfg: DictConfig, frames: "Frames", clips: Sequence["Clip"], parameters: int) -> dict[str, Any]:
    sets = Counter(str(clip.folder) for clip in clips)
    return {
        "what": WORDS,
        "trained": datetime.now(UTC).date().isoformat(),
        "parameters": parameters,
        "demonstrations": dict(sets),
        "demonstrations_digest": frames.digest,
        "held_out_demonstrations": sum(clip.held_out for clip in clips),
        "frames": len(frames.images),
        "tasks": [aim.scenario for aim in frames.tasks],
        "seed": cfg.seed,
        "epochs": cfg.epochs,
        "batch": cfg.batch,
        "rate": cfg.rate,
    }


def _same(path: Path, plan: dict[str, Any]) -> None:
    """The folder is this training's, or nobody's yet."""
    from gauge.demos.store import write_json

    with suppress(FileNotFoundError):
        stored = json.loads(path.read_text(encoding="utf-8"))
        differing = [key for key in sorted({*stored, *plan}) if stored.get(key) != plan.get(key)]
        if differing:
            shown = ", ".join(f"{key} {stored.get(key)!r} there, {plan.get(key)!r} here" for key in differing)
            raise GaugeError(f"{path.parent} holds another training ({shown}); choose another folder=")
    write_json(path, plan)


def _say(frames: "Frames", clips: Sequence["Clip"]) -> None:
    out = sum(clip.held_out for clip in clips)
    log.info(
        f"{len(clips)} demonstrations of {len(frames.tasks)} tasks, {out} of them held out; {len(frames.images)} "
        f"frames, {frames.images.nbytes / 2**30:.2f} GiB"
    )


def _end(folder: Path, epochs: "Epochs") -> None:
    from gauge.train.keep import CHOSEN

    chosen = epochs.keeper.chosen
    assert chosen is not None
    played = f", {chosen.successes} of {chosen.episodes} episodes" if chosen.episodes else ""
    print(f"{folder / CHOSEN}: epoch {chosen.epoch}, held-out loss {chosen.held_out:.4f}{played} ({WORDS})")
    print(f"Try it: python -m gauge.run model=tiny model.checkpoint={folder / CHOSEN}")
