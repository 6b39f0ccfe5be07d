"""`stats`: what is in a set, how long and how different its demonstrations are, and why others were dropped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from gauge.demos.export import demos_of
from gauge.demos.gate import path_length, spread
from gauge.demos.lerobot_layout import ACTION_NAMES
from gauge.demos.store import SET_FILE, open_set
from gauge.errors import GaugeError
from gauge.records.demo import FPS, Array, Demo

BINS = np.linspace(-1.0, 1.0, 11)
BLOCKS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class TaskStats:
    """A task's demonstrations: control steps and metres of each, and how far their paths lie apart (m).

    `spread_m` is the root mean square distance of the hand to the mean path at equal parts of the duration.
    """

    steps: tuple[int, ...]
    paths_m: tuple[float, ...]
    spread_m: float


def by_task(demos: Sequence[Demo]) -> dict[str, TaskStats]:
    """The statistics of every task, in the order of the demonstrations."""
    groups: dict[str, list[Demo]] = {}
    for demo in demos:
        groups.setdefault(demo.origin.scenario_id or demo.origin.instruction, []).append(demo)
    return {name: _task(found) for name, found in groups.items()}


def histogram(actions: Array) -> Array:
    """Share of the actions [N, 7] in ten equal bins from -1 to 1, per dimension, [7, 10]."""
    clipped = np.clip(actions, -1.0, 1.0)
    return np.stack([np.histogram(column, BINS)[0] / len(actions) for column in clipped.T])


def report(source: Path, png: Path | None) -> None:
    """Print the tables, and write the picture where one is wanted.

    Raises:
        GaugeError: there is no demonstration at `source`.
    """
    demos, console = list(demos_of(source)), Console()
    if not demos:
        _print_dropped(console, source)
        raise GaugeError(f"{source} holds no demonstration")
    actions = np.concatenate([demo.actions for demo in demos])
    tasks = by_task(demos)
    console.print(_tasks_table(source, tasks))
    console.print(_actions_table(actions))
    _print_dropped(console, source)
    if png is not None:
        picture(actions, tasks, png)
        console.print(f"plot  {png}", soft_wrap=True, markup=False, highlight=False)


def _print_dropped(console: Console, source: Path) -> None:
    for line in dropped(source):
        console.print(line, markup=False, highlight=False)


def dropped(source: Path) -> Iterator[str]:
    """A line for every reason for which tried episodes of a set were not kept, with the episodes."""
    if not (source / SET_FILE).is_file():
        return
    found = open_set(source)
    for task in found.tasks():
        reasons: dict[str, list[int]] = {}
        for index, reason in found.selection(task).dropped.items():
            reasons.setdefault(reason, []).append(index)
        for reason, indices in reasons.items():
            yield f"dropped  {task} {', '.join(map(str, indices))}: {reason}"


def picture(actions: Array, tasks: Mapping[str, TaskStats], path: Path) -> None:
    """Histograms of the seven action dimensions and of the lengths, as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(2, 4).ravel()
    for axis, name, column in zip(axes, ACTION_NAMES, actions.T, strict=False):
        axis.hist(column, bins=41, range=(-1.0, 1.0), color="tab:blue")
        axis.set_title(f"action: {name}", fontsize=9)
        axis.set_yscale("log")
    lengths = [steps / FPS for one in tasks.values() for steps in one.steps]
    axes[7].hist(lengths, bins=20, color="tab:orange")
    axes[7].set_title("duration (s)", fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def _task(demos: Sequence[Demo]) -> TaskStats:
    hands = [demo.proprioception[:, :3] for demo in demos]
    return TaskStats(tuple(map(len, demos)), tuple(map(path_length, hands)), spread(hands))


def _tasks_table(source: Path, tasks: Mapping[str, TaskStats]) -> Table:
    table = Table(title=str(source), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("task", overflow="fold", min_width=28, max_width=48)
    for name, width in {"demos": 5, "frames": 7, "steps": 13, "path m": 6, "spread cm": 9}.items():
        table.add_column(name, justify="right", min_width=width)
    for name, one in tasks.items():
        steps = f"{min(one.steps)}-{np.median(one.steps):g}-{max(one.steps)}"
        numbers = (str(len(one.steps)), str(sum(one.steps)), steps)
        table.add_row(name.rpartition("/")[2], *numbers, f"{np.median(one.paths_m):.2f}", f"{100 * one.spread_m:.1f}")
    return table


def _actions_table(actions: Array) -> Table:
    table = Table(title="actions", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in ("dimension", "mean", "std", "1%", "99%", "-1 ... 1"):
        table.add_column(name, justify="left" if name in ("dimension", "-1 ... 1") else "right")
    for name, column, shares in zip(ACTION_NAMES, actions.T, histogram(actions), strict=True):
        bars = "".join(BLOCKS[int(np.ceil(share / max(shares.max(), 1e-12) * (len(BLOCKS) - 1)))] for share in shares)
        low, high = np.quantile(column, [0.01, 0.99])
        table.add_row(name, f"{column.mean():+.3f}", f"{column.std():.3f}", f"{low:+.2f}", f"{high:+.2f}", bars)
    return table
