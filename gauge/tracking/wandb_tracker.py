"""A cell's copy in Weights & Biases; how it is kept from doing harm is said in `gauge.tracking.wandb_run`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gauge.core.cell import Cell
from gauge.core.record import EpisodeRecord
from gauge.tracking.wandb_run import WandbOptions, WandbRun


class WandbTracker:
    """One W&B run per cell folder, whose id follows from the study and the cell. See `Tracker`."""

    def __init__(self, options: WandbOptions, cell_dir: Path) -> None:
        self.run = WandbRun(options, cell_dir, "episodes")
        self._counts: Counter[str] = Counter()
        self._steps = 0

    def start(self, cell: Cell, config: Mapping[str, Any], done: Iterable[EpisodeRecord] = ()) -> None:
        """Start the run; its id is the same whenever this cell of this study is run."""
        for record in done:
            self._count(record)
        study = self.run.folder.resolve().parent.name
        identity = f"{re.sub('[^A-Za-z0-9_-]+', '_', study)[:40]}-{cell.id}"
        self.run.start(cell.name, study, identity, {**config, "cell": cell.to_json()})

    def episode(self, record: EpisodeRecord) -> None:
        """Send the running totals."""
        self._count(record)
        evaluated = self._counts["success"] + self._counts["fail"]
        self.run.log(
            {
                "episodes": self._counts.total(),
                "success_rate": self._counts["success"] / evaluated if evaluated else None,
                "errors": self._counts["error"],
                "steps": self._steps,
            }
        )

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Send the summary and end the run."""
        self.run.finish(summary)

    def _count(self, record: EpisodeRecord) -> None:
        self._counts[record.status] += 1
        self._steps += record.steps
