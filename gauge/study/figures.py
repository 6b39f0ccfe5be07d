"""Pictures of a stage, for people who would rather look."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from gauge.protocol.tables import each_group
from gauge.report.plot import keep_out_of_home

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 12


def radar(points: pd.DataFrame, line: str, title: str) -> "Figure | None":
    """A radar chart with a line per value of the column `line`, see `gauge.protocol.radar`.

    None with fewer than 3 axes, which make no area, or without any value.
    """
    axes = points.drop_duplicates("axis").sort_values("axis")
    if len(axes) < 3 or points.value.isna().all():
        return None
    keep_out_of_home()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 5.0), dpi=120, layout="constrained")
    axis = figure.add_subplot(projection="polar")
    for name, rows in list(each_group(points, line))[:MOST_LINES]:
        ordered = rows.sort_values("axis")
        angle, value = ordered.angle_rad.tolist(), ordered.value.astype(float).tolist()
        axis.plot([*angle, angle[0]], [*value, value[0]], marker="o", markersize=3, linewidth=1.2, label=name)
    axis.set_xticks(axes.angle_rad.tolist(), [str(name).replace("_", "\n") for name in axes.capability], fontsize=8)
    axis.set_ylim(0, max(100.0, math.ceil(float(points.value.max()) / 10) * 10))
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title(title, fontsize=9)
    figure.legend(loc="outside right upper", fontsize=7)
    return figure


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float | None]], title: str, xlabel: str) -> "Figure":
    """Horizontal bars, the first label on top, one colour per series; nothing is drawn where a value is unknown."""
    keep_out_of_home()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 1.2 + 0.22 * len(labels) * max(1, len(series) / 2)), dpi=120, layout="constrained")
    axis = figure.add_subplot()
    height = 0.8 / max(1, len(series))
    for number, (name, values) in enumerate(series.items()):
        places = [place + number * height for place, value in enumerate(values) if value is not None]
        axis.barh(places, [value for value in values if value is not None], height=0.9 * height, label=name)
    axis.set_yticks([place + 0.4 - height / 2 for place in range(len(labels))], labels, fontsize=7)
    axis.invert_yaxis()
    axis.set_xlabel(xlabel, fontsize=8)
    axis.set_title(title, fontsize=9)
    axis.tick_params(axis="x", labelsize=7)
    if len(series) > 1:
        axis.legend(fontsize=7)
    return figure
