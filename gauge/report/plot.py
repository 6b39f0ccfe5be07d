"""Success against a perturbation's value, with the uncertainty that the counts leave."""

import math
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gauge.errors import GaugeError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart with every common colour blindness; the marker says it a second time.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = "osD^vPX"
WIDE = 20.0  # from the least to the largest value, beyond which small ones would lie on top of each other
_LINE = ["model", "suite", "branch"]


def plot_sweep(cells: "pd.DataFrame", path: Path) -> None:
    """Write the plot of a sweep (see `draw_sweep`) as a PNG.

    Raises:
        GaugeError: no cell has exactly one perturbation and a result.
    """
    draw_sweep(cells).savefig(path, format="png")


def draw_sweep(cells: "pd.DataFrame") -> "Figure":
    """Draw the cells of a sweep (see `summary`).

    A panel per perturbation attribute, a line per model (suite, branch) with 95% Wilson intervals, and the line's
    clean cell as a dashed line with a band. Cells with several items or without an evaluated episode are left out.

    Raises:
        GaugeError: no cell has exactly one perturbation and a result.
    """
    evaluated = cells[cells.n > 0]
    swept = evaluated[evaluated.attribute != ""]
    if swept.empty:
        raise GaugeError("there is nothing to plot: no evaluated cell has exactly one perturbation")
    keep_out_of_home()
    from matplotlib.figure import Figure

    panels = list(swept.groupby("attribute", sort=False))
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(1.2 + 4.4 * columns, 0.8 + 3.2 * rows), dpi=150, layout="constrained")
    axes = figure.subplots(rows, columns, sharey=True, squeeze=False).flatten()
    lines = _names(swept)
    for axis, (attribute, panel) in zip(axes, panels, strict=False):
        _draw_panel(axis, panel, evaluated[evaluated.label == "clean"], lines)
        axis.set_xlabel(str(attribute))
    for axis in axes[len(panels) :]:
        axis.remove()
    figure.supylabel("success rate", fontsize=10)
    _legend(figure, axes[0], len(lines))
    figure.supxlabel(_caption(evaluated), x=0.01, ha="left", fontsize=8, color="#555555")
    return figure


def _draw_panel(axis: "Axes", panel: "pd.DataFrame", clean: "pd.DataFrame", lines: dict[tuple[str, ...], str]) -> None:
    values: list[Any] = sorted(set(panel.value), key=lambda value: (isinstance(value, str), value))
    numeric = not any(isinstance(value, str) for value in values)
    place = _places(values, numeric)
    span = (max(place.values()) - min(place.values())) or 1.0
    for index, (key, name) in enumerate(lines.items()):
        style: dict[str, Any] = {"color": _COLOURS[index % len(_COLOURS)]}
        points = _of(panel, key)
        # Lines are set apart a little, so that intervals of equal values do not hide each other.
        x = [place[value] + 0.012 * span * (index - (len(lines) - 1) / 2) for value in points.value]
        errors = [(100 * (points.rate - points.low)).clip(lower=0), (100 * (points.high - points.rate)).clip(lower=0)]
        marker = _MARKERS[index % len(_MARKERS)]
        axis.errorbar(x, 100 * points.rate, yerr=errors, label=name, fmt=marker, capsize=3, markersize=5, **style)
        if numeric:  # thin, because nobody evaluated what lies between the points
            axis.plot(x, 100 * points.rate, linewidth=0.8, alpha=0.5, **style)
        for row in _rows(_of(clean, key)):
            axis.axhline(100 * row.rate, linestyle="--", linewidth=1, label=f"{name}, clean", **style)
            axis.axhspan(100 * row.low, 100 * row.high, alpha=0.10, linewidth=0, **style)
    _dress(axis, place, numeric)


def _places(values: list[Any], numeric: bool) -> dict[Any, float]:
    """Where each value is along the axis: names in order, numbers that span more than `WIDE` by their logarithm."""
    if not numeric:
        return {value: float(index) for index, value in enumerate(values)}
    wide = values[0] > 0 and values[-1] / values[0] > WIDE
    return {value: math.log10(value) if wide else float(value) for value in values}


def _dress(axis: "Axes", place: dict[Any, float], numeric: bool) -> None:
    names = [f"{value:g}" if numeric else str(value) for value in place]
    if not numeric:
        axis.set_xlim(-0.5, len(place) - 0.5)
    as_they_are = numeric and all(value == where for value, where in place.items())
    if not as_they_are or len(place) <= 9:
        slanted: dict[str, Any] = {"rotation": 20, "ha": "right"} if max(map(len, names)) > 9 else {}
        axis.set_xticks(list(place.values()), names, **slanted)
    axis.set_ylim(-3, 103)
    axis.yaxis.set_major_formatter("{x:.0f}%")
    axis.grid(axis="y", color="#DDDDDD", linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)


def _legend(figure: "Figure", axis: "Axes", lines: int) -> None:
    """A column per line: its points, then its clean cell."""
    handles, labels = axis.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda index: (labels[index].removesuffix(", clean"), labels[index]))
    chosen = [handles[i] for i in order], [labels[i] for i in order]
    figure.legend(*chosen, loc="outside upper left", ncols=min(lines, 4), frameon=False)


def _names(cells: "pd.DataFrame") -> dict[tuple[str, ...], str]:
    """(model, suite, branch) of every line to its name, which leaves out what all lines share."""
    differing = [name for name in _LINE if cells[name].nunique() > 1] or ["model"]
    keys = dict.fromkeys(tuple(str(part) for part in row) for row in cells[_LINE].itertuples(index=False))
    return {key: " ".join(key[_LINE.index(name)] for name in differing) for key in keys}


def _of(cells: "pd.DataFrame", key: tuple[str, ...]) -> "pd.DataFrame":
    return cells[(cells[_LINE] == list(key)).all(axis=1)]


def _rows(cells: "pd.DataFrame") -> Iterable[Any]:
    return cells.itertuples()


def _caption(cells: "pd.DataFrame") -> str:
    low, high = int(cells.n.min()), int(cells.n.max())
    count = f"n = {low}" if low == high else f"n = {low} to {high}"
    return f"{count} evaluated episodes per point; 95% Wilson intervals; errors are not counted."


def keep_out_of_home() -> None:
    """Let matplotlib keep its font cache in the temporary folder; home may be full, slow or read-only."""
    os.environ.setdefault("MPLCONFIGDIR", str(Path(tempfile.gettempdir(), f"gauge-matplotlib-{os.getuid()}")))
