"""Runs tests/apps/toy.py the way a person types a command."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

USUAL = ("model=expert", "suite=libero_object")  # unless a test says otherwise
APP = Path(__file__).parent / "apps" / "toy.py"


def toy(
    *arguments: str, cwd: Path, faults: dict[str, str] | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """The finished command; `faults` maps labels of combinations to how their jobs fail."""
    found = {**os.environ, "TOY_FAULTS": json.dumps(faults or {}), **env}
    command = [sys.executable, str(APP), *USUAL, *arguments]
    return subprocess.run(command, cwd=cwd, env=found, capture_output=True, text=True, timeout=120, check=False)


def labels(cwd: Path, study: str = "main") -> list[str]:
    """Labels of all cells that the toy has stored."""
    return sorted(stored["label"] for stored in cells(cwd, study))


def cells(cwd: Path, study: str = "main") -> list[dict[str, Any]]:
    """What the toy has stored of each cell."""
    return [json.loads(path.read_text()) for path in (cwd / "outputs" / study).glob("*/toy.json")]


def sweep_folder(cwd: Path, study: str = "main") -> Path:
    """The folder of the one sweep of a study."""
    [found] = (cwd / "outputs" / study / "sweeps").iterdir()
    return found
