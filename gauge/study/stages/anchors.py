"""Anchors: how hard each scenario is for the reference models, and which stand for the others (VLA-GAUGE, IV-B)."""

from gauge.protocol.anchors import DIFFICULTIES, anchors, difficulty
from gauge.protocol.tables import each
from gauge.study.lab import Lab
from gauge.study.pages import Report, Section, percent, texts


def compute(lab: Lab) -> Report:
    """Choose the anchors; nothing is run."""
    reference = list(lab.table("zero_shot", "reference").model)
    levels = difficulty(lab.table("zero_shot", "rates"), lab.scenarios, reference, lab.cfg.threshold)
    chosen = anchors(levels)
    rows = [
        (*row[:2], row.group, row.note or row.scenario_id, "" if row.note else percent(row.mean_sr))
        for row in each(chosen)
    ]
    found = levels.difficulty.value_counts()
    counts = ", ".join(f"{int(found.get(name, 0))} {name}" for name in DIFFICULTIES)
    unknown = int(levels.difficulty.isna().sum())
    line = f"{len(levels)} scenarios: {counts}" + (f", {unknown} not evaluated by both" if unknown else "")
    table = texts(rows, ["capability", "difficulty", "scenarios", "anchor", "mean success"])
    title = f"{int(chosen.scenario_id.notna().sum())} anchors by {', '.join(reference)}"
    return Report({"difficulty": levels, "anchors": chosen}, [Section(title, table, [f"{line}."])])
