"""The face of a tracker. Records on disk are the truth; a tracker shows a copy and may lose it."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from gauge.core.cell import Cell
from gauge.core.record import EpisodeRecord
from gauge.errors import unknown

if TYPE_CHECKING:
    from gauge.tracking.wandb_run import WandbOptions


class Tracker(Protocol):
    """Called by the one process that collects a cell's records. No method raises, blocks or asks anything."""

    def start(self, cell: Cell, config: Mapping[str, Any], done: Iterable[EpisodeRecord] = ()) -> None:
        """Before the first episode; `done` are the episodes that an earlier run of the cell evaluated."""

    def episode(self, record: EpisodeRecord) -> None:
        """After each episode."""

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Once at the end, on every path; takes a bounded time."""


class NullTracker:
    """Tracks nothing."""

    def start(self, cell: Cell, config: Mapping[str, Any], done: Iterable[EpisodeRecord] = ()) -> None:
        """Nothing."""

    def episode(self, record: EpisodeRecord) -> None:
        """Nothing."""

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Nothing."""


def build(kind: str, options: Mapping[str, Any], cell_dir: Path) -> Tracker:
    """The tracker `kind` (none, wandb) of one cell, with the options of its config group.

    Raises:
        GaugeError: unknown kind or option.
    """
    if kind == "none":
        return NullTracker()
    if kind != "wandb":
        raise unknown("tracking", kind, ["none", "wandb"])
    from gauge.tracking.wandb_tracker import WandbTracker

    return WandbTracker(wandb_options(options), cell_dir)


def wandb_options(options: Mapping[str, Any]) -> "WandbOptions":
    """The options of `tracking=wandb`.

    Raises:
        GaugeError: an unknown option.
    """
    from gauge.tracking.wandb_run import WandbOptions

    known = [field.name for field in fields(WandbOptions)]
    given = {name: value for name, value in options.items() if name != "kind"}
    for name in given:
        if name not in known:
            raise unknown("option of tracking=wandb", name, known)
    return WandbOptions(**given)
