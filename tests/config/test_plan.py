"""What is found out about the jobs of a sweep, once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from gauge.config import build
from gauge.config.conf_dir import conf_dir
from gauge.config.plan import plan
from gauge.config.resolvers import register


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(job: list[str]) -> DictConfig:
    return compose(
        "config", ["model=synthetic", "suite=libero_goal", "suite.tasks=[1,2]", *job], return_hydra_config=True
    )


def test_a_job_comes_with_its_folder_cell_and_scenarios(tmp_path: Path) -> None:
    job = [f"outputs={tmp_path}", "seed=3", "rollouts=4"]
    [ready] = plan([job], composed, composed([]))
    cell = build.cell(composed(job))
    assert (ready.cell_id, ready.cell_name, ready.folder) == (cell.id, cell.name, str(tmp_path / "main" / cell.name))
    assert ready.scenarios == tuple(task.id for task in build.tasks(composed(job)))
    assert (ready.overrides, ready.rollouts, ready.config) == (job, 4, composed(job))


def test_a_folder_that_is_not_the_cells_is_left_to_the_launcher(tmp_path: Path) -> None:
    [ready] = plan([[f"outputs={tmp_path}", "hydra.sweep.subdir=mine-${hydra.job.num}"]], composed, composed([]))
    assert ready.folder == ""


def test_every_job_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []
    real = build.cell
    monkeypatch.setattr(build, "cell", lambda cfg: (checked.append(cfg.seed), real(cfg))[1])
    assert len(plan([[f"seed={k}"] for k in range(5)], composed, composed([]))) == 5
    assert checked == [0, 1, 2, 3, 4]
