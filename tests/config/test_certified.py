"""What `value=range` makes of certificates: left out with the reason, used without one and said so, or all of them."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig
from perturbation_options import shipped

from gauge.config import build, certified
from gauge.config.conf_dir import conf_dir
from gauge.config.plan import plan
from gauge.config.resolvers import register
from gauge.core.sweep import expand
from gauge.errors import NotApplicableError
from gauge.perturbations import certificate, provenance
from gauge.perturbations.certificate import Certificate
from gauge.suites import load

TASKS = load("libero_goal").tasks
SHIFT = shipped("image_shift")
TYPED = ["perturbation=image_shift", "suite=libero_goal", "suite.tasks=[1,2]"]


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process() -> Iterator[None]:
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of outputs with a table of its own, and no other certificates."""
    monkeypatch.setattr(certificate, "packaged", lambda: tmp_path / "no.csv")
    return tmp_path


def judge(outputs: Path, index: int, value: str, verdict: str, **changed: str) -> None:
    task = TASKS[index]
    depends = {
        "code": provenance.code_of(SHIFT),
        "task": provenance.task_of(task),
        "environment": provenance.environment(),
    }
    row = Certificate(task.id, "image_shift", value, verdict, "feasibility", "out of view", **{**depends, **changed})
    certificate.append(outputs / certified.TABLE, [row])


def composed(outputs: Path, *overrides: str) -> DictConfig:
    return compose("config", ["model=expert", f"outputs={outputs}", *overrides], return_hydra_config=True)


def at(outputs: Path, value: str, *more: str) -> list[int]:
    typed = [*TYPED, f"value.at={value}", "value.certified=true", *more]
    return [task.index for task in build.tasks(composed(outputs, *typed))]


def test_a_dropped_value_is_left_out_of_that_task_with_its_reason(
    outputs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judge(outputs, 1, "0.2", "dropped")
    judge(outputs, 2, "0.2", "kept")
    assert at(outputs, "0.2") == [2]
    assert "image_shift=0.2 is dropped by its certificate: out of view" in caplog.text
    assert at(outputs, "0.2", "value.certified=false") == [1, 2]
    assert at(outputs, "0.1") == [1, 2]


def test_a_value_that_is_dropped_everywhere_is_not_applicable(outputs: Path) -> None:
    for index in (1, 2):
        judge(outputs, index, "0.2", "dropped")
    with pytest.raises(NotApplicableError, match="dropped by its certificate: out of view"):
        at(outputs, "0.2")


@pytest.mark.parametrize("changed", [{"code": "0"}, {"environment": "mujoco 1"}])
def test_a_stale_certificate_drops_nothing(outputs: Path, changed: dict[str, str]) -> None:
    judge(outputs, 1, "0.2", "dropped", **changed)
    assert at(outputs, "0.2") == [1, 2]


def sweep(outputs: Path, *more: str) -> list[list[str]]:
    jobs = expand([[*TYPED, "perturbation.levels=[0.1,0.2]", "value=range", *more]], lambda _: (0.1, 0.2))
    return [one.overrides for one in plan(jobs, lambda job: composed(outputs, *job), composed(outputs))]


def test_a_sweep_says_once_what_it_uses_without_a_certificate(outputs: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    judge(outputs, 1, "0.1", "kept")
    judge(outputs, 2, "0.1", "open")
    judge(outputs, 1, "0.2", "dropped")
    judge(outputs, 2, "0.2", "dropped")
    jobs = sweep(outputs)
    assert ["value.at=0.1" in job for job in jobs] == [False, True]
    assert "image_shift=0.2 is dropped by its certificate" in caplog.text
    said = [record.getMessage() for record in caplog.records if "uncertified" in record.getMessage()]
    assert said == [
        "image_shift: used uncertified in 1 of 2 pairs of value and task (1 have an open one); "
        "python -m gauge.validate perturbation=image_shift suite=libero_goal certifies them"
    ]


def test_without_certificates_all_values_are_used_and_nothing_is_said(
    outputs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judge(outputs, 1, "0.2", "dropped")
    assert len(sweep(outputs, "value.certified=false")) == 3
    assert "certif" not in caplog.text


def test_all_certified_says_nothing() -> None:
    assert certified.sentence("image_shift", "libero_goal", certified.Standings({"kept": 3, "dropped": 1})) == ""
