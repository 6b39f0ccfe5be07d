"""The command: certificates are made, kept, made anew when stale, and lost jobs are named."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

from gauge.config.conf_dir import conf_dir
from gauge.config.resolvers import register as resolvers
from gauge.errors import GaugeError
from gauge.perturbations import certificate
from gauge.validate.config import check, perturbations, register, tasks

TYPED = ["perturbation=light_specular", "suite.tasks=[2]", "workers=0", "progress=false"]


@pytest.fixture(autouse=True, scope="module")
def hydra_in_this_process():
    resolvers()
    register()
    with initialize_config_dir(str(conf_dir()), version_base="1.3"):
        yield


def composed(*overrides):
    return compose("validate", list(overrides))


def test_without_a_perturbation_all_values_in_six_scenarios_are_meant():
    cfg = composed()
    assert sum(len(one.levels) for one in perturbations(cfg)) == 268
    assert len(tasks(cfg)) == 6


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["tries=0"], "tries=0 is too small"),
        (["timeout_s=0"], "timeout_s=0.0 must be more than 0"),
        (["tries=51"], "has 50 official initial states, so tries=51"),
        (["suite.tasks=[9]"], "anchors has tasks 0 to 5, not 9"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_done(typed, said):
    cfg = composed(*typed)
    with pytest.raises(GaugeError, match=said):
        (check(cfg), tasks(cfg))


@pytest.mark.sim
def test_certificates_are_kept_and_only_stale_or_missing_ones_are_made_anew(tmp_path, monkeypatch):
    from gauge.validate import campaign

    monkeypatch.setattr(certificate, "packaged", lambda: tmp_path / "none.csv")
    cfg, path = composed(*TYPED, f"table={tmp_path / 'table.csv'}"), tmp_path / "table.csv"
    first = campaign.run(cfg).certified()
    assert [one.value for one in first] == ["0.0", "0.15", "0.5", "0.75", "1.0"]
    assert {one.verdict for one in first} == {"kept", "dropped"}
    assert list(certificate.read(path).values()) == first

    made = []
    monkeypatch.setattr(campaign, "Validation", recorded(campaign.Validation, made))
    assert campaign.run(cfg).certified() == first
    assert made == []
    changed = [replace(first[0], code="0"), replace(first[1], scene="0"), *first[2:4]]
    certificate.write(path, changed)
    assert campaign.run(cfg).certified() == first
    assert made == [(0.0, 0.15, 1.0)]


def recorded(cls, made):
    def make(perturbation, values, plans):
        made.append(values)
        return cls(perturbation, values, plans)

    return make


@pytest.mark.sim
@pytest.mark.process
def test_the_command_prints_counts_reasons_and_the_table(tmp_path: Path):
    environment = {**os.environ, "GAUGE_OUTPUTS": str(tmp_path)}
    typed = ["perturbation=gripper_state", "suite.tasks=[2]", "workers=1", "fresh=true"]
    done = subprocess.run(
        [sys.executable, "-m", "gauge.validate", *typed],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "4 values x scenarios: 3 kept, 1 dropped (1 effect)" in done.stdout
    assert "dropped  gripper_state=1.0 in 1: effect: stated 1" in done.stdout
    assert len((tmp_path / "certificates.csv").read_text().splitlines()) == 5
    assert [path for path in tmp_path.iterdir() if path.suffix != ".turn"] == [tmp_path / "certificates.csv"]


@pytest.mark.process
def test_a_fault_of_the_user_is_one_sentence(tmp_path: Path):
    typed = [sys.executable, "-m", "gauge.validate", "perturbation=image_shif", f"table={tmp_path / 'x.csv'}"]
    done = subprocess.run(typed, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "image_shift" in done.stderr
    assert "Traceback" not in done.stderr
