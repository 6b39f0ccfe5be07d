"""`controls=true` in a real scene: four cells, each with its own record, and one demonstration for the open loop."""

from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

pytest.importorskip("torch")

from gauge.config import build
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register
from gauge.controls import DEMONSTRATIONS, run_with_controls
from gauge.records.query import cell_state
from gauge.suites import load

GOAL = load("libero_goal")
TYPED = [
    "model=torch",
    "model.module=torch_nets:Net",
    "model.image_size=[16,16]",
    "suite=libero_goal",
    "suite.tasks=[8]",
    "suite.horizon=110",
    "controls=true",
    "workers=0",
    "video=off",
    "progress=false",
]


@pytest.mark.sim
def test_a_policy_is_run_beside_its_controls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        cfg = compose("config", [*TYPED, f"outputs={tmp_path}"])
        folder = tmp_path / "main" / build.cell(cfg).name
        folder.mkdir(parents=True)
        counts = run_with_controls(cfg, folder, in_sweep=True)
    assert (counts["n"], counts["cell_id"]) == (1, build.cell(cfg).id)
    cells = {path.name.partition("-libero")[0]: path for path in (tmp_path / "main").glob("*-libero_goal-*")}
    assert sorted(cells) == ["open_loop", "torch", "torch-black", "torch-swapped"]
    records = {name: next(iter(cell_state(path).records.values())) for name, path in cells.items()}
    assert {name: record.frames > 0 for name, record in records.items()} == {
        "open_loop": False,
        "torch": True,
        "torch-black": False,
        "torch-swapped": True,
    }
    assert records["torch-swapped"].prompt == GOAL.tasks[9].instruction
    assert records["torch-swapped"].told_success is False
    assert records["torch"].told_success is None
    assert records["torch"].prompt == records["torch-black"].prompt == GOAL.tasks[8].instruction
    assert len({record.start_hash for record in records.values()}) == 1
    assert (tmp_path / "main" / DEMONSTRATIONS / "libero_goal" / f"{GOAL.tasks[8].name}.hdf5").is_file()
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("policy", "open loop", "black", "swapped", "told"))
