"""The tables and plots of docs/tiny.md, and what the checkpoint's card says of its success, from records.

python benchmarks/tiny_page.py outputs/tiny    # after the commands that the page names
"""

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from gauge.controls import heard
from gauge.core.metrics import Rate
from gauge.records.query import by_task, summary
from gauge.report.plot import plot_sweep

PAGE = Path("docs/tiny.md")
PLOT = Path("docs/tiny.png")
CARD = Path("gauge/policies/tiny/tiny.json")
START, END = "<!-- tables: benchmarks/tiny_page.py -->", "<!-- end of tables -->"
SHOWN = {"tiny": "tiny", "open_loop": "open loop", "tiny-black": "black", "tiny-swapped": "swapped"}
MOVED = "target_object_position"


def main() -> None:
    """Rewrite the page's part between its marks."""
    study = Path(sys.argv[1])
    cells = summary(study)
    swept = cells[(cells.model == "tiny") & ~cells.attribute.isin([MOVED])]
    unfinished = PLOT.with_name(f".{PLOT.name}")
    plot_sweep(swept, unfinished)
    shutil.move(unfinished, PLOT)
    about = json.loads(CARD.read_text(encoding="utf-8"))
    about["card"]["success"] = dict(successes(cells))
    CARD.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    lines = "\n".join([*suites(cells, study), *tasks(cells, study), *changed(cells)])
    PAGE.write_text(f"{before}{START}\n\n{lines}\n{END}{after}", encoding="utf-8")


def successes(cells: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """The rate of every suite in clean scenes, as text."""
    for suite, own in cells[(cells.label == "clean") & (cells.model == "tiny")].groupby("suite", sort=True):
        yield str(suite), _with_interval(_rate(own))


def suites(cells: pd.DataFrame, study: Path) -> Iterator[str]:
    """One row per suite, with intervals."""
    clean = cells[cells.label == "clean"]
    yield from _head("Clean scenes, official initial states", ["suite", *SHOWN.values(), "told"])
    for suite, own in clean.groupby("suite", sort=True):
        rates = [_rate(own[own.model == model]) for model in SHOWN]
        folders = [folder for folder in study.iterdir() if folder.name.startswith(f"tiny-swapped-{suite}-clean-")]
        told = [heard(folder) for folder in folders]
        rates.append(Rate(sum(one["successes"] for one in told), sum(one["n"] for one in told)))
        yield f"| {suite} | {' | '.join(map(_with_interval, rates))} |"
    yield ""


def tasks(cells: pd.DataFrame, study: Path) -> Iterator[str]:
    """One row per task."""
    clean = cells[(cells.label == "clean") & cells.model.isin(list(SHOWN))]
    found = by_task(study).merge(clean[["cell_id", "model"]], on="cell_id")
    for suite, own in found.groupby(found.scenario_id.str.partition("/")[0], sort=True):
        yield from _head(f"{suite} by task", ["task", *SHOWN.values(), "tiny, 95% interval"])
        for scenario, rows in own.groupby("scenario_id", sort=True):
            rates = [_rate(rows[rows.model == model]) for model in SHOWN]
            counts = " | ".join(f"{one.successes}/{one.n}" for one in rates)
            yield f"| {scenario.partition('/')[2].replace('_', ' ')} | {counts} | {_interval(rates[0])} |"
        yield ""


def changed(cells: pd.DataFrame) -> Iterator[str]:
    """One row per value of every perturbation that was swept."""
    for (attribute, suite), own in cells[cells.attribute != ""].groupby(["attribute", "suite"], sort=True):
        models = [model for model in SHOWN if model in set(own.model)]
        yield from _head(f"{attribute} in {suite}", ["value", *(SHOWN[model] for model in models)])
        for value in own.value.drop_duplicates():
            rates = [_rate(own[(own.value == value) & (own.model == model)]) for model in models]
            yield f"| {value} | {' | '.join(map(_with_interval, rates))} |"
        yield ""


def _head(title: str, columns: Sequence[str]) -> Iterator[str]:
    yield f"### {title}\n"
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * len(columns)


def _rate(rows: pd.DataFrame) -> Rate:
    return Rate(int(rows.successes.sum()), int(rows.n.sum()), int(rows.errors.sum()))


def _with_interval(rate: Rate) -> str:
    return f"{rate.successes}/{rate.n} {_interval(rate)}" if rate.n else "-"


def _interval(rate: Rate) -> str:
    low, high = rate.interval
    return f"[{100 * low:.0f}, {100 * high:.0f}]%"


if __name__ == "__main__":
    main()
