"""The fast composition of a sweep's jobs against Hydra's own."""

from collections.abc import Iterator

import pytest
from hydra import initialize_config_dir
from hydra.core.config_loader import ConfigLoader
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf

from gauge.config.compose import Composer
from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register

JOBS = [
    ["model=random", "seed=1"],
    ["model=random", "seed=2"],
    ["seed=2", "model=random"],
    ["model=random", "seed=3", "seed=4"],
    ["model=synthetic", "model.skill=0.5", "seed=1"],
    ["model=synthetic", "model.skill=0.7", "seed=1"],
    ["model=synthetic", "model.weakness=null", "seed=1"],
    ["model=synthetic", "model.effects={light: 0.5}"],
    ["model=synthetic", "model.effects={camera: 0.5}"],
    ["perturbation=image_shift", "value=point", "value.at=0.1"],
    ["perturbation=image_shift", "value=point", "value.at=0.2"],
    ["perturbation=noise", "value=point", "value.at='fog:6'"],
    ["perturbation=noise", "value=point", "value.at=${seed}"],
    ["perturbation=noise", "value=point", "value.at='jpeg:2'"],
    ["suite.tasks=[0,1]"],
    ["suite.tasks=[2]"],
    ["+extra=1", "seed=2"],
    ["hydra.job.name=x", "seed=2"],
    ["study=a", "outputs=b"],
    ["study='c d'", "outputs=e"],
]


@pytest.fixture(scope="module")
def loader() -> Iterator[ConfigLoader]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield GlobalHydra.instance().config_loader()


@pytest.fixture(scope="module")
def master(loader: ConfigLoader) -> DictConfig:
    return loader.load_configuration("config", ["hydra.job.chdir=false"], RunMode.MULTIRUN)


def test_every_job_is_composed_as_hydra_does(loader: ConfigLoader, master: DictConfig) -> None:
    composer = Composer(loader, master)
    for job in [*JOBS, *reversed(JOBS)]:
        ours, theirs = composer(job), loader.load_sweep_config(master, job)
        assert OmegaConf.to_container(ours) == OmegaConf.to_container(theirs), job
        assert OmegaConf.get_type(ours) is OmegaConf.get_type(theirs)
        assert OmegaConf.is_struct(ours)


def test_jobs_that_differ_in_values_share_one_composition(
    loader: ConfigLoader, master: DictConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    composer, slow = Composer(loader, master), loader.load_sweep_config
    calls = []
    monkeypatch.setattr(loader, "load_sweep_config", lambda *given: (calls.append(given), slow(*given))[1])
    for seed in range(20):
        for model in ("random", "noop"):
            assert composer([f"model={model}", f"seed={seed}"]).seed == seed
    assert len(calls) == 2


def test_a_config_is_the_callers_own(loader: ConfigLoader, master: DictConfig) -> None:
    composer = Composer(loader, master)
    composer(["seed=1"]).study = "changed"
    assert composer(["seed=2"]).study == "main"


@pytest.mark.parametrize("bad", ["seed=many", "modle=random", "seed=[1]"])
def test_a_wrong_override_fails_as_in_hydra(loader: ConfigLoader, master: DictConfig, bad: str) -> None:
    composer = Composer(loader, master)
    composer(["seed=1"])
    with pytest.raises(HydraException) as theirs:
        loader.load_sweep_config(master, [bad])
    with pytest.raises(HydraException) as ours:
        composer([bad])
    assert str(ours.value) == str(theirs.value)
