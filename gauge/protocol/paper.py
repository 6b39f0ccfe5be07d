"""What VLA-GAUGE prints: its tables, its suites' sizes and the reconstructed perturbation space, as package data."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import pandas as pd

from gauge.protocol.space import space_table

PFCS = ("PFC(1,2)", "PFC(2,3)", "PFC(3,6)")


@cache
def _load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(files("gauge.protocol").joinpath("data", name).read_text(encoding="utf-8"))
    return data


def capability_table() -> pd.DataFrame:
    """Tables I (split all) and II (id, ood): one row per (model, split, capability), sr in percent."""
    rows = [
        {"model": model, "split": split, "capability": name, "sr": values[split][name]}
        for model, values in _load("paper_tables.json")["models"].items()
        for split in ("id", "ood", "all")
        for name in _load("paper_tables.json")["capabilities"]
    ]
    return pd.DataFrame(rows).astype({"sr": "Float64"})


def r_table() -> pd.DataFrame:
    """Table IV: one row per (model, combination), r in percent."""
    rows = [
        {"model": model, "combination": pfc, "r": values["r_score"][pfc]}
        for model, values in _load("paper_tables.json")["models"].items()
        for pfc in PFCS
    ]
    return pd.DataFrame(rows).astype({"r": "Float64"})


def printed() -> dict[str, Any]:
    """Everything as stored: `models` by name, `averages`, `scenarios` by capability, `task_instances`."""
    return _load("paper_tables.json")


def scenario_table() -> pd.DataFrame:
    """270 scenarios of the paper's suites: scenario_id, capability, split; the sizes of the splits are inferred."""
    sizes = {name: _load("paper_tables.json")["scenarios"][name] for name in _load("paper_tables.json")["capabilities"]}
    rows = [
        {"scenario_id": f"{capability}/{split}_{number:02d}", "capability": capability, "split": split}
        for capability, size in sizes.items()
        for split in ("id", "ood")
        for number in range(size[split])
    ]
    return pd.DataFrame(rows)


def space() -> pd.DataFrame:
    """The reconstructed perturbation space, see `gauge.protocol.space`: 268 rows."""
    return space_table(_load("paper_space.json")["attributes"])
