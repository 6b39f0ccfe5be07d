"""The wheel, installed elsewhere and used from an unrelated folder, finds its options and its plugins."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run([sys.executable, *build], check=True, timeout=300)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the wheel hides the checkout."""
    target = tmp_path_factory.mktemp("installed")
    install = ["-m", "pip", "install", "--no-deps", "--quiet", "--target", str(target), str(wheel)]
    subprocess.run([sys.executable, *install], check=True, timeout=300)
    return {**os.environ, "PYTHONPATH": str(target)}


def run(*command: str, env: dict[str, str], cwd: Path) -> str:
    done = subprocess.run([sys.executable, *command], cwd=cwd, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_options_plugins_and_licence_are_in_the_wheel(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    options = {f"gauge/conf/{path.relative_to(ROOT / 'conf').as_posix()}" for path in (ROOT / "conf").rglob("*.yaml")}
    plugins = {f"hydra_plugins/hydra_gauge/{name}.py" for name in ("sweeper", "launcher", "search_path", "_job")}
    assert options | plugins <= held
    assert "hydra_plugins/__init__.py" not in held
    assert any(name.endswith("licenses/LICENSE") for name in held)


def test_the_installed_command_uses_the_packaged_options(installed: dict[str, str], tmp_path: Path) -> None:
    assert "site-packages" not in run("-c", "import gauge; print(gauge.__file__)", env=installed, cwd=tmp_path)
    shown = run("-m", "gauge.run", "--info", "searchpath", env=installed, cwd=tmp_path)
    assert f"file://{installed['PYTHONPATH']}/gauge/conf" in shown
    composed = run("-m", "gauge", "run", "--cfg", "job", "perturbation=light_diffuse", env=installed, cwd=tmp_path)
    assert "attribute: light_diffuse" in composed


def test_the_installed_command_sweeps(installed: dict[str, str], tmp_path: Path) -> None:
    toy = str(ROOT / "tests" / "apps" / "toy.py")
    typed = ["-m", "perturbation=image_shift", "perturbation.levels=[0.1]", "value=range", "cluster=local"]
    assert run(toy, *typed, env=installed, cwd=tmp_path) == "2 results\n"


def test_an_import_is_cheap(installed: dict[str, str], tmp_path: Path) -> None:
    heavy = ["mujoco", "robosuite", "libero", "torch", "duckdb", "wandb", "submitit"]
    code = (
        "import sys, gauge.config.entry, gauge.run, hydra_plugins.hydra_gauge.launcher, "
        f"hydra_plugins.hydra_gauge.sweeper; print([name for name in {heavy} if name in sys.modules])"
    )
    assert run("-c", code, env=installed, cwd=tmp_path) == "[]\n"
