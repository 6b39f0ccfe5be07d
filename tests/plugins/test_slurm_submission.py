"""What Slurm is told, read from the script that sbatch would get; nothing of Slurm runs here."""

import os
import re
import stat
from pathlib import Path

import pytest
from hydra_plugins.hydra_gauge._backends import packed, parameters
from toy_command import sweep_folder, toy

SLURM = {
    "kind": "slurm",
    "partition": None,
    "account": None,
    "qos": None,
    "array_parallelism": 16,
    "timeout_min": 240,
    "mem_gb": 16.0,
    "cpus_per_task": 4,
    "gpus": 0,
    "requeues": 20,
    "detach": False,
    "cells_per_job": None,
    "setup": [],
    "slurm": {},
}
SETTINGS = [
    "cluster=slurm",
    "cluster.partition=gpu",
    "cluster.account=robots",
    "cluster.gpus=1",
    "cluster.array_parallelism=2",
    "cluster.setup=[module load cuda]",
    "+cluster.slurm.constraint=a100",
]


@pytest.fixture
def fake_slurm(tmp_path: Path) -> dict[str, str]:
    """A PATH on which sbatch keeps its script and refuses, so that nothing waits for a job."""
    tools = tmp_path / "tools"
    tools.mkdir()
    scripts = {
        "sbatch": f'cp "$1" {tmp_path}/sbatch.txt\necho "sbatch: error: invalid account" >&2\nexit 1\n',
        "srun": "",
    }
    for name, body in scripts.items():
        path = tools / name
        path.write_text(f"#!/bin/sh\n{body}")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{tools}:{os.environ['PATH']}"}


def test_the_script_is_the_expected_one(tmp_path: Path, fake_slurm: dict[str, str]) -> None:
    done = toy("-m", "seed=1,2,3", *SETTINGS, cwd=tmp_path, **fake_slurm)
    script = (tmp_path / "sbatch.txt").read_text()
    script = script.replace(str(sweep_folder(tmp_path)), "SWEEP")
    script = re.sub(r"\S*python\S* -u -m", "PYTHON -u -m", script)
    golden = Path(__file__).parent.parent / "golden" / "sbatch.txt"
    assert script == golden.read_text(), done.stderr


def test_a_refusal_of_sbatch_is_told(tmp_path: Path, fake_slurm: dict[str, str]) -> None:
    done = toy("-m", "seed=1,2", "cluster=slurm", cwd=tmp_path, **fake_slurm)
    assert done.returncode == 2
    assert "error: sbatch refuses the jobs:" in done.stderr
    assert "invalid account" in done.stderr


def test_without_slurm_the_other_clusters_are_named(tmp_path: Path) -> None:
    done = toy("cluster=slurm", cwd=tmp_path, PATH="")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("error: cluster=slurm needs Slurm's commands")


def test_an_option_that_submitit_does_not_know_is_refused(tmp_path: Path, fake_slurm: dict[str, str]) -> None:
    done = toy("cluster=slurm", "+cluster.slurm.partitoin=gpu", cwd=tmp_path, **fake_slurm)
    assert done.returncode == 2
    assert "partitoin" in done.stderr


def test_what_is_not_set_is_left_to_the_cluster() -> None:
    told = parameters(SLURM)
    assert told["slurm_partition"] is None
    assert told["gpus_per_node"] is None
    assert (told["nodes"], told["tasks_per_node"], told["timeout_min"]) == (1, 1, 240)


def test_any_other_option_passes_through() -> None:
    assert parameters({**SLURM, "slurm": {"constraint": "a100"}})["slurm_constraint"] == "a100"


def test_an_array_holds_at_most_a_thousand_jobs_unless_told_otherwise() -> None:
    jobs = list(range(2500))
    sizes = [len(pack.jobs) for pack in packed(jobs, None)]  # type: ignore[arg-type]
    assert sizes == [3] * 833 + [1]
    assert [job for pack in packed(jobs, 7) for job in pack.jobs] == jobs  # type: ignore[arg-type]
    assert {len(pack.jobs) for pack in packed(jobs[:1000], None)} == {1}  # type: ignore[arg-type]
