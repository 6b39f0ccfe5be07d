import subprocess
import sys
from pathlib import Path

import pytest

from gauge.__main__ import VERBS


def gauge(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gauge", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_without_a_verb_all_are_listed(tmp_path: Path, arguments: list[str]) -> None:
    done = gauge(*arguments, cwd=tmp_path)
    assert done.returncode == 0
    assert all(f"gauge {verb}" in done.stdout for verb in VERBS)


def test_an_unknown_verb_names_the_closest(tmp_path: Path) -> None:
    done = gauge("rnu", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "error: unknown verb 'rnu'; did you mean run, train\n"


def test_a_verb_gets_the_rest_of_the_line(tmp_path: Path) -> None:
    done = gauge("run", "--cfg", "job", "model=random", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "kind: random" in done.stdout
    assert gauge("run", "modle=random", cwd=tmp_path).stderr.startswith("error: unknown key 'modle'")
