"""`python -m gauge.suites gallery` as a person types it, on two layouts of gauge's own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from gauge.suites import certificate
from gauge.suites.generate import FOLDER

pytestmark = pytest.mark.sim


PLAIN = {key: value for key, value in os.environ.items() if key not in ("MUJOCO_GL", "GAUGE_RENDERER_LOADED")}


def gallery(folder: Path, *typed: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "gauge.suites", "gallery", str(folder / "pictures"), "--folder", str(folder)]
    done = subprocess.run([*command, *typed], env=PLAIN, capture_output=True, text=True, timeout=600, check=False)
    return done.returncode, done.stdout, done.stderr


def test_what_is_missing_or_changed_is_drawn_and_nothing_else(tmp_path: Path) -> None:
    own, pictures = FOLDER / "visual_perception" / "id", tmp_path / "pictures"
    solved = next(name for name, known in certificate.read(own).items() if not known.faults())
    other = next((FOLDER / "action_reasoning" / "id").glob("*.bddl"))
    for path in (own / f"{solved}.bddl", own / "certificates.json", other):
        shutil.copy(path, tmp_path)
    shutil.copytree(own / "witnesses", tmp_path / "witnesses")
    code, out, err = gallery(tmp_path)
    assert code == 0, err
    assert out.startswith("3 pictures drawn, 0 there already")
    starts = list((pictures / "starts").iterdir())
    assert [cv2.imread(str(path)).shape for path in starts] == [(144, 144, 3)] * 2
    (strip,) = (pictures / "solutions").iterdir()
    frames = cv2.imread(str(strip)).astype(int)
    assert frames.shape == (144, 6 * 144, 3)
    assert all(abs(frames[:, k * 144 : (k + 1) * 144] - frames[:, -144:]).max() > 100 for k in range(5))
    page = (pictures / "scenarios.md").read_text()
    assert all(f"starts/{path.name}" in page for path in starts)
    assert page.count("| kept |") == page.count("| none yet |") == 1

    (tmp_path / other.name).unlink()
    strip.write_bytes(b"cut short")
    code, out, err = gallery(tmp_path)
    assert code == 0, err
    assert out.startswith("1 pictures drawn, 1 there already")
    assert cv2.imread(str(strip)).shape == (144, 6 * 144, 3)
    (left,) = (pictures / "starts").iterdir()
    assert left in starts
    assert other.stem not in (pictures / "scenarios.md").read_text()


def test_a_size_that_cannot_be_is_refused(tmp_path: Path) -> None:
    code, _, err = gallery(tmp_path, "--size", "5")
    assert code == 2
    assert err == "error: --size is 32 to 1024 pixels and --workers at least 0\n"
