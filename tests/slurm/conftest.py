"""A real single-node Slurm with accounting: the one that SLURM_CONF names, else one started here by root."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SERVERS = ("slurmctld", "slurmd", "slurmdbd", "munged", "mariadbd")


@pytest.fixture(scope="session")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which Slurm's commands reach a cluster of two CPUs."""
    if "SLURM_CONF" in os.environ:
        yield dict(os.environ)
        return
    if os.geteuid() != 0 or not all(map(shutil.which, SERVERS)):
        pytest.skip("needs Slurm and root: apt-get install -y slurm-wlm slurmdbd munge mariadb-server")
    folder = tmp_path_factory.mktemp("slurm")
    environment = {**os.environ, "SLURM_TEST_DIR": str(folder)}
    started = subprocess.run(["bash", HERE / "start.sh"], env=environment, capture_output=True, text=True, timeout=300)
    assert started.returncode == 0, started.stdout + started.stderr
    yield {**environment, "SLURM_CONF": str(folder / "slurm.conf")}
    subprocess.run(["bash", HERE / "stop.sh"], env=environment, timeout=120, check=True)
