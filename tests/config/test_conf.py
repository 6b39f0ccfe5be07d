"""Every file of conf/ composes, is typed, can be built, and says which command uses it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf

from gauge.config import build
from gauge.config.conf_dir import conf_dir
from gauge.config.registry import MODELS, PERTURBATIONS
from gauge.config.resolvers import register
from gauge.config.schema import SCHEMAS
from gauge.suites.libero import benchmark_root

# Those of gauge.run; rates belong to gauge.plan and gauge.study.
FILES = sorted(path for path in conf_dir().glob("*/*.yaml") if path.parent.name != "rates")
OPTIONS = [(path.parent.name, path.stem) for path in FILES if path.parent.name != "experiment"]
OPTIONS += [("suite", f"{path.parent.name}/{path.stem}") for path in sorted(conf_dir().glob("suite/*/*.yaml"))]
NEEDED = {
    "model=remote": ["model.name=served"],
    "model=torch": ["model.module=torch_nets:Net"],
    "model=lerobot": ["model.checkpoint=act"],
    "model=replay": ["model.demos=demos"],
    "model=open_loop": ["model.demos=demos"],
    "value=dynamic": ["perturbation=image_shift"],
    "suite=files": [f"suite.path={benchmark_root() / 'bddl_files' / 'libero_goal'}"],
}


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides: str) -> DictConfig:
    return compose("config", ["model=expert", "suite=libero_object", *overrides])


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_option_composes_with_gauges_own_schema(group: str, option: str) -> None:
    cfg = composed(f"{group}={option}")
    assert OmegaConf.get_type(cfg[group]) in SCHEMAS.values()
    assert OmegaConf.get_type(cfg) is SCHEMAS["config"]


@pytest.mark.parametrize(("group", "option"), [pair for pair in OPTIONS if pair != ("value", "range")])
def test_every_option_describes_a_cell(group: str, option: str) -> None:
    typed = f"{group}={option}"
    needed = NEEDED.get(typed, [])
    if group == "perturbation" and option != "none":
        needed = [f"value.at={composed(typed).perturbation.levels[0]}"]
    cell = build.cell(composed(typed, *needed))
    assert cell.id in cell.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file_names_its_schema_first_and_the_command_that_uses_it(path: Path) -> None:
    text = path.read_text()
    header = [line for line in text.splitlines() if line.startswith("#")]
    command = next(line for line in header if "python -m gauge.run" in line)
    assert f"{path.parent.name}={path.stem}" in command or f"{path.parent.name}." in command
    if path.parent.name != "experiment":
        first = yaml.safe_load(text)["defaults"][0]
        assert first.startswith("/schema/") or (path.parent / f"{first}.yaml").exists(), path


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_command_of_every_file_composes(path: Path) -> None:
    command = next(line for line in path.read_text().splitlines() if line.startswith("#   python -m gauge.run"))
    typed = command.partition("gauge.run")[2].replace("-m ", "").strip()
    overrides = [typed.strip("'")] if "'" in typed else typed.split()
    composed(*overrides)


@pytest.mark.parametrize("path", sorted((conf_dir() / "experiment").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_experiment_composes(path: Path) -> None:
    cfg = composed(f"experiment={path.stem}")
    assert cfg.study == path.stem


def test_a_registry_entry_for_every_option_and_a_class_behind_every_entry() -> None:
    models = {OmegaConf.load(path).kind for path in (conf_dir() / "model").glob("*.yaml")}
    perturbations = {path.stem for path in (conf_dir() / "perturbation").glob("*.yaml")} - {"none"}
    assert models == set(MODELS.entries)
    assert perturbations == set(PERTURBATIONS.entries)
    assert all(entry.load() for entry in PERTURBATIONS.entries.values())


def test_a_range_sweeps_and_a_cluster_submits_without_being_asked() -> None:
    for typed in ("value=range", "cluster=local", "cluster=slurm"):
        assert compose("config", [typed], return_hydra_config=True).hydra.mode.name == "MULTIRUN"
    assert not HydraConfig.initialized()
