"""One job of a study: many cells of one model in one suite, so that scenes and policy are made once."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig

from gauge.config import build, options
from gauge.config.check import tasks as wanted
from gauge.core.cell import Cell
from gauge.core.items import Combination, Item
from gauge.core.sweep import quoted
from gauge.errors import GaugeError, IncompleteError
from gauge.rollout.cell import evaluate
from gauge.rollout.plan import EpisodePlan, plan_episodes
from gauge.study import space
from gauge.study.plan import Want
from gauge.study.space import Space
from gauge.suites import Task

log = logging.getLogger(__name__)
CELLS_FILE = "cells.json"
GIVE_UP = 3  # failed cells in a row: then the cause is probably not the cells


def write(folder: Path, wants: Sequence[Want], code: Space) -> None:
    """Describe the job in its folder."""
    cells = [_described(want, code) for want in wants]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CELLS_FILE).write_text(json.dumps({"version": 1, "cells": cells}, ensure_ascii=False), encoding="utf-8")


def run(cfg: DictConfig) -> dict[str, Any]:
    """Evaluate the cells that `cells.json` in the job's folder names; a cell that fails does not take the others along.

    Raises:
        GaugeError: the first fault, when no cell could be evaluated.
    """
    hydra = HydraConfig.get()
    described = json.loads((Path(hydra.runtime.output_dir) / CELLS_FILE).read_text(encoding="utf-8"))["cells"]
    study = Path(str(hydra.sweep.dir))
    clean, code = build.cell(cfg), space.load(options.folders())
    tasks = {task.id: task for task in build.suite(cfg).select(wanted(cfg.suite))}
    faults: list[GaugeError] = []
    failed = errors = planned = in_a_row = 0
    for number, entry in enumerate(described, start=1):
        planned += sum(map(len, entry["episodes"].values()))
        try:
            errors += _evaluate(cfg, clean, entry, tasks, code, study)
            in_a_row = 0
        except GaugeError as fault:
            faults.append(fault)
            failed, in_a_row = failed + 1, in_a_row + 1
            log.warning("%s: %s", entry["label"], fault)
        log.info("%d of %d cells of %s in %s", number, len(described), cfg.model.name, cfg.suite.name)
        if in_a_row == GIVE_UP:
            log.warning("%d cells failed in a row; the other %d are left", GIVE_UP, len(described) - number)
            break
    if faults and failed == len(described):
        raise faults[0]
    return {"errors": errors, "failed": failed, "planned": planned, "complete": not errors and not faults}


def _evaluate(
    cfg: DictConfig, clean: Cell, entry: Mapping[str, Any], tasks: Mapping[str, Task], code: Space, study: Path
) -> int:
    """Evaluate one cell; how many of its episodes ended as errors."""
    cell = replace(clean, combination=combination(entry["items"], code))
    if cell.id != entry["id"]:
        raise GaugeError(f"{entry['label']} is another cell than when it was planned; run the same command again")
    folder = study / cell.name
    folder.mkdir(parents=True, exist_ok=True)
    _note_command(folder, entry["command"])
    plans = episodes(cfg, cell.id, entry["episodes"], tasks)
    records = evaluate(cfg, cell, code.bound(cell.combination), plans, folder)
    found = [records.get((plan.task.id, plan.rollout)) for plan in plans]
    if any(record is None for record in found):
        raise IncompleteError(f"{cell.name} was not evaluated to the end")
    return sum(record is not None and record.status == "error" for record in found)


def episodes(
    cfg: DictConfig, cell_id: str, wanted: Mapping[str, Sequence[int]], tasks: Mapping[str, Task]
) -> list[EpisodePlan]:
    """The plans of the wanted rollouts, as `gauge.run` would make them."""
    most = 1 + max(max(rollouts) for rollouts in wanted.values())
    chosen = [tasks[name] for name in wanted]
    plans = plan_episodes(cell_id, chosen, most, cfg.seed, cfg.suite.horizon, cfg.suite.settle_steps)
    inside = {name: set(rollouts) for name, rollouts in wanted.items()}
    return [plan for plan in plans if plan.rollout in inside[plan.task.id]]


def combination(rows: Sequence[Mapping[str, Any]], code: Space) -> Combination:
    """The combination behind the items of `cells.json`."""
    found = [code.code[row["attribute"]].item(tuple(row["values"]), row["mode"]) for row in rows]
    return Combination.of(item for item in found if item is not None)


def _described(want: Want, code: Space) -> dict[str, Any]:
    cell = want.lane.cell(want.combination)
    return {
        "id": cell.id,
        "label": cell.name,
        "items": cell.to_json()["items"],
        "command": command(want, code),
        "episodes": {name: list(rollouts) for name, rollouts in want.episodes.items()},
    }


def command(want: Want, code: Space) -> list[str]:
    """The overrides with which `gauge.run` evaluates the same cell."""
    rows = want.combination.items
    if not rows:
        return list(want.lane.overrides)
    if len(rows) == 1 and rows[0].mode == "static":
        name, value = code.option[rows[0].attribute], quoted(rows[0].values[0])
        return [*want.lane.overrides, f"perturbation={name}", f"value.at={value}"]
    return [*want.lane.overrides, f"pfc.items=[{','.join(_pfc_item(item, code) for item in rows)}]"]


def _pfc_item(item: Item, code: Space) -> str:
    values = ",".join(map(quoted, item.values))
    drawn = f"at:{values}" if item.mode == "static" else f"levels:[{values}]"
    return f"{{perturbation:{code.option[item.attribute]},{drawn}}}"


def _note_command(folder: Path, overrides: Sequence[str]) -> None:
    """`.hydra/overrides.yaml`, as Hydra itself leaves it in a cell that is evaluated alone."""
    path = folder / ".hydra" / "overrides.yaml"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(f"- {json.dumps(one)}\n" for one in overrides), encoding="utf-8")
