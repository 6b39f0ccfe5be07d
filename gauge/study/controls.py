"""`controls=true` in a study: what of a model's clean score needs neither eyes nor language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from gauge.controls import heard, record_missing
from gauge.core.items import Combination
from gauge.core.metrics import Rate
from gauge.protocol.tables import each
from gauge.study.lab import Lab
from gauge.study.pages import Section, percent, span, texts

COLUMNS = ("policy", "black", "swapped", "told")
NOTE = (
    "Black: the policy, shown black pictures. Swapped: the policy, told of another task; told: how often it then "
    "reached the goal that it was told of."
)


@dataclass(frozen=True)
class Controls:
    """Counts by model and control: columns model, control, successes, n, errors; the open loop is no one model's."""

    table: pd.DataFrame

    def section(self, models: Sequence[str]) -> Section:
        """The page's part."""
        known = {(row.model, row.control): Rate(int(row.successes), int(row.n)) for row in each(self.table)}
        rows = [
            (model, *(_cell(known.get((model, control))) for control in COLUMNS))
            for model in models
            if (model, "black") in known
        ]
        blindly = _cell(known.get(("open_loop", "open loop")))
        lines = [NOTE, f"Open loop, one demonstration of the expert played from every start: {blindly}."]
        return Section("Controls (clean scenes, 95% interval)", texts(rows, ["model", *COLUMNS]), lines)


def controlled(lab: Lab, episodes: Mapping[str, Sequence[int]], rates: pd.DataFrame) -> Controls | None:
    """Run and count the controls of all models that have any; None if nobody asked for them.

    Args:
        lab: the stage's.
        episodes: rollouts by scenario, as the models themselves had them.
        rates: the models' own.

    Raises:
        IncompleteError: a demonstration for the open loop could not be had.
    """
    lanes = [lane for lane in lab.crew.lanes if lane.control]
    if not lanes:
        return None
    for lane in lanes:
        if lane.control == "open loop":
            record_missing(lane.cfg, list(lane.tasks.values()), lane.demonstrations)
    found = [  # one by one: who is told of another task has another prompt, which no comparison allows otherwise
        lab.evaluate(dict.fromkeys(lane.model for lane in lanes if lane.control == control), [Combination()], episodes)
        for control in dict.fromkeys(lane.control for lane in lanes)
    ]
    counts = pd.concat([one for _, one in found]).groupby("model")[["successes", "n", "errors"]].sum()
    own = rates.groupby("model")[["successes", "n", "errors"]].sum()
    rows = [(model, "policy", *map(int, own.loc[model])) for model in lab.crew.models]
    for lane in {one.model: one for one in lanes}.values():
        rows.append((lane.of, lane.control, *map(int, counts.loc[lane.model])))
    for model in dict.fromkeys(lane.of for lane in lanes if lane.control == "swapped"):
        cells = [lane.cell(Combination()).name for lane in lanes if lane.of == model and lane.control == "swapped"]
        judged = [heard(lab.crew.folder / name) for name in cells]
        rows.append((model, "told", sum(one["successes"] for one in judged), sum(one["n"] for one in judged), 0))
    return Controls(pd.DataFrame(rows, columns=["model", "control", "successes", "n", "errors"]))


def _cell(rate: Rate | None) -> str:
    if rate is None or not rate.n:
        return "-"
    return f"{percent(rate.rate)} {span(*rate.interval, 100)}"
