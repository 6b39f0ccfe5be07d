"""Two processes certify one folder, or judge values for one table, at once: no row is lost."""

import shutil
from pathlib import Path

import pytest
from at_once import together

from gauge.perturbations import certificate as values
from gauge.suites import certificate as scenarios
from gauge.suites.generate import FOLDER
from gauge.suites.scenario import load_folder

pytestmark = pytest.mark.process

SCENARIOS = """
import sys
from pathlib import Path
import numpy as np
from gauge.certify.campaign import Campaign
from gauge.certify.solution import End, Solution
from gauge.suites.certificate import Certificate, Share, Starts, Witness
from gauge.suites.scenario import load_folder, solution_of

folder, part = Path(sys.argv[1]), int(sys.argv[2])
campaign = Campaign(load_folder(folder, "mine").tasks[part::2])
print("ready", flush=True)
sys.stdin.readline()
for one in campaign.scenarios:
    key = solution_of(one)
    starts = Starts((1,), ("aa",), ((0.0, 0.0),), (5.0, 5.0), (), (0.5, 0.5), 200)
    none, witness = Share(0, 0), Witness(0, 9, f"{key}.npz")
    found = Certificate("", key, starts, Share(1, 1), 9.0, witness, none, none, "", "")
    campaign.add(key, found, Solution(0, np.full((9, 7), part, np.float32), End(9)))
"""

VALUES = """
import sys
from pathlib import Path
from gauge.perturbations.certificate import Certificate, append, tidy

path, part = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for k in range(30):
    append(path, [Certificate(f"scenario{part}", "noise", str(k), "kept", reason="long " * 2000)])
    if k % 3 == 0:
        tidy(path)
"""


def test_both_certify_a_folder(tmp_path: Path) -> None:
    for path in (FOLDER / "action_reasoning" / "id").glob("*.bddl"):
        shutil.copy(path, tmp_path)
    together(SCENARIOS, tmp_path)
    found = scenarios.read(tmp_path)
    assert set(found) == {one.name for one in load_folder(tmp_path, "mine").tasks}
    witnesses = {one.witness.actions for one in found.values() if one.witness is not None}
    assert {path.name for path in (tmp_path / "witnesses").iterdir()} == witnesses


def test_both_add_to_a_table_of_values(tmp_path: Path) -> None:
    path = tmp_path / "certificates.csv"
    together(VALUES, path)
    keys = {(f"scenario{part}", "noise", str(k)) for part in range(2) for k in range(30)}
    assert set(values.read(path)) == keys
    assert len([line for line in path.read_text().splitlines() if line.startswith("scenario,")]) == 1
