"""`python -m gauge.certify` as a person types it, on two siblings of a real scene."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from gauge.suites.generate import FOLDER

pytestmark = pytest.mark.sim
FEW = ["states=3", "tries=1", "replays=1", "check_states=2", "workers=1", "progress=false"]


def certify(folder, *typed):
    command = [sys.executable, "-m", "gauge.certify", "suite=files", f"suite.path={folder}", *FEW, *typed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A folder with two siblings, one of them in two wordings, and what the command printed of them."""
    folder = tmp_path_factory.mktemp("mine")
    for name in ("visual_L01", "visual_L02"):
        shutil.copy(FOLDER / "visual_perception" / "id" / f"{name}.bddl", folder)
    said = (folder / "visual_L01.bddl").read_text()
    (folder / "said.bddl").write_text(re.sub(r"\(:language [^)]*\)", "(:language get the soup)", said))
    code, out, err = certify(folder)
    assert code == 0, err
    return folder, out


def table(folder):
    return json.loads((folder / "certificates.json").read_text())


def test_starts_solutions_and_replays_are_on_record(certified):
    folder, out = certified
    found = table(folder)
    assert set(found) == {"said", "visual_L01", "visual_L02"}
    assert "3 scenarios: 3 certified" in out
    for one in found.values():
        assert len(set(one["starts"]["hashes"])) == 3
        assert one["solved"] == [1, 1]
        assert one["replay"][1] == one["sibling"][1] == 1
        assert one["both"] == [0, 1]
        assert one["starts"]["region_mm"] == [37.53, 82.11]
        assert 60 < one["starts"]["pixels"] < 5000
        assert (folder / "witnesses" / one["witness"]["actions"]).is_file()
        assert len(one["witness"]["end"]) == 12
    assert {**found["said"], "file": ""} == {**found["visual_L01"], "file": ""}


def test_what_is_on_record_comes_out_again_and_what_was_changed_does_not(certified, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(certified[0], folder)
    code, out, err = certify(folder, "--check", "exact=true")
    assert code == 0, err
    assert "2 layouts and goals checked: 2 exactly as on record" in out
    found = table(folder)
    found["visual_L02"]["witness"]["end"] = "0"
    found["visual_L02"]["witness"]["rest_m"][0] += 0.002
    for name in ("said", "visual_L01"):
        found[name]["starts"]["hashes"][0] = "0"
        found[name]["starts"]["places"][0][0] += 0.004
    (folder / "certificates.json").write_text(json.dumps(found))
    code, out, err = certify(folder, "--check")
    assert code == 2
    assert "start 0 differs: its target lies 4.0 mm from where it was" in out
    assert "the witness ends in another state: its target lies 2.0 mm from where it did" in out
    assert "2 layouts and goals checked: 0 exactly as on record, 1 as near as another machine may be" in out
    assert err.endswith("1 certificates are not what comes out here: files/said\n")
    code, _, err = certify(folder, "--check", "exact=true")
    assert code == 2
    assert err.endswith("2 certificates are not what comes out here: files/said, files/visual_L02\n")


def test_what_a_certificate_lacks_is_added_as_if_made_in_one_go(certified, tmp_path):
    folder, alone = tmp_path / "mine", tmp_path / "alone"
    shutil.copytree(certified[0], folder)
    before = table(folder)
    unheard = {name: {key: value for key, value in one.items() if key != "both"} for name, one in before.items()}
    (folder / "certificates.json").write_text(json.dumps(unheard))
    code, _, err = certify(folder, "states=5", "replays=3")
    assert code == 0, err
    found = table(folder)
    for name, one in found.items():
        assert len(set(one["starts"]["hashes"])) == 5
        assert one["replay"][1] == one["sibling"][1] == 3
        for kept in ("solved", "steps", "witness", "both"):
            assert one[kept] == before[name][kept]
    alone.mkdir()
    for path in folder.glob("*.bddl"):
        shutil.copy(path, alone)
    code, _, err = certify(alone, "states=5", "replays=3")
    assert code == 0, err
    assert table(alone) == found


def test_another_wording_keeps_the_certificate_and_another_scene_does_not(certified, tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(certified[0], folder)
    path = folder / "said.bddl"
    path.write_text(path.read_text().replace("get the soup", "fetch the soup"))
    before = table(folder)["said"]["file"]
    code, _, err = certify(folder)
    assert code == 0, err
    assert table(folder)["said"]["file"] != before
    (folder / "again.bddl").write_text(path.read_text().replace("fetch the soup", "fetch me the soup"))
    code, _, err = certify(folder, "timeout_s=0.1")  # nothing is simulated for it
    assert code == 0, err
    assert {**table(folder)["again"], "file": ""} == {**table(folder)["said"], "file": ""}
    path = folder / "visual_L02.bddl"
    path.write_text(path.read_text().replace("(-0.055 -0.125 -0.005 -0.075)", "(-0.054 -0.125 -0.004 -0.075)"))
    code, _, err = certify(folder, "--check")
    assert code == 3
    assert "1 scenarios have no certificate" in err
    command = [sys.executable, "-m", "gauge.run", "model=noop", "suite=files", f"suite.path={folder}", "rollouts=1"]
    done = subprocess.run([*command, f"outputs={tmp_path}"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "visual_L02.bddl was changed after it was certified; type python -m gauge.certify" in done.stderr


def test_released_tasks_are_refused():
    command = [sys.executable, "-m", "gauge.certify", "suite=libero_goal"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "certificates are for scenarios" in done.stderr
