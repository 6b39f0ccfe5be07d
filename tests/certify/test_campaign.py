"""What a campaign keeps of certificates on the disk when files have changed since."""

import json
import shutil
from pathlib import Path

import pytest

from gauge.certify.campaign import _revise
from gauge.suites.certificate import TABLE, WITNESSES, read
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import load_folder

SOURCE = FOLDER / "visual_perception" / "id"
NAMES = ("visual_L01", "visual_L02")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two certified siblings."""
    rows = {name: row for name, row in json.loads((SOURCE / TABLE).read_text()).items() if name in NAMES}
    (tmp_path / TABLE).write_text(json.dumps(rows))
    (tmp_path / WITNESSES).mkdir()
    for name in NAMES:
        shutil.copy(SOURCE / f"{name}.bddl", tmp_path)
        shutil.copy(SOURCE / WITNESSES / rows[name]["witness"]["actions"], tmp_path / WITNESSES)
    return tmp_path


def edit(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / f"{name}.bddl"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def problems(folder: Path) -> list[str]:
    return [problem for one in load_folder(folder, "mine").tasks for problem in one.problems()]


def test_a_changed_text_keeps_its_certificate_under_the_new_hash(folder: Path) -> None:
    before = read(folder)
    edit(folder, "visual_L01", "pick up the alphabet soup", "fetch the soup")
    assert "changed after it was certified" in problems(folder)[0]
    _revise(load_folder(folder, "mine").tasks)
    assert problems(folder) == []
    assert read(folder)["visual_L01"].solution == before["visual_L01"].solution
    assert len(list((folder / WITNESSES).iterdir())) == 2


def test_a_changed_layout_loses_certificate_and_witness_and_can_be_certified_again(folder: Path) -> None:
    before = read(folder)
    edit(folder, "visual_L02", "(:shift 0.06 0.14)", "(:shift 0.05 0.14)")
    _revise(load_folder(folder, "mine").tasks)
    assert problems(folder) == []
    assert set(read(folder)) == {"visual_L01"}
    assert read(folder)["visual_L01"] == before["visual_L01"]
    assert before["visual_L01"].witness is not None
    assert [path.name for path in (folder / WITNESSES).iterdir()] == [before["visual_L01"].witness.actions]
