"""How long an episode of a model takes on this machine, from episodes that were run here."""

import json
import math
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

from gauge.config import build
from gauge.records.store import CELL_FILE, EPISODE_FILES
from gauge.study.lanes import Lane

MOST_FILES, MOST_PER_FILE = 200, 25


@dataclass(frozen=True)
class Speed:
    """Means per episode.

    Attributes:
        seconds: of one worker, scenes compiled; None if no episode of the model was run on this machine.
        steps, calls, images: control steps, policy calls, rendered images; upper bounds where nothing was run.
        episodes: how many were averaged.
    """

    seconds: float | None
    steps: float
    calls: float
    images: float
    episodes: int

    @property
    def source(self) -> str:
        """One sentence on where the numbers come from."""
        each = f"{self.steps:.0f} steps, {self.calls:.0f} policy calls, {self.images:.0f} images"
        if self.seconds == 0:
            return "synthetic: nothing is simulated, episodes are drawn"
        if self.seconds is None:
            return f"at most {each} per episode by its declaration; none was run on this machine yet, so no hours"
        return f"{self.seconds:.2f} s, {each} per episode, the mean of {self.episodes} stored episodes of this machine"


def speed(outputs: Path, lanes: Sequence[Lane]) -> Speed:
    """What an episode of the lanes' one model costs, from the records of any study in `outputs`."""
    found = list(_records(outputs, str(lanes[0].clean.model["name"])))
    if not found:
        return _declared(lanes)
    return Speed(
        seconds=mean(sum(record["wall_s"].values()) for record in found),
        steps=mean(record["steps"] for record in found),
        calls=mean(record["policy_calls"] for record in found),
        images=mean(record["frames"] for record in found),
        episodes=len(found),
    )


def _declared(lanes: Sequence[Lane]) -> Speed:
    if lanes[0].cfg.model.kind == "synthetic":
        return Speed(0.0, 0, 0, 0, 0)
    policy = build.make_policy(lanes[0].cfg)
    try:
        spec = policy.spec
    finally:
        policy.close()
    horizon = max(int(lane.cfg.suite.horizon) for lane in lanes)
    calls = math.ceil(horizon / spec.executed)
    return Speed(None, horizon, calls, calls * len(spec.cameras), 0)


def _records(outputs: Path, model: str) -> Iterator[dict[str, Any]]:
    """A sample of the evaluated episodes of that model on this machine."""
    cells = (path.parent for path in outputs.glob(f"*/*/{CELL_FILE}") if _model(path) == model)
    files = islice((path for cell in cells for path in cell.glob(EPISODE_FILES)), MOST_FILES)
    for path in files:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in islice(lines, MOST_PER_FILE):
                record = _parsed(line)
                if record.get("status") in ("success", "fail") and _here(record):
                    yield record


def _model(path: Path) -> str:
    return str(_parsed(path.read_text(encoding="utf-8", errors="replace")).get("model", {}).get("name", ""))


def _here(record: dict[str, Any]) -> bool:
    return record.get("fingerprint", {}).get("host") == platform.node() and isinstance(record.get("wall_s"), dict)


def _parsed(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
