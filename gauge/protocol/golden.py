"""Every aggregate of the paper's Tables I, II and IV, recomputed from the numbers it prints.

The printed inputs are rounded, so a recomputed mean may be off by half a digit, and R-Score means by a whole one: the
paper averaged unrounded values. What is compared is exactly what the functions of this package give.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from gauge.protocol import paper
from gauge.protocol.drmsd import rms_drop
from gauge.protocol.paper_study import PaperStudy
from gauge.protocol.reference import reference_models
from gauge.protocol.robustness import mean_r
from gauge.protocol.screening import summary
from gauge.protocol.tables import each, each_group
from gauge.protocol.zero_shot import zero_shot

HALF_DIGIT = 0.05
DIGIT = 0.1
TABLES = {"all": "I", "id": "II", "ood": "II"}
COLUMNS = ["table", "what", "paper", "ours", "difference", "tolerance", "ok"]


def table_checks() -> pd.DataFrame:
    """One row per printed aggregate: table, what, paper, ours, difference (percentage points), tolerance, ok."""
    return _frame([*_zero_shot(), *_averages(), *_robustness(), *_d_rmsd()])


def count_checks(study: PaperStudy) -> pd.DataFrame:
    """The counts of the study, as the stages produce them; the same columns, tolerance 0."""
    categories = study.categories.name.nunique()
    by_size = study.judged.groupby("m").size()
    anchors = int(study.anchors.scenario_id.notna().sum())
    kept = study.judged[study.judged.retained]
    instances = study.modes[["name", "scenario_id"]].drop_duplicates()
    counts = {
        "clean scenarios": (270, len(study.scenarios)),
        "anchors": (18, anchors),
        "values x anchors": (4824, len(study.space) * anchors),
        "category combinations": (7, categories),
        "category combinations x anchors": (126, categories * anchors),
        **{f"factor combinations, {m} categories": (n, int(by_size[m])) for m, n in ((1, 2), (2, 4), (3, 9))},
        "factor combinations x anchors": (270, len(study.judged) * anchors),
        "retained factor combinations": (3, len(kept)),
        "combinatorial instances": (810, len(instances)),
    }
    total = [
        counts[name][1]
        for name in counts
        if "x anchors" in name or name in ("clean scenarios", "combinatorial instances")
    ]
    counts["task instances"] = (6300, sum(total))
    return _frame([("counts", what, *pair, 0.0) for what, pair in counts.items()])


def structure_checks(study: PaperStudy) -> pd.DataFrame:
    """What the paper says in words; one row each: what, paper, ours, ok."""
    scores = zero_shot(paper.capability_table())
    wide = paper.capability_table().pivot(index=["model", "capability"], columns="split", values="sr")
    described = summary(study.combinations).set_index("name").factors
    kept = sorted(study.judged.name[study.judged.retained])
    saturated = sorted(study.judged.name[study.judged.saturated])
    rows = [
        ("reference models", "pi0.5, DeepThinkVLA", ", ".join(reference_models(scores).model)),
        ("OOD below ID, of 72 (V-B)", "71", str(int((wide["ood"] < wide["id"]).sum()))),
        ("OOD scores of 0, of 72 (V-B)", "32", str(int((wide["ood"] == 0).sum()))),
        ("R of 17.7 or less, of 36 (V-E)", "34", str(int((paper.r_table().r <= 17.7).sum()))),
        ("retained (synthetic study)", ", ".join(paper.PFCS), ", ".join(kept)),
        ("saturated (synthetic study)", "PFC(2,4), PFC(3,9)", ", ".join(saturated)),
        ("factors of PFC(1,2)", "action, robot", _factors(described, "PFC(1,2)")),
        ("factors of PFC(2,3)", "action, camera, image, target_object", _factors(described, "PFC(2,3)")),
        (
            "factors of PFC(3,6)",
            "action, background, image, image_occlusion, light, noise, object_appearance, target_object",
            _factors(described, "PFC(3,6)"),
        ),
    ]
    frame = pd.DataFrame(rows, columns=["what", "paper", "ours"])
    return frame.assign(ok=frame.paper == frame.ours)


def split_check() -> pd.DataFrame:
    """Whether Table I follows from Table II and the inferred split sizes: (model, capability), printed, derived.

    It often does not, and some printed values lie outside both of their parts, which no split could give. This is a
    note on the paper, not a check on this package. `possible` says whether any split could.
    """
    wide = paper.capability_table().pivot(index=["model", "capability"], columns="split", values="sr").astype(float)
    sizes = paper.scenario_table().groupby(["capability", "split"]).size().unstack()
    weights = sizes.loc[wide.index.get_level_values("capability")].to_numpy()
    derived = (wide["id"] * weights[:, 0] + wide["ood"] * weights[:, 1]) / weights.sum(axis=1)
    low, high = wide[["id", "ood"]].min(axis=1), wide[["id", "ood"]].max(axis=1)
    possible = (wide["all"] >= low - DIGIT) & (wide["all"] <= high + DIGIT)
    return pd.DataFrame({"printed": wide["all"], "derived": derived, "possible": possible}).reset_index()


def _zero_shot() -> Iterator[tuple[Any, ...]]:
    models = paper.printed()["models"]
    for row in each(zero_shot(paper.capability_table())):
        table, split = TABLES[str(row.split)], str(row.split)
        yield table, f"ZS_{split.upper()} {row.model}", models[row.model][f"zs_{split}"], float(row.zs), HALF_DIGIT


def _averages() -> Iterator[tuple[Any, ...]]:
    averages = paper.printed()["averages"]
    capability = paper.capability_table()
    means = capability.groupby(["split", "capability"], sort=False)["sr"].mean()
    for row in each(means.reset_index()):
        what = f"average {row.capability}, {row.split}"
        yield TABLES[row.split], what, averages[row.split][row.capability], float(row.sr), HALF_DIGIT
    for split, mean in zero_shot(capability).groupby("split", sort=False)["zs"].mean().items():
        yield TABLES[str(split)], f"average ZS_{str(split).upper()}", averages[f"zs_{split}"], float(mean), HALF_DIGIT


def _robustness() -> Iterator[tuple[Any, ...]]:
    stored, scores = paper.printed(), paper.r_table()
    for row in each(mean_r(scores, ["model"])):
        yield "IV", f"Average1 {row.model}", stored["models"][row.model]["r_score_mean"], float(row.r_mean), DIGIT
    for row in each(mean_r(scores, ["combination"])):
        yield (
            "IV",
            f"Average2 {row.combination}",
            stored["averages"]["r_score"][row.combination],
            float(row.r_mean),
            DIGIT,
        )
    overall = float(mean_r(scores, ["combination"]).r_mean.mean())
    yield "IV", "Average2 of Average1", stored["averages"]["r_score_mean"], overall, DIGIT


def _d_rmsd() -> Iterator[tuple[Any, ...]]:
    scores = zero_shot(paper.capability_table())
    stored = paper.printed()
    clean = {model: values["zs_all"] for model, values in stored["models"].items() if model in set(scores.model)}
    for name, rows in each_group(paper.r_table(), "combination"):
        before = [clean[model] for model in rows.model]
        after = [before_ * float(r) / 100 for before_, r in zip(before, rows.r, strict=True)]
        yield "IV", f"D-RMSD {name}", stored["averages"]["d_rmsd"][name], rms_drop(before, after), HALF_DIGIT


def _frame(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["table", "what", "paper", "ours", "tolerance"])
    frame["difference"] = frame.ours - frame.paper
    frame["ok"] = frame.difference.abs() <= frame.tolerance + 1e-9
    return frame[COLUMNS]


def _factors(described: "pd.Series[str]", name: str) -> str:
    return ", ".join(sorted(described[name].split("+"))) if name in described.index else "no such combination"
