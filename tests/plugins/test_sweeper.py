"""Sweeps as a person types them, with a toy in place of the simulator."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hydra.core.plugins import Plugins
from hydra.plugins.search_path_plugin import SearchPathPlugin
from hydra.plugins.sweeper import Sweeper
from omegaconf import OmegaConf
from toy_command import USUAL, cells, labels, toy

SHIFTS = [f"image_shift={level}" for level in (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2)]
NOISES = [f"action_noise={level}" for level in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)]


def test_hydra_finds_the_plugins() -> None:
    found = {cls.__name__ for kind in (Sweeper, SearchPathPlugin) for cls in Plugins.instance().discover(kind)}
    assert {"GaugeSweeper", "GaugeSearchPath"} <= found


@pytest.mark.parametrize("flags", [["-m"], []], ids=["with -m", "without -m"])
def test_a_range_runs_one_job_per_validated_value_and_a_clean_one(tmp_path: Path, flags: list[str]) -> None:
    done = toy(*flags, "perturbation=image_shift", "value=range", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert labels(tmp_path) == sorted(["clean", *SHIFTS])
    assert "11 job(s), launched by hydra/launcher=gauge, cluster=debug" in done.stderr
    assert done.stdout == "11 results\n"


def test_two_perturbations_have_their_own_values(tmp_path: Path) -> None:
    done = toy("value=range", "-m", "perturbation=image_shift,action_noise", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert labels(tmp_path) == sorted(["clean", *SHIFTS, *NOISES])


def test_every_job_is_a_command_that_runs_the_same_cell_again(tmp_path: Path) -> None:
    typed = ["perturbation=light_diffuse", "perturbation.levels=[0.2,red]", "value=range", "value.clean=false"]
    assert toy("-m", *typed, cwd=tmp_path).returncode == 0
    for cell in cells(tmp_path):
        overrides = OmegaConf.load(Path(cell["folder"]) / ".hydra" / "overrides.yaml")
        assert toy(*map(str, overrides), "study=again", cwd=tmp_path).returncode == 0
    assert {c["cell_id"] for c in cells(tmp_path)} == {c["cell_id"] for c in cells(tmp_path, "again")}
    assert labels(tmp_path, "again") == ["light_diffuse=0.2", "light_diffuse=red"]


def test_models_are_swept_and_each_gets_its_control(tmp_path: Path) -> None:
    typed = ["model=random,noop", "perturbation=image_shift", "perturbation.levels=[0.1]", "value=range"]
    assert toy("-m", *typed, cwd=tmp_path).returncode == 0
    assert labels(tmp_path) == ["clean", "clean", "image_shift=0.1", "image_shift=0.1"]


def test_an_experiment_may_choose_range_and_cluster(tmp_path: Path) -> None:
    (tmp_path / "mine" / "experiment").mkdir(parents=True)
    (tmp_path / "mine" / "experiment" / "table.yaml").write_text(
        "# @package _global_\ndefaults:\n  - override /perturbation: image_shift\n  - override /value: range\n"
        "  - override /cluster: local\nstudy: table\ncluster: {parallel: 3}\n"
    )
    typed = ["--config-dir", "mine", "experiment=table", "perturbation.levels=[0.1]"]
    done = toy(*typed, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 job(s), launched by hydra/launcher=gauge, cluster=local" in done.stderr
    assert labels(tmp_path, "table") == ["clean", "image_shift=0.1"]


def test_jobs_of_one_cell_run_once(tmp_path: Path) -> None:
    assert toy("-m", "perturbation=image_shift,action_noise", "value.at=0", cwd=tmp_path).returncode == 0
    assert len(cells(tmp_path)) == 1


def test_files_of_a_sweep_have_their_own_folder(tmp_path: Path) -> None:
    for _ in range(2):
        assert toy("-m", "seed=1,2", cwd=tmp_path).returncode == 0
    folders = list((tmp_path / "outputs" / "main" / "sweeps").iterdir())
    assert len(folders) == 2
    for folder in folders:
        assert {path.name for path in folder.iterdir()} == {"multirun.yaml", "jobs.json", "report.json"}
        jobs = json.loads((folder / "jobs.json").read_text())["jobs"]
        assert [job["overrides"] for job in jobs] == [[*USUAL, "seed=1"], [*USUAL, "seed=2"]]
        assert all(Path(job["log"]).is_file() for job in jobs)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["value=range,point", "perturbation=image_shift"], "do not go together: write value=range for all"),
        (["value=range", "value.at=0.1,0.2", "perturbation=image_shift"], "does not go with value=range: write"),
        (["value=range", "value.at=0.1", "perturbation=image_shift"], "does not go with value=range: write"),
        (["value=range", "perturbation=none,image_shift"], "leave perturbation=none out"),
        (["value=range"], "value=range needs a perturbation"),
        (["perturbation=image_shft,action_noise", "value=range"], "did you mean image_shift"),
        (["rollouts=1,2"], "evaluate the same cell"),
        (["cluster=debug,local"], "a sweep runs on one cluster"),
        (["seed=1,2", "hydra/launcher=basic", "cluster=local"], "hydra/launcher=basic ignores cluster=local"),
        (["seed=1,2", "hydra.sweeper.max_batch_size=1"], "max_batch_size is not supported"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_refused(tmp_path: Path, typed: list[str], sentence: str) -> None:
    done = toy("-m", *typed, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert sentence in done.stderr
    assert not (tmp_path / "outputs").exists()


def test_all_problems_of_all_jobs_come_before_the_first_job(tmp_path: Path) -> None:
    done = toy("-m", "perturbation=image_shift,light_diffuse", "value.at=0.1,7,purple", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: 3 problems:")
    assert "perturbation=image_shift value.at=7: image_shift=7 is out of bounds" in done.stderr
    assert not (tmp_path / "outputs").exists()


def test_the_launcher_that_is_really_used_is_named(tmp_path: Path) -> None:
    done = toy("-m", "seed=1,2", "hydra/launcher=basic", cwd=tmp_path)
    assert done.returncode == 0
    assert "2 job(s), launched by BasicLauncher" in done.stderr


FOREIGN = """
import hydra
from omegaconf import OmegaConf

@hydra.main(config_path=None, version_base="1.3")
def main(cfg):
    print(OmegaConf.to_yaml(cfg))

main()
"""


def test_another_app_can_use_gauges_options(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(FOREIGN)
    command = [sys.executable, "app.py", "+perturbation=image_shift"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "attribute: image_shift" in done.stdout


def test_a_job_in_whose_tasks_the_perturbation_makes_no_sense_is_named_and_the_rest_runs(tmp_path: Path) -> None:
    typed = ["suite=libero_goal", "suite.tasks=[0]", "perturbation=target_object_position,image_rotation"]
    done = toy("-m", *typed, "value=range", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("not applicable: target_object_position: wooden_cabinet_1 is fixed") == 12
    assert labels(tmp_path) == sorted(["clean", *(f"image_rotation={angle}.0" for angle in range(18, 32, 2))])


def test_a_sweep_of_nothing_but_that_is_refused(tmp_path: Path) -> None:
    typed = ["suite=libero_goal", "suite.tasks=[0]", "perturbation=target_object_position", "value=range"]
    done = toy("-m", *typed, "value.clean=false", cwd=tmp_path)
    assert done.returncode == 2
    assert "wooden_cabinet_1 is fixed in the scene and cannot be moved" in done.stderr
    assert not (tmp_path / "outputs").exists() or labels(tmp_path) == []
