"""A study from end to end: stage by stage, each computed only where its inputs changed."""

import logging
import time
from collections.abc import Mapping
from typing import Any

from omegaconf import DictConfig
from rich.console import Console

from gauge.core.seeds import seed
from gauge.errors import IncompleteError
from gauge.records.lock import CellLock
from gauge.records.outcomes import signature
from gauge.study import board, pages, results, stages
from gauge.study.config import stages as wanted_stages
from gauge.study.lab import Lab
from gauge.study.lanes import Crew
from gauge.study.results import Result
from gauge.study.space import Space

log = logging.getLogger(__name__)
FOLDER = "stages"
CODE = 2  # counted up when a stage computes something else from the same inputs


def run(cfg: DictConfig, crew: Crew, space: Space, console: Console) -> None:
    """Do all stages that `stage=` asks for.

    Raises:
        GaugeError: the results cannot be compared, or a stage cannot decide.
        IncompleteError: some planned episodes could not be evaluated; the stage and its list of them are written.
    """
    folder = crew.folder / FOLDER
    with CellLock(folder):
        before: dict[str, Result] = {}
        for stage in wanted_stages(cfg):
            before[stage] = _stage(stage, cfg, crew, space, before, console)
            if before[stage].missing and not cfg.allow_missing:
                raise IncompleteError(
                    f"{before[stage].missing} planned episodes of stage {stage} have no result; they are listed in "
                    f"{folder / stage / 'missing.csv'}; run the same command again to retry, or add allow_missing=true"
                )


def _stage(
    stage: str, cfg: DictConfig, crew: Crew, space: Space, before: Mapping[str, Result], console: Console
) -> Result:
    """The result of one stage: the stored one if nothing changed, else computed now."""
    folder = crew.folder / FOLDER / stage
    inputs = inputs_of(stage, cfg, crew, space, before)
    stored = results.load(folder)
    if stored is not None and stored.inputs == inputs and not stored.missing and _unchanged(crew, stored):
        console.print(f"{stage}: unchanged, {folder}", soft_wrap=True, markup=False, highlight=False)
        return stored
    began = time.monotonic()
    lab = Lab(cfg, crew, space, before)
    report = stages.compute(stage)(lab)
    missing = sum(want.size for want in lab.missing.values())
    tables = {**report.tables, **lab.notes()}
    files = signature([crew.folder / name for name in lab.used])
    found = Result(inputs, lab.used, board.digest(lab.hashes), files, missing, tables)
    sections = [*report.sections, *_gaps(lab, missing)]
    title = f"{stage} of study {cfg.study}" + (" (synthetic)" if any_synthetic(crew) else "")
    results.save(folder, found, {"summary.md": pages.markdown(title, sections, report.figures)}, report.figures)
    for section in sections:
        pages.show(console, section)
    took = f"episodes {lab.ran_s:.1f} s, analysis {time.monotonic() - began - lab.ran_s:.1f} s"
    console.print(f"{stage}: {folder} ({took})", soft_wrap=True, markup=False, highlight=False)
    return found


def inputs_of(stage: str, cfg: DictConfig, crew: Crew, space: Space, before: Mapping[str, Result]) -> dict[str, Any]:
    """Everything that decides a stage's result but the records: settings, cells, and the results before."""
    settings: dict[str, Any] = {name: plain(cfg[name]) for name in stages.SETTINGS[stage]}
    found: dict[str, Any] = {"stage": stage, "code": CODE, "settings": settings}
    if stage == "zero_shot":
        found["lanes"] = [{"cell": lane.clean.id, "scenarios": list(lane.tasks)} for lane in crew.lanes]
        found["scenarios"] = crew.scenarios.to_dict("list")
    if stage == "sensitivity":
        space_rows = space.table(cfg.perturbations, cfg.levels)
        found["space"] = f"{seed('space', *map(str, space_rows.to_numpy().ravel())):016x}"
    found["before"] = {name: result.digest for name, result in before.items()}
    return found


def plain(value: Any) -> Any:
    """A setting as plain data."""
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else value


def any_synthetic(crew: Crew) -> bool:
    """Whether a model of the study is synthetic, which every page has to say."""
    return any(lane.cfg.model.kind == "synthetic" for lane in crew.lanes)


def _unchanged(crew: Crew, stored: Result) -> bool:
    """Whether the episodes are those that the result was computed from; files that did not grow hold no others."""
    if stored.signature == signature([crew.folder / name for name in stored.asked]):
        return True
    return stored.records == board.digest(board.hashes(crew.folder, stored.asked))


def _gaps(lab: Lab, missing: int) -> list[pages.Section]:
    found = []
    if lab.left:
        places = len({(one.combination, one.scenario_id) for one in lab.left})
        line = f"{places} pairs of combination and scenario make no sense and were left out: not_applicable.csv."
        found.append(pages.Section("Not applicable", None, [line]))
    if missing:
        cells = [f"- {want.size} of {name}" for name, want in list(lab.missing.items())[:20]]
        more = [f"- and {len(lab.missing) - 20} more cells: missing.csv"] if len(lab.missing) > 20 else []
        found.append(pages.Section(f"Missing: {missing} planned episodes have no result", None, [*cells, *more]))
    return found
